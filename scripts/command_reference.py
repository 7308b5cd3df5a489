"""Write the reference of all commands from their help, and that of Python from docstrings:
python -m scripts.command_reference"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from spacy.cli._util import app

import spacy_thematic
from spacy_thematic.cli.app import MODELS, TEXTS

_FOLDER = Path(__file__).parents[1] / "docs/reference"
PAGE = _FOLDER / "commands.md"
PYTHON_PAGE = _FOLDER / "python.md"
_INTRODUCTION = """# Commands

This page shows what `python -m spacy thematic COMMAND --help` prints; `python -m
scripts.command_reference` generates it. In Python, `spacy_thematic.cluster`, `chunk`, `search`,
`adapt`, `evaluate` and `train` [do the same](python.md), and return their results. See also
[Many documents](../collections.md),
[Segments and chunks](../segments.md),
[Adapt to your documents](../adapt.md) and [Train from articles](../training.md).
"""
_PYTHON_INTRODUCTION = """# Python

This page lists the public names, with their arguments and what they do; `python -m
scripts.command_reference` generates it. To see what each argument means, use `help`, as in
`help(spacy_thematic.load)`. [Components](components.md) describes the components and what they
write to Docs.
"""
_PYTHON = {
    "Package": [f"spacy_thematic.{name}" for name in spacy_thematic.__all__[1:]],
    "What components write": [
        "spacy_thematic.pipeline.themes.Theme",
        "spacy_thematic.pipeline.corpus_themes.CorpusTheme",
        "spacy_thematic.pipeline.segments.Segment",
    ],
    "Chunks and hits": [
        "spacy_thematic.chunking.chunker.Chunker",
        "spacy_thematic.chunking.chunker.Chunk",
        "spacy_thematic.scale.search.Hit",
    ],
    "Settings": ["spacy_thematic.segmentation.settings.SegmentSettings"],
    "Views": ["spacy_thematic.report.write_page", "spacy_thematic.report.displacy_options"],
    "scikit-learn": ["spacy_thematic.pipeline.vectorizer.ThematicVectorizer"],
    "Measures": [
        f"spacy_thematic.{module}.{name}"
        for module in ("measures", "boundary_measures")
        for name, value in vars(import_module(f"spacy_thematic.{module}")).items()
        if inspect.isfunction(value) and value.__module__.endswith(module) and name[0] != "_"
    ],
}


def make_reference() -> str:
    """Return the page of the commands, in Markdown."""
    commands = typer.main.get_command(app).commands["thematic"].commands  # type: ignore[attr-defined]
    parts = [_INTRODUCTION]
    for panel in (TEXTS, MODELS):
        parts.append(f"## {panel}\n")
        for name, command in sorted(commands.items()):
            if not command.hidden and command.rich_help_panel == panel:
                shown = typer.Context(
                    command, info_name=f"python -m spacy thematic {name}", terminal_width=100
                )
                parts.append(f"### `{name}`\n\n```text\n{command.get_help(shown)}\n```\n")
    return "\n".join(parts)


def make_python_reference() -> str:
    """Return the page of Python, in Markdown."""
    parts = [_PYTHON_INTRODUCTION]
    for title, paths in _PYTHON.items():
        lines = [line for path in paths for line in _describe(path)]
        parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _describe(path: str) -> Iterator[str]:
    module, _, name = path.rpartition(".")
    found = getattr(import_module(module), name)
    yield f"- `{path}{_sign(found)}`: {_summarize(found)}"
    if inspect.isclass(found):
        own = [cls for cls in reversed(found.__mro__) if cls.__module__.startswith(module[:14])]
        for member in dict.fromkeys(member for cls in own for member in vars(cls)):
            value = getattr(found, member)
            if member[0] != "_" and isinstance(value, property):
                yield f"    - `.{member}`: {_summarize(value)}"
            elif member[0] != "_" and inspect.isroutine(value):
                yield f"    - `.{member}{_sign(value)}`: {_summarize(value)}"


def _sign(found: Any) -> str:
    """The parameters of a function or a class, without their types."""
    signature = inspect.signature(found)
    shown = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in signature.parameters.values()
        if one.name != "self"
    ]
    found = signature.replace(parameters=shown, return_annotation=inspect.Signature.empty)
    return re.sub(r"<(?:factory|function .*? at \w+)>", "...", str(found))


def _summarize(found: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(make_reference(), encoding="utf8")
    PYTHON_PAGE.write_text(make_python_reference(), encoding="utf8")
