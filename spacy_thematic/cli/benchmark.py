"""`thematic benchmark`: the paper's tables, made again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from wasabi import msg

from spacy_thematic.cli.app import app

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from spacy_thematic.evaluation.benchmark import Row, Task
    from spacy_thematic.evaluation.encoders import EncoderFactory
    from spacy_thematic.evaluation.tables import Results

TABLES = ("3", "4", "5", "6")


@app.command("benchmark")
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
    table: list[str] = typer.Option(
        list(TABLES), "--table", "-t", help="Table of the paper: 3, 4, 5 or 6. Repeat for several"
    ),
    models: list[str] = typer.Option(
        ["en_thematic_sm", "en_thematic_md"],
        help="Bundled model, pipeline, or NAME=PIPELINE. Repeat for several; the same name with "
        "several pipelines is one row, with a standard error over seeds. Beside rows called sen, "
        "titles, sen-titles, rand-article, skip-thoughts stand the paper's figures, and its "
        "findings are looked for",
    ),
    vectors: str = typer.Option(
        "", help="Word vectors, as for thematic vectors: adds the rows mean-vectors and sif"
    ),
    peers: list[str] = typer.Option(
        [],
        help="wordllama, or a model of sentence-transformers by folder or name, or NAME=FOLDER. "
        "Repeat for several",
    ),
    sib: bool = typer.Option(
        False, "--sib", help="Add IBM's sequential information bottleneck to table 4"
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
        0, min=0, help="Measure no more than so many articles of each row; a later run goes on"
    ),
    min_sections: int = typer.Option(
        5, min=1, help="Sections that an article needs, where it is a source"
    ),
    seed: int = typer.Option(0, help="Seed of negatives, of what is drawn, and of clustering"),
):
    """
    Tables 3 to 6 of Ein Dor et al. (2018) for trained pipelines, baselines and other encoders,
    beside the paper's own figures: tables.md, tables.json and plots.

    Scores are saved article by article: run again, it goes on, and measures anew what has changed.
    All rows of the folder that were measured on the same articles are in the tables.
    """
    import spacy
    from tqdm import tqdm

    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.evaluation.benchmark import measure, read_scores
    from spacy_thematic.evaluation.plots import check_matplotlib
    from spacy_thematic.evaluation.tables import Results

    scores = output / "scores"
    with clear_errors():
        check_matplotlib()
        if (output / "tables.md").exists() and not scores.is_dir():
            raise FileExistsError(
                f"{output / 'tables.md'} is not of this command: name a new folder."
            )
        rows = [*_baselines(vectors, sib, seed), *_models(models), *_peers(peers)]
        _check_names([row.name for row in rows])
        nlp = spacy.blank("en")
        numbers = _check_tables(table, articles, clustering, sick)
        tasks = _make_tasks(
            numbers, articles, clustering, sick, nlp, triplets, clustering_articles, min_sections,
            seed,
        )  # fmt: skip
        steps = sum(
            len(row.load) * min(first or len(task), len(task))
            for row in rows
            for task in tasks
            if task.name in row.tasks
        )
        with tqdm(total=steps, unit=" steps", disable=None, leave=False) as bar:
            for row in rows:
                bar.set_description(row.name)
                measure(row, tasks, scores, first=first, on_step=bar.update)
        results = Results(read_scores(scores, {task.name: task.key for task in tasks}))
        _write(output, results, numbers, tasks, _describe(tasks, articles, clustering, vectors))
    print((output / "tables.md").read_text("utf8"))
    msg.good(f"Saved {output / 'tables.md'}, {output / 'tables.json'} and plots")


def _check_tables(tables: Iterable[str], articles: str, clustering: str, sick: str) -> list[str]:
    """The tables that can be made. Raises ValueError for one that is not of the paper."""
    given = {"3": articles, "4": articles or clustering, "5": sick, "6": sick}
    numbers = sorted(set(tables))
    if unknown := [number for number in numbers if number not in TABLES]:
        raise ValueError(f"There is no table {unknown[0]} to make: choose 3, 4, 5 or 6.")
    missing = [number for number in numbers if not given[number]]
    if missing == numbers:
        raise ValueError("Nothing to measure on: give --articles for tables 3, 4, --sick for 5, 6.")
    if missing:
        msg.warn(f"No table {' and '.join(missing)}: it needs --articles (3, 4) or --sick (5, 6).")
    return [number for number in numbers if number not in missing]


def _check_names(names: list[str]) -> None:
    """Raise ValueError for two rows of one name, and for a name that cannot be a folder's."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'Two rows are called "{name}": give one another name, NAME=PATH.')
        if not name or set(name) & set('/\\:*?"<>|') or name.startswith("."):
            raise ValueError(f'A row cannot be called "{name}": choose NAME=PATH, plain letters.')


