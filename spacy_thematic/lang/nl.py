"""Dutch."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    background=headings("Achtergrond"),
    back_matter=headings(
        "Afbeeldingen | Bibliografie | Bron | Bronnen | Bronnen en noten | Bronnen en referenties"
        "| Bronnen, noten en referenties | Bronnen, noten en/of referenties"
        "| Bronnen, noten, referenties | Bronvermelding | Externe koppelingen | Externe link"
        "| Externe links | Externe verwijzingen | Fotogalerij | Galerij | Geraadpleegde literatuur"
        "| Literatuur | Literatuurlijst | Noten | Noten en referenties | Referentie | Referenties"
        "| Referenties en voetnoten | Verder lezen | Verwijzingen | Voetnoten | Zie ook"
        "| Zie verder"
    ),
    pages=words("pagina blz"),
)
