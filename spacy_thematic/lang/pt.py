"""Portuguese."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    before_numbers=words("art cap n"),
    never_last=words("av dr dra eng gen prof profa sr sra séc"),
    background=headings("Antecedentes"),
    back_matter=headings(
        "Bibliografia | Bibliografia adicional | Citações | Fontes | Galeria | Galeria de imagens"
        "| Leitura adicional | Leitura complementar | Leitura recomendada | Leituras adicionais"
        "| Ligação externa | Ligações externas | Links externos | Notas | Notas de rodapé"
        "| Notas e referências | Referência | Referências | Referências bibliográficas"
        "| Referências e notas | Veja também | Ver também"
    ),
    pages=words("página pág p"),
)
