"""Swedish."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("kap nr s"),
    never_last=words("dr fr hr jfr prof"),
    background=headings("Bakgrund"),
    back_matter=headings(
        "Anmärkningar | Bibliografi | Bilder | Bildgalleri | Extern länk | Externa källor"
        "| Externa länkar | Fotnoter | Galleri | Källa | Källförteckning | Källhänvisningar"
        "| Källor | Källor och noter | Källor och referenser | Litteratur | Läs mer | Noter"
        "| Noter och källor | Noter och referenser | Referens | Referenser | Se även"
        "| Tryckta källor | Vidare läsning | Webbkällor"
    ),
    pages=words("sida"),
)
