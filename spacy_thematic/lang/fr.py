"""French."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("apr art av chap env n"),
    never_last=words("dr mgr prof"),
    background=headings("Contexte"),
    back_matter=headings(
        "Annexe | Annexes | Article connexe | Articles connexes | Bibliographie"
        "| Bibliographie et sources | Galerie | Galerie d'images | Galerie de photos"
        "| Lien externe | Liens | Liens connexes | Liens externes | Liens internes"
        "| Liens utiles | Notes | Notes et références | Notes et sources | Ouvrages cités"
        "| Pour approfondir | Pour en savoir plus | Référence | Références"
        "| Références bibliographiques | Références et notes | Source | Sources"
        "| Sources et bibliographie | Sources et liens externes | Sources et références"
        "| Voir aussi | Voir également | Webographie"
    ),
    pages=words("page p"),
)
