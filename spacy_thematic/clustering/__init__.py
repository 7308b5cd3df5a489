"""Vectors of sentences in, themes out. Light to import: scikit-learn is loaded when it is used."""

from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.moved import find_moved

__all__ = ["ThemeSettings"]
__getattr__ = find_moved(
    __name__,
    {
        "CorpusThemes": "spacy_thematic.pipeline.corpus_themes",
        "Theme": "spacy_thematic.pipeline.themes",
    },
)