def _make_tasks(
    numbers: list[str],
    articles: str,
    clustering: str,
    sick: str,
    nlp: Language,
    n_triplets: int,
    n_articles: int,
    min_sections: int,
    seed: int,
) -> list[Task]:
    from spacy_thematic.cli.shell import reading_bar
    from spacy_thematic.evaluation.benchmark import ClusteringTask, DistanceTask, RelatednessTask
    from spacy_thematic.evaluation.heldout import iter_clustering_docs, load_heldout
    from spacy_thematic.evaluation.relatedness import read_sick
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets.rules import CorpusSettings

    with_triplets: list[Doc] = []
    with_sections: list[Doc] = []
    if articles and ({"3", "4"} & set(numbers)):
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        with reading_bar() as (log, on_article):
            with_triplets, with_sections = load_heldout(
                resolve_path(articles), nlp, settings, log=log, on_article=on_article
            )
    if clustering and "4" in numbers:
        with reading_bar() as (log, on_article):
            with_sections = []
            for doc in iter_clustering_docs(resolve_path(clustering), nlp, log=log):
                with_sections.append(doc)
                on_article()
    tasks: list[Task] = []
    if "3" in numbers:
        tasks.append(DistanceTask(with_triplets, n_triplets, seed))
    if "4" in numbers:
        tasks.append(ClusteringTask(with_sections, n_articles, seed))
    if empty := [task.name for task in tasks if not len(task)]:
        raise ValueError(
            f"{clustering or articles} holds no article that qualifies for {empty[0]}: try a lower "
            "--min-sections, or leave out its table."
        )
    if {"5", "6"} & set(numbers):
        pairs = read_sick(resolve_path(sick))
        if problems := pairs.unexpected_sizes():
            msg.warn(f"{sick} is not SICK as released ({'; '.join(problems)})")
        tasks.append(RelatednessTask(pairs, nlp))
    return tasks


def _baselines(vectors: str, sib: bool, seed: int) -> list[Row]:
    from spacy_thematic.evaluation.baselines.information_bottleneck import create_sib
    from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
    from spacy_thematic.evaluation.baselines.terms import term_counts, tfidf_vectors
    from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors, sif_vectors
    from spacy_thematic.evaluation.benchmark import CLUSTERING, DISTANCE, SIB, Row
    from spacy_thematic.evaluation.encoders import pretrained
    from spacy_thematic.models.vector_tables import load_word_vectors
    from spacy_thematic.packages import resolve_path

    rows = [
        Row("random", [lambda: pretrained(random_vectors(seed))]),
        Row("tf-idf", [lambda: tfidf_vectors], (DISTANCE, CLUSTERING)),
    ]
    if vectors:
        vocab = load_word_vectors(resolve_path(vectors))
        rows.append(Row("mean-vectors", [lambda: pretrained(mean_vectors(vocab))]))
        rows.append(Row("sif", [lambda: partial(sif_vectors, vocab)]))
    if sib:
        clusterers = {SIB: create_sib()}
        rows.append(Row("sib", [lambda: pretrained(term_counts)], (CLUSTERING,), clusterers))
    return rows


def _models(names: Iterable[str]) -> list[Row]:
    from spacy_thematic.evaluation.benchmark import Row
    from spacy_thematic.pretrained import find_path

    paths: dict[str, list[str]] = {}
    for given in names:
        name, path = _split_name(given)
        find_path(path)
        paths.setdefault(name, []).append(path)
    return [Row(name, [partial(_load_model, path) for path in paths[name]]) for name in paths]


def _load_model(path: str) -> EncoderFactory:
    from spacy_thematic.evaluation.encoders import pretrained, thematic_embedder
    from spacy_thematic.pipeline.loading import load_pipeline

    return pretrained(thematic_embedder(load_pipeline(path)))


def _peers(names: Iterable[str]) -> list[Row]:
    from spacy_thematic.evaluation.benchmark import Row

    return [Row(name, [partial(_load_peer, path)]) for name, path in map(_split_name, names)]


def _load_peer(path: str) -> EncoderFactory:
    from spacy_thematic.evaluation.baselines.peers import load_peer
    from spacy_thematic.evaluation.encoders import pretrained, text_encoder

    return pretrained(text_encoder(load_peer(path)))


def _split_name(given: str) -> tuple[str, str]:
    """The name and the path of NAME=PATH, or of a path, whose last part is the name."""
    name, found, path = given.partition("=")
    return (name, path) if found else (Path(given).name, given)


def _describe(tasks: Iterable[Task], articles: str, clustering: str, vectors: str) -> str:
    from spacy_thematic.evaluation.benchmark import ClusteringTask, DistanceTask, RelatednessTask

    lines = []
    for task in tasks:
        if isinstance(task, DistanceTask):
            lines.append(f"{task.n_triplets:,} triplets of {len(task):,} articles of {articles}.")
        elif isinstance(task, ClusteringTask):
            lines.append(
                f"Clustering of {len(task):,} articles of {clustering or articles}, "
                f"{task.n_sentences:,} sentences, into as many clusters as they have sections, "
                "vectors not centred."
            )
        elif isinstance(task, RelatednessTask):
            sizes = ", ".join(f"{len(task.splits[s]):,} {s}" for s in task.splits)
            lines.append(f"SICK: {sizes} pairs.")
    if vectors:
        lines.append(f"Word vectors of mean-vectors and sif: {vectors}.")
    lines.append(
        "In parentheses 95 per cent intervals by bootstrap over articles (SICK: over pairs); after "
        "± the standard error over seeds of training. Rows measured on fewer articles say so."
    )
    return " ".join(lines)


def _write(
    output: Path, results: Results, numbers: list[str], tasks: list[Task], description: str
) -> None:
    from spacy_thematic.evaluation.benchmark import RelatednessTask
    from spacy_thematic.evaluation.tables import make_tables, plot_tables, to_json, to_markdown
    from spacy_thematic.files import write_bytes, write_json

    pairs: list[Any] = []
    for task in tasks:
        if isinstance(task, RelatednessTask):
            pairs = task.splits["test"]
    made = make_tables(results, numbers, pairs)
    write_bytes(output / "tables.md", to_markdown(made, description).encode())
    write_json(output / "tables.json", {"data": description, **to_json(made)})
    for name, svg in plot_tables(results).items():
        write_bytes(output / f"{name}.svg", svg.encode())
