"""The command group, attached to spaCy's own application."""

from __future__ import annotations

import typer
from spacy.cli._util import app as spacy_app

app = typer.Typer(
    name="thematic",
    help="Commands for thematic similarity and clustering. Both are learned from how articles are "
    "divided into sections.",
    no_args_is_help=True,
)
spacy_app.add_typer(app)

from spacy_thematic.cli import (  # noqa: E402
    adapt,  # noqa: F401
    chunk,  # noqa: F401
    cluster,  # noqa: F401
    cluster_store,  # noqa: F401
    corpus,  # noqa: F401
    embed,  # noqa: F401
    evaluate,  # noqa: F401
    export,  # noqa: F401
    inspect,  # noqa: F401
    join,  # noqa: F401
    report,  # noqa: F401
    segment_store,  # noqa: F401
    train,  # noqa: F401
    vectors,  # noqa: F401
)
