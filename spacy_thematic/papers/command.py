"""`thematic benchmark`: the paper's tables, made again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from spacy_thematic.cli.app import TRAINING, app
from spacy_thematic.cli.messages import msg

LANG = "en"
BASELINES = {"mean-vectors": "mean vectors", "random": "chance"}
"""Rows that a model should be above, and what they are called in words."""

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from spacy_thematic.papers.sick import Sick
    from spacy_thematic.triplets.rules import CorpusSettings


@app.command(
    "benchmark",
    rich_help_panel=TRAINING,
    short_help="Make the tables of the paper for trained pipelines and other encoders.",
)
def benchmark_cli(
    articles: str = typer.Option(
        "", help="Corpus folder, or a source of articles, all of which are used: for tables 3 and 4"
    ),
    clustering: str = typer.Option(
        "",
        help="Another source for table 4, such as IBM's Sentence Clustering Benchmark (dataset.csv)",
    ),
    sick: str = typer.Option(
        "", help="Folder or .zip of SICK, for tables 5 and 6, and for relatedness in table 3"
    ),
    tables: list[str] = typer.Option(
        ["3", "4", "5", "6"],
        "--table",
        "-t",
        help="Table of the paper: 3, 4, 5 or 6. Repeat for several",
    ),
    models: list[str] = typer.Option(
        [],
        help="Pipeline, or NAME=PIPELINE, beside the bundled models. Repeat for several; the same "
        "name with several pipelines is one row, with a standard error over seeds, which NAME@SEED=PIPELINE "
        "numbers: what was measured of others stays in the tables. Rows called sen, "
        "titles, sen-titles, rand-article, skip-thoughts are shown with the paper's figures and findings; "
        "with findings too those called sen-titles-plain, rand-section, siamese, margin, "
        "margin-cosine, cosine, L2, capped, rand-article-capped, sen-drop-0.8, and all nets of another "
        "size, such as sen-64",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Also measure the bundled models (except en_thematic_lg), or leave them out",
    ),
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="Table of word vectors: adds the rows mean-vectors and sif",
    ),
    peers: list[str] = typer.Option(
        [],
        help="wordllama, or a model of sentence-transformers by folder or name, or NAME=FOLDER. "
        "Repeat for several",
    ),
    sib: bool = typer.Option(
        False, "--sib", help="Add IBM's sequential information bottleneck to table 4"
    ),
    protocol_name: str = typer.Option(
        "paper",
        "--protocol",
        help="How to cluster: paper (Iclust and k-means, vectors not centred), centred (as thematic "
        "evaluate does), or themes (as thematic_clusterer does). Scores of different protocols are "
        "not comparable, and are saved apart",
    ),
    output: Path = typer.Option(
        Path("tables"), "--output", "-o", help="Folder for scores, tables and plots"
    ),
    triplets: int = typer.Option(
        20_000, min=0, help="Triplets to draw for table 3, from all articles; 0 for all"
    ),
    clustering_articles: int = typer.Option(
        0, min=0, help="Articles to draw for table 4; 0 for all that qualify"
    ),
    first: int = typer.Option(
        0, min=0, help="Measure at most so many articles of each row; a later run resumes there"
    ),
    min_sections: int = typer.Option(
        5, min=1, help="Sections that an article needs, where it is a source"
    ),
    seed: int = typer.Option(
        0, min=0, help="Seed of negatives, of what is drawn, and of clustering"
    ),
):
    """
    Make tables 3 to 6 of Ein Dor et al. (2018) for trained pipelines, baselines and other encoders,
    beside the paper's own figures: tables.md, tables.json and plots.

    Scores are saved article by article: run again, the command resumes, and measures again only
    what has changed. The tables show all rows of the folder that were measured on the same articles.
    The last line says which model to use, or that the articles are too few to say it.
    """
    import spacy

    from spacy_thematic.cli.comparison import show_verdict
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.evaluation.comparison import compare_best
    from spacy_thematic.evaluation.protocols import find_protocol
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.papers.benchmark import (
        count_steps,
        list_other_rows,
        measure_row,
        read_scores,
        read_trained,
    )
    from spacy_thematic.papers.plots import check_matplotlib
    from spacy_thematic.papers.protocol import ALL_PROTOCOLS
    from spacy_thematic.papers.results import TableResults
    from spacy_thematic.papers.rows import (
        baseline_rows,
        check_names,
        peer_rows,
        pipeline_rows,
    )
    from spacy_thematic.papers.tables import introduce, write_tables
    from spacy_thematic.papers.tasks import ClusteringTask, DistanceTask, RelatednessTask, Task
    from spacy_thematic.pretrained import list_bundled
    from spacy_thematic.progress import show_bar
    from spacy_thematic.triplets.rules import CorpusSettings

    with clear_errors() as held:
        check_matplotlib()
        if (output / "tables.md").exists() and not (output / "scores").is_dir():
            raise FileExistsError(
                f"{output / 'tables.md'} was not written by this command: name a new folder."
            )
        held.enter_context(
            claim_outputs(
                [articles, clustering, sick, word_vectors],
                files=[output / "tables.md", output / "tables.json"],
                folders=[output / "scores"],
                updates=[output],
            )
        )
        protocol = find_protocol(protocol_name, ALL_PROTOCOLS)
        trained = pipeline_rows(models)
        rows = [
            *baseline_rows(resolve_path(word_vectors) if word_vectors else None, sib, seed),
            *trained,
            *peer_rows(peers),
        ]
        known = list_bundled(LANG, slow=True)
        if bundled:
            given = {row.name for row in rows}
            rows += pipeline_rows(name for name in list_bundled(LANG) if name not in given)
        check_names(rows)
        numbers = _find_possible(tables, articles, clustering, sick)
        nlp = spacy.blank(LANG)
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        with_triplets, with_sections = _read_articles(
            numbers, articles, clustering, nlp, settings, protocol.short_sentences
        )
        pairs = _read_pairs(sick) if {"5", "6"} & set(numbers) else None
        tasks: list[Task] = []
        if "3" in numbers:
            tasks.append(DistanceTask(with_triplets, protocol, triplets, seed))
        if "4" in numbers:
            tasks.append(ClusteringTask(with_sections, protocol, clustering_articles, seed))
        if empty := [task.name for task in tasks if not len(task)]:
            raise ValueError(
                f"{clustering or articles} holds no article that qualifies for {empty[0]}: try a "
                "lower --min-sections, or leave out its table."
            )
        if pairs is not None:
            tasks.append(RelatednessTask(pairs, nlp))
        scores = output / "scores" / protocol.name
        steps = count_steps(rows, tasks, first)
        with show_bar(total=steps, unit=" steps") as bar:
            for row in rows:
                bar.set_description(row.name)
                measure_row(row, tasks, scores, limit=first, on_step=bar.update)
        keys = {task.name: task.key for task in tasks}
        found = read_scores(scores, keys)
        if others := list_other_rows(scores, keys):
            msg.warn(
                f"Left out, as {scores} has their scores on other articles, or other triplets: "
                f"{', '.join(others)}"
            )
        results = TableResults(found, protocol, read_trained(scores))
        sources = {
            "Articles": articles,
            "Articles to cluster": clustering,
            "Word vectors": word_vectors,
        }
        write_tables(output, results, numbers, pairs, introduce(tasks, protocol, sources))
    print((output / "tables.md").read_text("utf8"))
    msg.text(f"Saved {output / 'tables.md'}, {output / 'tables.json'} and plots")
    if comparison := compare_best(results, [row.name for row in trained], known, BASELINES):
        show_verdict(comparison.judge())


def _find_possible(tables: Iterable[str], articles: str, clustering: str, sick: str) -> list[str]:
    """The tables that can be made. Raises ValueError for one that is not of the paper."""
    given = {"3": articles, "4": articles or clustering, "5": sick, "6": sick}
    numbers = sorted(set(tables))
    if unknown := [number for number in numbers if number not in given]:
        raise ValueError(f"There is no table {unknown[0]} to make: choose 3, 4, 5 or 6.")
    missing = [number for number in numbers if not given[number]]
    if missing == numbers:
        raise ValueError("Nothing to measure on: give --articles for tables 3, 4, --sick for 5, 6.")
    if missing:
        msg.warn(f"No table {' and '.join(missing)}: it needs --articles (3, 4) or --sick (5, 6).")
    return [number for number in numbers if number not in missing]


def _read_articles(
    numbers: list[str],
    articles: str,
    clustering: str,
    nlp: Language,
    settings: CorpusSettings,
    short_sentences: bool,
) -> tuple[list[Doc], list[Doc]]:
    """The Docs with triplets and those to cluster, as far as tables need them."""
    from collections import Counter

    from spacy_thematic.cli.comparison import show_dropped
    from spacy_thematic.cli.shell import reading_bar
    from spacy_thematic.evaluation.heldout import iter_clustering_docs, load_heldout
    from spacy_thematic.packages import resolve_path

    with_triplets: list[Doc] = []
    with_sections: list[Doc] = []
    if articles and {"3", "4"} & set(numbers):
        counts: Counter[str] = Counter()
        with reading_bar() as (log, on_article):
            with_triplets, with_sections = load_heldout(
                resolve_path(articles),
                nlp,
                settings,
                log=log,
                on_article=on_article,
                short_sentences=short_sentences,
                counts=counts,
            )
        show_dropped(log, counts, settings.min_sections)
    if clustering and "4" in numbers:
        with_sections = []
        with reading_bar() as (log, on_article):
            for doc in iter_clustering_docs(
                resolve_path(clustering), nlp, log=log, short_sentences=short_sentences
            ):
                with_sections.append(doc)
                on_article()
    return with_triplets, with_sections


def _read_pairs(sick: str) -> Sick:
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.papers.sick import read_sick

    pairs = read_sick(resolve_path(sick))
    if problems := pairs.unexpected_sizes():
        msg.warn(f"{sick} is not SICK as released ({'; '.join(problems)})")
    return pairs
