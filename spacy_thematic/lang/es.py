"""Spanish."""

from spacy_thematic.lang.words import Words, headings, words

WORDS = Words(
    background=headings("Antecedentes"),
    back_matter=headings(
        "Artículos relacionados | Bibliografía | Bibliografía adicional | Bibliografía recomendada"
        "| Bibliografía y referencias | Citas | Enlace externo | Enlaces externos"
        "| Enlaces relacionados | Fuentes | Galería | Galería de imágenes | Lectura adicional"
        "| Lecturas adicionales | Lecturas recomendadas | Notas | Notas al pie"
        "| Notas y referencias | Obras citadas | Otras lecturas | Para saber más | Referencias"
        "| Referencias bibliográficas | Referencias y notas | Vea también | Vease también"
        "| Véase también"
    ),
    pages=words("página pág p"),
)
