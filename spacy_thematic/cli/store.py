"""`thematic embed`, `thematic cluster-store` and `thematic search`: a store of embedded sentences,
segments or chunks, the themes of one, and what in one is like a question."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import typer

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli import shell
from spacy_thematic.cli.app import TEXTS, command
from spacy_thematic.cli.shell import msg


@command(
    TEXTS,
    "embed dump.jsonl --out store",
    short_help="Write the vectors of a large collection to a store.",
)
def embed_cli(
    paths: list[Path] = typer.Argument(
        ...,
        help='Files or folders: plain text, Markdown, reStructuredText, AsciiDoc, Org, wikitext, HTML, subtitles, mail, JSONL (one text or article per line) and Parquet. JSON, CSV and TSV files are read only if you name the file itself, not just its folder. The same goes for PDF, DOCX and the like, which need markitdown, and for LaTeX, ODT and RTF, which need Pandoc. In a table, the column "text" holds the texts. If a CSV, TSV, JSONL or JSON file has no column "text", the column with by far the most words is used. The columns "title" and "date" are optional. Standard input and other pipes cannot be read',
    ),
    out: Path = typer.Option(
        ..., "--out", "-o", help="Folder for the store, which consists of Parquet files"
    ),
    model: str = shell.MODEL,
    units: Literal["sentences", "segments", "chunks"] = typer.Option(
        "sentences", help="What gets a vector"
    ),
    max_tokens: int = typer.Option(256, help="Largest size of a chunk, for --units chunks", min=1),
    overlap: int = typer.Option(
        0,
        help="Start each chunk with up to this many tokens of the text before it, for --units chunks",
        min=0,
    ),
    processes: int = shell.PROCESSES,
    engine: Literal["local", "ray"] = shell.ENGINE,
    address: str = shell.ADDRESS,
    gpu_id: int = shell.GPU,
    partition_size: int = typer.Option(
        16,
        help="The input is cut into parts of about this many MB, and the store has a Parquet file for each part. A smaller number means less repeated work after an interruption",
        min=1,
    ),
    text_column: str = shell.TEXT_COLUMN,
    id_column: str = shell.ID_COLUMN,
    date_column: str = shell.DATE_COLUMN,
    skip_bad: bool = shell.SKIP_BAD,
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

    with shell.clear_errors() as held:
        from spacy_thematic.scale.embedding import embed_files  # It needs pyarrow.

        workers = held.enter_context(make_engine(engine, address, processes, gpu_id))
        bar = held.enter_context(show_bar(desc="Embedding", unit="B", unit_scale=True))

        def start(done: int, total: int) -> None:
            bar.total = total
            bar.update(done)
            shell.restart_rate(bar)
            if done:
                bar.clear()
                msg.info(f"An earlier run did {done / total:.0%}, which is kept")

        def show(log: ReadLog) -> None:
            bar.update(log.total_bytes or 0)
            bar.clear()
            shell.say_what_is_missing(log)

        held.enter_context(shell.claim_outputs([*paths, model], updates=[out]))
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
            id_column=id_column,
            date_column=date_column,
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
    msg.good(f"Made {out}: {shell.count(n_units, units[:-1])} from {shell.count(n_texts, 'text')}")


@command(
    TEXTS,
    "cluster-store store --out themes",
    short_help="Find the themes of a large collection. Run embed first.",
)
def cluster_store_cli(
    store: Path = typer.Argument(..., help="Folder that embed made"),
    out: Path = typer.Option(
        ..., "--out", "-o", help="Folder for the themes and the theme of each sentence"
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
    seed: int = shell.SEED,
    processes: int = shell.PROCESSES,
    engine: Literal["local", "ray"] = shell.ENGINE,
    address: str = shell.ADDRESS,
):
    """
    Find the themes of a large collection, from the vectors that the embed command wrote.

    The output folder has the themes: pass it to the cluster command as --themes. Its subfolder
    "sentences" has the theme of each sentence, as Parquet files. To name the themes, the model that
    made the store reads some sentences of each theme. Memory use does not grow with the
    collection.
    """
    from spacy_thematic.cli import theme_tables
    from spacy_thematic.clustering import ThemeSettings
    from spacy_thematic.engines import make_engine
    from spacy_thematic.progress import show_bar

    with shell.clear_errors() as held:
        from spacy_thematic.scale.clustering import cluster_store  # It needs pyarrow.
        from spacy_thematic.scale.store import SentenceStore

        number: Any = int(k) if k.isdecimal() else k
        settings = ThemeSettings(
            k=number,
            max_k=max_k or "auto",
            n_broader="auto" if broader is None else broader,
            seed=seed,
        )
        held.enter_context(shell.claim_outputs([store], folders=[out]))
        opened = SentenceStore.open(store)
        with (
            make_engine(engine, address, processes) as workers,
            show_bar(total=opened.record.n_partitions) as bar,
        ):

            def start_pass(name: str) -> None:
                bar.reset()
                bar.set_description(name)

            found = cluster_store(opened, out, settings, workers, start_pass, bar.update)
        sizes = {theme.number: theme.size for theme in found.themes}
        theme_tables.print_sizes({found.units.capitalize(): sizes}, found.themes)
        if found.units == "sentences":
            n = sum(opened.count_rows())
            if left_out := n - sum(theme.size for theme in found.themes):
                msg.text(f"{left_out} of {n} sentences belong to no theme, number 0 in {out}")
        theme_tables.print_boilerplate(found)
        theme_tables.warn_of_most(found, max_k)
        theme_tables.warn_of_broader(len(found.themes), broader or 0)
        msg.good(f"Saved {out}: give its themes to other texts with cluster --themes")


@command(
    TEXTS,
    'search notes/ "how do I get my travel expenses back"',
    short_help="Find sentences, segments or chunks similar to a question.",
)
def search_cli(
    source: Path = typer.Argument(
        ...,
        help="A store made by embed, or a file or folder of texts (embed --help lists the formats that can be read)",
    ),
    query: str = typer.Argument(..., help="A question, a sentence or a few words"),
    top: int = typer.Option(10, help="Maximum number of results", min=1),
    units: Literal["sentences", "segments", "chunks"] | None = typer.Option(
        None, help="What to find; default: what the store holds, or sentences if texts are searched"
    ),
    files: str = typer.Option(
        "*", help='Search only files that match this pattern, such as "*.md"'
    ),
    themes: Path | None = typer.Option(
        None, help="Folder of saved themes; the theme of each result is then shown"
    ),
    theme: str | None = typer.Option(
        None, help="With --themes, search only this theme (its name or number)"
    ),
    model: str | None = typer.Option(
        None,
        "--model",
        "-m",
        help="Pipeline with thematic_embedder, or a bundled model. Default for a store: the "
        "model that made it. Default for texts: the model of --themes if you give it, otherwise "
        "en_thematic_md. en_thematic_sm is faster, but finds fewer answers",
    ),
    text_column: str = shell.TEXT_COLUMN,
    id_column: str = shell.ID_COLUMN,
    date_column: str = shell.DATE_COLUMN,
    skip_bad: bool = shell.SKIP_BAD,
    json: bool = typer.Option(False, "--json", help="Print a line of JSON for each result"),
):
    """
    Find the sentences, segments or chunks that are most similar to a question.

    With a bundled model, a result with a score below .45 is marked as weak, unless it contains all
    words of the question. The first search in a store builds an index, so later ones are fast.
    """
    import srsly

    from spacy_thematic.progress import show_bar

    with shell.clear_errors():
        from spacy_thematic.scale.search import search  # It needs pyarrow.

        with show_bar(unit=" partitions") as bar:

            def show(log: ReadLog) -> None:
                bar.clear()
                with redirect_stdout(sys.stderr):  # What is found may go to a file.
                    shell.say_what_is_missing(log)

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
                id_column=id_column,
                date_column=date_column,
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
                about = ", ".join(filter(None, (hit.title, hit.date)))
                place = f"{path}:{hit.line}" if hit.line else f"{path} (text {number}: {about})"
                weak = "  (weak)" if hit.is_weak else ""
                typer.echo(f"{hit.score:.2f}  {place}{of_theme}{weak}\n{hit.context}\n")
        if all(hit.is_weak for hit in hits) and not json:
            msg.info("Nothing is much like the question: the texts may not answer it")
