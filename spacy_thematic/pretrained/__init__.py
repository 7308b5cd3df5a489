"""Trained encoders as files: the bundled models, each with its card beside it, and a user's own."""

from spacy_thematic.pretrained.architecture import BLANK, build_architecture
from spacy_thematic.pretrained.paths import BUNDLED, find_path
from spacy_thematic.pretrained.source import (
    BASE,
    Pretrained,
    find_pretrained,
    include_bases,
    list_bundled,
)

__all__ = [
    "BASE",
    "BLANK",
    "BUNDLED",
    "Pretrained",
    "build_architecture",
    "find_path",
    "find_pretrained",
    "include_bases",
    "list_bundled",
]
