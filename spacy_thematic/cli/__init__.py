"""The commands `python -m spacy thematic ...`, one file each."""

from spacy_thematic.cli.app import app

__all__ = ["app"]
