"""Italian."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("art cap cfr n"),
    never_last=words("avv cfr dott gen ing mons on prof sec sig sigg"),
    background=headings("Contesto"),
    back_matter=headings(
        "Altri progetti | Annotazioni | Bibliografia | Collegamenti | Collegamenti esterni"
        "| Collegamento esterno | Fonti | Galleria | Galleria d'immagini | Galleria fotografica"
        "| Letture consigliate | Link esterni | Note | Note e riferimenti | Per approfondire"
        "| Riferimenti | Riferimenti bibliografici | Sitografia | Vedi anche | Voci correlate"
    ),
    pages=words("pagina pag p"),
)
