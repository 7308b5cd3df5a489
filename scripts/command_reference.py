"""Write the reference of all commands from their help: python -m scripts.command_reference"""

from __future__ import annotations

from pathlib import Path

import typer
from spacy.cli._util import app

from spacy_thematic.cli.app import TRAINING, USE

PAGE = Path(__file__).parents[1] / "docs/reference/commands.md"
_INTRODUCTION = """# Commands

What `python -m spacy thematic COMMAND --help` prints; `python -m scripts.command_reference` writes
this page from it. `spacy_thematic.cluster`, `chunk`, `search`, `adapt`, `evaluate` and `train` do
the same in [Python](python.md), and return values. See also [Many documents](../collections.md),
[Segments and chunks](../segments.md),
[Adapt to your documents](../adapt.md) and [Train from articles](../training.md).
"""


def make_reference() -> str:
    """Return the page, in Markdown."""
    commands = typer.main.get_command(app).commands["thematic"].commands  # type: ignore[attr-defined]
    parts = [_INTRODUCTION]
    for panel in (USE, TRAINING):
        parts.append(f"## {panel}\n")
        for name, command in sorted(commands.items()):
            if not command.hidden and command.rich_help_panel == panel:
                shown = typer.Context(
                    command, info_name=f"python -m spacy thematic {name}", terminal_width=100
                )
                parts.append(f"### `{name}`\n\n```text\n{command.get_help(shown)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(make_reference(), encoding="utf8")
