"""German."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("abb abs anm art bd kap nr rn rz tab ziff"),
    background=headings("Hintergrund"),
    back_matter=headings(
        "Anmerkungen | Anmerkungen und Einzelnachweise | Belege | Bibliografie | Bibliographie"
        "| Bilder | Bildergalerie | Einzelbelege | Einzelnachweis | Einzelnachweise"
        "| Einzelnachweise und Anmerkungen | Externe Links | Fußnoten | Galerie | Literatur"
        "| Literatur und Einzelnachweise | Literatur und Quellen | Literatur und Weblinks"
        "| Literaturhinweise | Literaturverzeichnis | Nachweise | Quelle | Quellen"
        "| Quellen und Anmerkungen | Quellen und Einzelnachweise | Quellen und Literatur"
        "| Quellen und Weblinks | Quellenangaben | Quellenverzeichnis | Referenzen | Siehe auch"
        "| Verweise | Weblink | Weblinks und Quellen | Weiterführende Informationen"
        "| Weiterführende Links | Weiterführende Literatur"
    ),
    greetings=("hallo", "liebe", "lieber", "guten tag", "sehr geehrte", "sehr geehrter"),
    closings=(
        r"(?:mit )?(?:(?:freundliche|beste|liebe|viele|herzliche|schöne)[nm]? )?"
        r"(?:grüßen?|gruß)[,.!]?",
        r"(?:vielen|besten|herzlichen) dank(?: im voraus)?[,.!]?",
    ),
    pages=words("seite s"),
)
