"""Sectioned text: what an article is, how it is read from files and what is kept of it."""

from .article import Article, Section
from .reading import Reader, ReadLog, SourceError

__all__ = ["Article", "ReadLog", "Reader", "Section", "SourceError"]
