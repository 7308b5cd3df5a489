"""The commands `python -m spacy thematic ...`."""

from spacy_thematic.cli import chunk, cluster, corpus, evaluate, models, store  # noqa: F401
from spacy_thematic.cli.app import app

__all__ = ["app"]
