"""The command group, attached to spaCy's own application."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import typer
from spacy.cli._util import app as spacy_app
from typer.core import TyperArgument, TyperCommand, TyperGroup

from spacy_thematic.cli.shell import msg

TEXTS = "Texts"
MODELS = "Models"
_RETIRED = {
    "benchmark": '"python projects/papers/scripts/measure.py" makes the tables of the paper',
    "inspect": "statistics.json in the folder of a corpus says what it holds",
    "join": "join_encoders in projects/papers/scripts/joining.py joins the encoders of pipelines",
    "report": '"cluster DATA --model MODEL --per-document --html FILE" writes the page',
    "vectors": '"train" takes a table of word vectors as --paths.vectors, and "python -m spacy init '
    'vectors" makes a folder from one',
}
"""Former commands, and what does their work now."""
_RETIRED_OPTIONS = {
    "--check-language": "the language is always checked",
    "--format": "the format is detected",
    "--pipeline": "thematic_sentencizer finds the sentences",
    "--protocol": "projects/papers/scripts/measure.py measures as the papers do",
    "--seeds": "it is --seed-themes now",
    "--titles": "it is --headings now",
}
"""Former options, and what to know about them."""


class _Commands(TyperGroup):
    """The group, with hints for former options, and its help in two groups."""

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # If its reader is gone, typer ends here without a word.
            return result
        except Exception as error:  # Of typer's own click, or of the one that is installed.
            if hint := _RETIRED_OPTIONS.get(getattr(error, "option_name", "")):
                vars(error).update(message=f"{error} any more: {hint}", possibilities=None)
            raise
        except KeyboardInterrupt:
            msg.fail("Interrupted: earlier files are unchanged")
            raise typer.Exit(130) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in their groups."""
        commands = {name: self.commands[name] for name in sorted(self.list_commands(ctx))}
        width = formatter.width - max(map(len, commands)) - 6
        for panel in (TEXTS, MODELS):
            with formatter.section(panel):
                formatter.write_dl(
                    [
                        (name, command.get_short_help_str(width))
                        for name, command in commands.items()
                        if not command.hidden and command.rich_help_panel == panel  # type: ignore[attr-defined]
                    ]
                )


class GroupedOptions(TyperCommand):
    """A command whose options are listed in groups, each under its `rich_help_panel`."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            kind = "Arguments" if isinstance(param, TyperArgument) else "Options"
            panel = getattr(param, "rich_help_panel", None) or kind
            if record := param.get_help_record(ctx):
                groups.setdefault(panel, []).append(record)
        for panel, records in groups.items():
            with formatter.section(panel):
                formatter.write_dl(records)


app = typer.Typer(
    name="thematic",
    cls=_Commands,
    help="Find the themes of texts, and train models that find them. Models learn from how articles "
    "are divided into sections.",
    no_args_is_help=True,
)
spacy_app.add_typer(app)


def command(panel: str, example: str, **options: Any) -> Callable[[Any], Any]:
    """Register a function as a command of a panel. The example, which begins with the command's
    name, ends its help."""
    epilog = f"Example: python -m spacy thematic {example}"
    return app.command(example.split()[0], epilog=epilog, rich_help_panel=panel, **options)


def _retired(ctx: typer.Context) -> None:
    """Say what does the work of a former command."""
    msg.fail(f"There is no {ctx.info_name} any more: {_RETIRED[str(ctx.info_name)]}.", exits=1)


for _name in _RETIRED:
    app.command(
        _name,
        hidden=True,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_retired)
