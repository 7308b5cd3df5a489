"""The commands `python -m spacy thematic ...`."""

from spacy_thematic.cli import (  # noqa: F401
    chunk,
    cluster,
    corpus,
    evaluate,
    model_files,
    store,
    train,
)
from spacy_thematic.cli.app import app

__all__ = ["app"]
