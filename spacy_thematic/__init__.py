"""Thematic sentence similarity and clustering for spaCy, learned from section structure alone."""

from spacy_thematic.about import __version__

__all__ = ["__version__"]
