"""Vectors of sentences in, themes out. Light to import: scikit-learn is loaded when it is used."""

from spacy_thematic.clustering.themes import Theme, read_themes, write_themes

__all__ = ["Theme", "read_themes", "write_themes"]
