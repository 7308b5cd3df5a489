"""The command group, attached to spaCy's own application."""

from __future__ import annotations

import typer
from spacy.cli._util import app as spacy_app

app = typer.Typer(
    name="thematic",
    help="Thematic similarity and clustering of sentences, learned from section structure.",
    no_args_is_help=True,
)
spacy_app.add_typer(app)

from spacy_thematic.cli import cluster, corpus, evaluate, inspect, report, train, vectors  # noqa: E402, F401
