"""`thematic search`: sentences, segments or chunks like a question."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from spacy_thematic.cli.app import TEXTS, command
from spacy_thematic.cli.shell import SKIP_BAD, TEXT_COLUMN, clear_errors, msg, say_what_is_missing

if TYPE_CHECKING:
    from spacy_thematic.articles.sources import ReadLog


@command(
    TEXTS,
    'search notes/ "how do I get my travel expenses back"',
    short_help="Find sentences, segments or chunks similar to a question.",
)
def search_cli(
    source: Path = typer.Argument(
        ...,
        help="A store made by embed, or a file or folder of texts",
    ),
    query: str = typer.Argument(..., help="A question, a sentence or a few words"),
    top: int = typer.Option(10, help="Maximum number of results", min=1),
    units: Literal["sentences", "segments", "chunks"] | None = typer.Option(
        None,
        help="What to find; default: what the store holds, or sentences if texts are searched",
    ),
    files: str = typer.Option(
        "*", help='Search only files that match this pattern, such as "*.md"'
    ),
    themes: Path | None = typer.Option(
        None,
        help="Folder of saved themes; the theme of each result is then shown",
    ),
    theme: str | None = typer.Option(
        None, help="With --themes, search only this theme (its name or number)"
    ),
    model: str | None = typer.Option(
        None,
        "--model",
        "-m",
        help="Pipeline with thematic_embedder, or a bundled model; default: the model that made the "
        "store or, for texts, that of --themes or en_thematic_md. en_thematic_sm is faster, but finds fewer answers",
    ),
    text_column: str = TEXT_COLUMN,
    skip_bad: bool = SKIP_BAD,
    json: bool = typer.Option(False, "--json", help="Print a line of JSON for each result"),
):
    """
    Find the sentences, segments or chunks that are most similar to a question.

    With a bundled model, a result with a score below .45 is marked as weak, unless it contains all
    words of the question. The first search in a store builds an index, so later ones are fast.
    """
    import srsly

    from spacy_thematic.progress import show_bar

    with clear_errors():
        from spacy_thematic.scale.search import search  # It needs pyarrow.

        with show_bar(unit=" partitions") as bar:

            def show(log: ReadLog) -> None:
                bar.clear()
                with redirect_stdout(sys.stderr):  # What is found may go to a file.
                    say_what_is_missing(log)

            hits = search(
                source,
                query,
                top,
                model=model,
                files=files,
                themes=themes,
                theme=int(theme) if theme and theme.isdecimal() else theme,
                units=units,
                text_column=text_column,
                skip_bad=skip_bad,
                on_part=bar.update,
                on_embedded=show,
            )
        for hit in hits:
            if json:
                typer.echo(srsly.json_dumps(asdict(hit)))
            else:
                of_theme = f"  {hit.theme}" if hit.theme else ""
                path, _, number = hit.id.rpartition(":")
                place = f"{path}:{hit.line}" if hit.line else f"{path} (text {number})"
                weak = "  (weak)" if hit.is_weak else ""
                typer.echo(f"{hit.score:.2f}  {place}{of_theme}{weak}\n{hit.context}\n")
        if all(hit.is_weak for hit in hits) and not json:
            msg.info("Nothing is much like the question: the texts may not answer it")
