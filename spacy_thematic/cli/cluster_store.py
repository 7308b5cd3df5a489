"""`thematic cluster-store`: the themes of a store of embedded sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import typer

from spacy_thematic.cli.app import TEXTS, command
from spacy_thematic.cli.outputs import claim_outputs
from spacy_thematic.cli.shell import ADDRESS, ENGINE, PROCESSES, SEED, clear_errors, msg


@command(TEXTS, "cluster-store store --out themes")
def cluster_store_cli(
    store: Path = typer.Argument(..., help="Folder that embed made"),
    out: Path = typer.Option(
        ...,
        "--out",
        "-o",
        help="Folder for the themes and the theme of each sentence",
    ),
    k: str = typer.Option("auto", help='Number of themes, or "auto"'),
    max_k: int | None = typer.Option(
        None,
        help='Largest number that "auto" may choose; default: half the number of texts or sentences that are grouped',
        min=1,
    ),
    broader: int | None = typer.Option(
        None,
        help="Number of broader themes to group the themes into; 0 makes none; default: chosen automatically",
        min=0,
    ),
    seed: int = SEED,
    processes: int = PROCESSES,
    engine: Literal["local", "ray"] = ENGINE,
    address: str = ADDRESS,
):
    """
    Find the themes of a store made by the embed command.

    cluster --themes reads the themes from the output folder. Its subfolder "sentences" has the theme
    of each sentence, as Parquet files. Memory use does not grow with the collection.
    """
    from spacy_thematic.cli.theme_tables import (
        print_boilerplate,
        print_sizes,
        warn_of_broader,
        warn_of_most,
    )
    from spacy_thematic.clustering import ThemeSettings
    from spacy_thematic.engines import make_engine
    from spacy_thematic.progress import show_bar

    with clear_errors() as held:
        from spacy_thematic.scale.clustering import cluster_store  # It needs pyarrow.
        from spacy_thematic.scale.store import SentenceStore

        settings: dict[str, Any] = {"k": int(k) if k.isdecimal() else k}
        checked = ThemeSettings(
            **settings,
            max_k=max_k or "auto",
            n_broader="auto" if broader is None else broader,
            seed=seed,
        )
        held.enter_context(claim_outputs([store], folders=[out]))
        opened = SentenceStore.open(store)
        with (
            make_engine(engine, address, processes) as workers,
            show_bar(total=opened.record.n_partitions) as bar,
        ):

            def start_pass(name: str) -> None:
                bar.reset()
                bar.set_description(name)

            found = cluster_store(opened, out, checked, workers, start_pass, bar.update)
        sizes = {theme.number: theme.size for theme in found.themes}
        print_sizes({found.units.capitalize(): sizes}, found.themes)
        if found.units == "sentences":
            n = sum(opened.count_rows())
            if left_out := n - sum(theme.size for theme in found.themes):
                msg.text(f"{left_out} of {n} sentences belong to no theme, number 0 in {out}")
        print_boilerplate(found)
        warn_of_most(found, max_k)
        warn_of_broader(len(found.themes), broader or 0)
        msg.good(f"Saved {out}: give its themes to other texts with cluster --themes")
