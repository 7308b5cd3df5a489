"""`thematic embed`: from texts to a store of embedded sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from spacy_thematic.cli.app import TEXTS, command
from spacy_thematic.cli.outputs import claim_outputs
from spacy_thematic.cli.shell import (
    ADDRESS,
    ENGINE,
    GPU,
    MODEL,
    PROCESSES,
    SKIP_BAD,
    TEXT_COLUMN,
    clear_errors,
    count,
    msg,
    restart_rate,
    say_what_is_missing,
)

if TYPE_CHECKING:
    from spacy_thematic.articles.sources import ReadLog


@command(
    TEXTS,
    "embed dump.jsonl --out store",
    short_help="Write the vectors of a large collection to a store.",
)
def embed_cli(
    paths: list[Path] = typer.Argument(
        ...,
        help="Files or folders: plain text, Markdown, reStructuredText, AsciiDoc, Org, wikitext, HTML, subtitles, mail, JSONL (one text or article per line) and Parquet. JSON, CSV, TSV and, if markitdown is installed, PDF, DOCX and the like are read only if you name the file itself, not just its folder. A table needs a column text; the column title is optional. Standard input and other pipes cannot be read",
    ),
    out: Path = typer.Option(
        ..., "--out", "-o", help="Folder for the store, which consists of Parquet files"
    ),
    model: str = MODEL,
    units: Literal["sentences", "segments", "chunks"] = typer.Option(
        "sentences", help="What gets a vector"
    ),
    max_tokens: int = typer.Option(256, help="Largest size of a chunk, for --units chunks", min=1),
    overlap: int = typer.Option(
        0,
        help="Maximum number of tokens to repeat from the sentences before a chunk, for --units chunks",
        min=0,
    ),
    processes: int = PROCESSES,
    engine: Literal["local", "ray"] = ENGINE,
    address: str = ADDRESS,
    gpu_id: int = GPU,
    partition_size: int = typer.Option(16, help="Size of a partition, in MB of input", min=1),
    text_column: str = TEXT_COLUMN,
    skip_bad: bool = SKIP_BAD,
):
    """
    Write the vectors of the sentences, segments or chunks of a large collection to a store.

    The store is a folder with the vector, text and position of each sentence, segment or chunk, for
    cluster-store, search and other tools. Memory use does not grow with the input. To resume after
    an interruption, or to update the store when texts have been changed, added or removed, run the
    same command again.
    """
    from spacy_thematic.engines import make_engine
    from spacy_thematic.progress import show_bar

    with clear_errors() as held:
        from spacy_thematic.scale.embedding import embed_files  # It needs pyarrow.

        workers = held.enter_context(make_engine(engine, address, processes, gpu_id))
        bar = held.enter_context(show_bar(desc="Embedding", unit="B", unit_scale=True))

        def start(done: int, total: int) -> None:
            bar.total = total
            bar.update(done)
            restart_rate(bar)
            if done:
                bar.clear()
                msg.info(f"An earlier run did {done / total:.0%}, which is kept")

        def show(log: ReadLog) -> None:
            bar.update(log.total_bytes or 0)
            bar.clear()
            say_what_is_missing(log)

        held.enter_context(claim_outputs([*paths, model], updates=[out]))
        store = embed_files(
            paths,
            out,
            workers,
            model,
            partition_bytes=partition_size * 1_000_000,
            units=units,
            max_tokens=max_tokens,
            overlap=overlap,
            text_column=text_column,
            skip_bad=skip_bad,
            on_start=start,
            on_partition=show,
        )
        n_units = sum(store.count_rows())
        n_texts, skipped = (sum(store.count(what)) for what in ("texts", "skipped"))
    if skipped:
        msg.warn(f"{skipped:,} could not be read")
    if not n_units:
        msg.warn("There is no text to embed")
    msg.good(f"Made {out}: {count(n_units, units[:-1])} from {count(n_texts, 'text')}")
