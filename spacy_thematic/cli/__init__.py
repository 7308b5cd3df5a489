"""The commands `python -m spacy thematic ...`, one file each."""

from spacy_thematic.cli import (  # noqa: F401
    adapt,
    chunk,
    cluster,
    cluster_store,
    corpus,
    embed,
    evaluate,
    export,
    search,
    train,
    verify,
)
from spacy_thematic.cli.app import app

__all__ = ["app"]
