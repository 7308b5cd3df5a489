"""`thematic segment-store`: the segments of a store of embedded sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import typer

from spacy_thematic.cli.app import TEXTS, app
from spacy_thematic.cli.messages import count, msg
from spacy_thematic.cli.options import ADDRESS, ENGINE, PROCESSES, as_place


@app.command(
    "segment-store",
    epilog="Example: python -m spacy thematic segment-store store --out segments",
    rich_help_panel=TEXTS,
)
def segment_store_cli(
    store: Path = typer.Argument(..., help="Folder that embed made", parser=as_place),
    out: Path = typer.Option(..., "--out", "-o", help="Folder to write", parser=as_place),
    min_size: int = typer.Option(1, "--min-size", help="Smallest size of a segment", min=0),
    max_size: int | None = typer.Option(
        None, "--max-size", help="Largest size of a segment; default: no limit", min=1
    ),
    unit: Literal["sentences", "tokens", "characters"] = typer.Option(
        "sentences", "--unit", help="What sizes are counted in"
    ),
    levels: int = typer.Option(
        1, "--levels", help="Levels of segments: 2 finds segments within segments", min=1
    ),
    processes: int = PROCESSES,
    engine: Literal["local", "ray"] = ENGINE,
    address: str = ADDRESS,
):
    """
    Cut the texts of a large collection into segments.

    Each text is cut where its theme changes. The output folder has Parquet files with a row for each
    segment: its text, its position, and its heading, label and keywords. The same command resumes after an
    interruption.
    """
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.engines import make_engine
    from spacy_thematic.progress import show_bar
    from spacy_thematic.segmentation.settings import SegmentSettings

    with clear_errors() as held:
        from spacy_thematic.scale.segmenting import segment_store  # It needs pyarrow.
        from spacy_thematic.scale.store import SentenceStore

        sizes: dict[str, Any] = {"min_size": min_size, "max_size": max_size, "unit": unit}
        settings = SegmentSettings(**sizes, levels=levels)
        held.enter_context(claim_outputs([store], folders=[out]))
        opened = SentenceStore.open(store)
        with (
            make_engine(engine, address, processes) as workers,
            show_bar(total=opened.record.n_partitions) as bar,
        ):
            n = segment_store(opened, out, settings, workers, bar.update)
        msg.good(f"Saved {out}: {count(n, 'segment')}")
