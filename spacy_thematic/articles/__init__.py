"""Sectioned text: what an article is, how it is read from files and what is kept of it."""

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import Reader, ReadLog, SourceError

__all__ = ["Article", "ReadLog", "Reader", "Section", "SourceError"]
