"""The command group, attached to spaCy's own application."""

from __future__ import annotations

from typing import Any

import typer
from spacy.cli._util import app as spacy_app
from typer.core import TyperGroup

from spacy_thematic.cli.messages import lasting_stdout, msg
from spacy_thematic.interrupts import raise_on_interrupt


class _Commands(TyperGroup):
    """What holds for each command from its first to its last line, its imports too."""

    def invoke(self, ctx: Any) -> Any:
        with lasting_stdout():
            try:
                raise_on_interrupt()
                return super().invoke(ctx)
            except KeyboardInterrupt:
                msg.fail("Interrupted: earlier files are unchanged")
                raise typer.Exit(130) from None


app = typer.Typer(
    name="thematic",
    cls=_Commands,
    help="Find the themes of texts, and train models that find them. Models learn from how articles "
    "are divided into sections.",
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
