"""Vectors of sentences in, themes out. Light to import: scikit-learn is loaded when it is used."""

from spacy_thematic.clustering.corpus import CorpusThemes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.themes import Theme

__all__ = ["CorpusThemes", "Theme", "ThemeSettings"]
