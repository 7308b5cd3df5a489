"""Measure encoders as Ein Dor et al. (2018) do, and make their tables 3 to 6.

    python scripts/measure.py OUT --articles ARTICLES --sick SICK.zip --models mine=model-best

Scores are appended below OUT/scores, a line an article: an interrupted run resumes, and a second
one measures only what is new. The tables show all rows of OUT that were measured on the same
articles, among them those of `--models` that are no more.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc, Span
from tqdm import tqdm

import baselines
import gru_encoder  # noqa: F401
import tables
from claims import EXAMPLES, ICLUST, ICLUST_RELATEDNESS
from sick import Pair, find_unexpected_sizes, read_sick
from spacy_thematic.articles.formats import find_format, read_articles
from spacy_thematic.articles.sources import ReadLog, resolve_source
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation import encoders
from spacy_thematic.evaluation.evaluate import load_heldout
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.losses.targets import distance
from spacy_thematic.measures import METRICS, clustering_agreement
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.packages import resolve_path
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import find_path, list_bundled
from spacy_thematic.triplets import docbin
from spacy_thematic.triplets.rules import CorpusSettings, is_sentence_length
from spacy_thematic.triplets.sentences import Sentence
from tables import CLUSTERING, DISTANCE, RELATEDNESS

STARTS = 20
CLUSTERERS: dict[str, Clusterer] = {
    # As many starts again are near the best of the first.
    ICLUST: create_iclust(n_init=STARTS // 2, centre=False),
    "kmeans": create_kmeans(n_init=STARTS, centre=False),
    "kmeans_cosines": partial(baselines.kmeans_of_cosines, n_init=STARTS),
    "kmedians": partial(baselines.kmedians, n_init=STARTS),
}
PROBE_WIDTH = 8
TEXTS_PER_DOC = 256


class Row(NamedTuple):
    """A row of the tables, or one seed of its training: the folder of its scores, what makes its
    encoder for some articles, the tasks that it is measured on, and what `tables.describe_pipeline`
    returns."""

    name: str
    load: Callable[[Sequence["Article"]], encoders.Encoder]
    seed: int = 0
    tasks: Sequence[str] = (DISTANCE, CLUSTERING, RELATEDNESS)
    trained: dict[str, Any] | None = None


class Article(NamedTuple):
    """A Doc, its spans to encode, and what these are measured against: triplets, (n, 3), sections,
    (spans,), or the pairs of SICK's splits."""

    doc: Doc
    spans: Sequence[Span]
    truth: Any

    def encode(self, encoder: encoders.Encoder) -> np.ndarray:
        return encoder(self.doc, self.spans)


class Task(NamedTuple):
    """What rows are measured on. The key tells the articles; the description says it in words."""

    name: str
    articles: list[Article]
    key: str
    description: str


def make_distance_task(docs: Sequence[Doc], n_triplets: int = 0, seed: int = 0) -> Task:
    """The thematic distance comparison (Table 3), on triplets drawn from those of all articles; 0
    for all."""
    rng = np.random.default_rng(seed)
    counts = [len(docbin.get_triplets(doc)) for doc in docs]
    chosen = np.arange(sum(counts))
    if n_triplets and n_triplets < len(chosen):
        chosen = np.sort(rng.choice(chosen, n_triplets, replace=False))
    ends = np.cumsum(counts)
    articles = []
    for doc, start, end in zip(docs, ends - counts, ends):
        some = chosen[(chosen >= start) & (chosen < end)] - start
        if len(some):
            used, triplets = np.unique(
                np.asarray(docbin.get_triplets(doc))[some], return_inverse=True
            )
            rows = docbin.get_rows(doc)
            articles.append(Article(doc, [rows[i] for i in used], triplets.reshape(-1, 3)))
    articles = [articles[i] for i in rng.permutation(len(articles))]
    key = _digest([[spans[0].text, len(spans), rows.tolist()] for _, spans, rows in articles])
    return Task(DISTANCE, articles, key, f"{len(chosen):,} triplets of {len(articles):,} articles.")


def make_clustering_task(
    docs: Sequence[Doc], seed: int = 0, is_kept: Callable[[int], bool] = is_sentence_length
) -> Task:
    """The clustering benchmark (Table 4), on sentences of the lengths that are kept."""
    docs = [docs[i] for i in np.random.default_rng(seed).permutation(len(docs))]
    articles = []
    for doc in docs:
        if spans := [span for span in doc.spans[docbin.SENTENCES] if is_kept(len(span))]:
            articles.append(Article(doc, spans, [span.id for span in spans]))
    lengths = [len(span) for article in articles for span in article.spans]
    return Task(
        CLUSTERING,
        articles,
        _digest([[article.spans[0].text, article.truth] for article in articles]),
        f"Clustering of {len(articles):,} articles, {len(lengths):,} sentences "
        f"({len(lengths) / max(1, len(articles)):.1f} an article, of {min(lengths, default=0)} to "
        f"{max(lengths, default=0)} tokens).",
    )


def make_relatedness_task(pairs: dict[str, list[Pair]], nlp: Language) -> Task:
    """The relatedness of SICK's pairs (Table 5): one article of all sentences."""
    flat = [pair for split in pairs.values() for pair in split]
    texts = sorted({text for pair in flat for text in (pair.first, pair.second)})
    parts = [nlp.make_doc(text) for text in texts]
    ends = np.cumsum([len(part) for part in parts]).tolist()
    doc = Doc.from_docs(parts)
    rows = {text: row for row, text in enumerate(texts)}
    truth = {
        split: (
            [rows[pair.first] for pair in some],
            [rows[pair.second] for pair in some],
            np.array([pair.score for pair in some]),
        )
        for split, some in pairs.items()
    }
    sizes = ", ".join(f"{len(some):,} {split}" for split, some in pairs.items())
    key = _digest([[pair.number, pair.first, pair.second, pair.score] for pair in flat])
    spans = [doc[first:end] for first, end in zip([0, *ends], ends)]
    return Task(RELATEDNESS, [Article(doc, spans, truth)], key, f"SICK: {sizes} pairs.")


class Scorer:
    """Scores the articles of a row. The seed is of clustering; the task is what its regression of
    relatedness is learned from, None without."""

    def __init__(self, row: Row, seed: int, relatedness: Task | None):
        self.row, self.seed, self._relatedness = row, seed, relatedness

    @cached_property
    def _pairs(self) -> dict[str, baselines.EncodedPairs]:
        assert self._relatedness is not None
        (article,) = self._relatedness.articles
        encoder = self.row.load(self._relatedness.articles)
        vectors = np.concatenate(
            [
                encoder(article.doc, article.spans[start : start + TEXTS_PER_DOC])
                for start in range(0, len(article.spans), TEXTS_PER_DOC)
            ]
        )
        return {
            split: baselines.EncodedPairs(vectors[first], vectors[second], scores)
            for split, (first, second, scores) in article.truth.items()
        }

    @cached_property
    def _regression(self) -> baselines.RelatednessRegression:
        return baselines.RelatednessRegression(self._pairs["train"], self._pairs["trial"])

    def list_measures(self, task: str) -> set[str]:
        """Keys of a task's records."""
        if task == RELATEDNESS:
            return {"predicted"}
        if task == DISTANCE:
            return {*METRICS, *([RELATEDNESS] if self._relatedness else [])}
        return {*CLUSTERERS, *([ICLUST_RELATEDNESS] if self._relatedness else [])}

    def score(self, task: str, article: Article, encoder: encoders.Encoder) -> dict[str, Any]:
        """The record of an article."""
        if task == RELATEDNESS:
            test = self._pairs["test"]
            predicted = self._regression.predict(test.first, test.second)
            return {"predicted": np.round(predicted, 4).tolist(), "scores": test.scores.tolist()}
        start = time.process_time()
        vectors = article.encode(encoder)
        seconds = round(time.process_time() - start, 5)
        record = {"sentences": len(article.spans), "seconds": seconds}
        score = self._score_triplets if task == DISTANCE else self._score_clusters
        return record | score(vectors, article.truth)

    def _score_triplets(self, vectors: np.ndarray, triplets: np.ndarray) -> dict[str, Any]:
        anchor, positive, negative = vectors[triplets.T]
        record: dict[str, Any] = {"triplets": len(triplets)}
        for metric in METRICS:
            near, far = (distance(metric, anchor, rows)[0] for rows in (positive, negative))
            record[metric] = count_nearer(near, far)
        if self._relatedness:
            near, far = (self._regression.predict(anchor, rows) for rows in (positive, negative))
            record[RELATEDNESS] = count_nearer(far, near)
        return record

    def _score_clusters(self, vectors: np.ndarray, sections: list[int]) -> dict[str, Any]:
        k = len(set(sections))
        labels = {
            name: clusterer(vectors, min(k, len(vectors)), self.seed)
            for name, clusterer in CLUSTERERS.items()
        }
        if self._relatedness:
            similarities = self._regression.predict_all(vectors)
            labels[ICLUST_RELATEDNESS] = baselines.iclust_of_similarities(
                similarities, k, self.seed
            )
        return {
            "sections": k,
            **{name: clustering_agreement(found, sections) for name, found in labels.items()},
        }


def count_nearer(near: np.ndarray, far: np.ndarray) -> float:
    """How many distances are less than their others; a tie counts half."""
    return float((near < far).sum() + (near == far).sum() / 2)


def measure_row(row: Row, tasks: Sequence[Task], folder: Path, seed: int = 0) -> None:
    """Measure a row on its tasks, and save the records below a folder."""
    tasks = [task for task in tasks if task.name in row.tasks]
    if row.trained is not None:
        write_json(folder / row.name / f"trained-{row.seed}.json", row.trained)
    relatedness = next((task for task in tasks if task.name == RELATEDNESS), None)
    scorer = Scorer(row, seed, relatedness)
    for task in tasks:
        encoder = row.load(task.articles)
        path = folder / row.name / f"{task.name}-{row.seed}.jsonl"
        done = _open_records(path, task, encoder, scorer.list_measures(task.name))
        with path.open("a", encoding="utf8") as file:
            for article in task.articles[done:]:
                file.write(json.dumps(scorer.score(task.name, article, encoder)) + "\n")
                file.flush()


def _open_records(path: Path, task: Task, encoder: encoders.Encoder, measures: set[str]) -> int:
    """How many records of this task and encoder hold the measures; others are dropped."""
    doc, spans, _ = task.articles[0]
    vector = encoder(doc, spans[:TEXTS_PER_DOC])[0]
    # From all over the vector: a part of it may be that of a smaller model.
    probe = vector[np.linspace(0, len(vector) - 1, PROBE_WIDTH).astype(int)].tolist()
    head, records = tables.read_records(path)
    same = head.get("key") == task.key and len(head["probe"]) == len(probe)
    if not same or not np.allclose(head["probe"], probe, rtol=1e-2, atol=1e-4):
        head, records = {"key": task.key, "articles": len(task.articles), "probe": probe}, []
    records = list(takewhile(measures.issubset, records))
    # Written again, for an interrupted run may have left half a record.
    write_bytes(path, "".join(json.dumps(line) + "\n" for line in (head, *records)).encode())
    return len(records)


def _digest(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


def _fix(encoder: encoders.Encoder) -> Callable[[Sequence[Article]], encoders.Encoder]:
    """The same encoder for all articles."""
    return lambda articles: encoder


def _of_articles(
    make: Callable[..., encoders.Encoder], *args: Any
) -> Callable[..., encoders.Encoder]:
    """An encoder that takes its word frequencies from the articles."""
    return lambda articles: make(*args, [(article.doc, article.spans) for article in articles])


def list_baselines(word_vectors: str, seed: int) -> Iterator[Row]:
    """Random vectors and TF-IDF; means of word vectors and SIF."""
    yield Row("random", _fix(encoders.random_vectors(seed)))
    yield Row("tf-idf", _of_articles(baselines.tfidf_vectors), tasks=(DISTANCE, CLUSTERING))
    if word_vectors:
        vocab = load_word_vectors(resolve_path(word_vectors))
        yield Row("mean-vectors", _fix(encoders.mean_vectors(vocab)))
        yield Row("sif", _of_articles(baselines.sif_vectors, vocab))


def list_pipelines(names: Sequence[str]) -> Iterator[Row]:
    """A row for each PIPELINE, NAME=PIPELINE or NAME@SEED=PIPELINE; those of one name are seeds of
    one row, numbered from 0 if no number is given."""
    seen: set[tuple[str, int]] = set()
    for given in names:
        name, pipeline = _split(given)
        name, found, number = name.rpartition("@") if "@" in name else (name, "", "")
        seed = int(number) if found else sum(name == other for other, _ in seen)
        if (name, seed) in seen:
            raise ValueError(f'Two pipelines are seed {seed} of "{name}": number them, NAME@SEED=.')
        seen.add((name, seed))
        find_path(pipeline)  # Raises an error before anything is read.
        yield Row(
            name,
            lambda articles, pipeline=pipeline: encoders.pipeline_encoder(load_pipeline(pipeline)),
            seed,
            trained=tables.describe_pipeline(pipeline),
        )


def _split(given: str) -> tuple[str, str]:
    """The name and the path of NAME=PATH, or of a path, whose last part is the name."""
    name, found, path = given.partition("=")
    name, path = (name, path) if found else (Path(given).name, given)
    if not name or not path or set(name) & set('/\\:*?"<>|'):
        raise ValueError(f"Expected NAME=PATH, or a path, found {given!r}.")
    return name, path


def main(
    out: Path = typer.Argument(..., help="Folder for scores and tables"),
    articles: str = typer.Option("", help="Corpus folder, or source of articles: tables 3 and 4"),
    clustering: str = typer.Option("", help="Another source for table 4, such as dataset.csv"),
    sick: str = typer.Option("", help="Folder or .zip of SICK: tables 5 and 6"),
    models: list[str] = typer.Option([], help="PIPELINE, NAME=PIPELINE or NAME@SEED=PIPELINE"),
    bundled: bool = typer.Option(True, help="Measure the bundled models (not en_thematic_lg)"),
    word_vectors: str = typer.Option("", "--vectors", help="Adds the rows mean-vectors and sif"),
    triplets: int = typer.Option(20_000, min=0, help="To draw for table 3, 0 for all"),
    min_sections: int = typer.Option(5, min=1, help="Of an article, where it is a source"),
    seed: int = typer.Option(0, min=0, help="Of what is drawn, and of clustering"),
) -> None:
    """
    Make tables 3 to 6 of Ein Dor et al. (2018), beside the paper's figures: tables.md, tables.json.
    """
    with clear_errors():
        rows = [*list_baselines(word_vectors, seed), *list_pipelines(models)]
        given = {row.name for row in rows}
        rows += list_pipelines([n for n in list_bundled("en") if bundled and n not in given])
        nlp = spacy.blank("en")
        tasks = list(_make_tasks(articles, clustering, sick, nlp, triplets, min_sections, seed))
        scores = out / tables.SCORES
        for row in tqdm(rows, unit=" rows", disable=None):
            measure_row(row, tasks, scores, seed)
        sources = {"Articles": articles, "Articles to cluster": clustering}
        sources["Word vectors"] = word_vectors
        introduction = " ".join(
            [
                *(task.description for task in tasks),
                *(f"{name}: {source}." for name, source in sources.items() if source),
                tables.INTRODUCTION,
            ]
        )
        keys = {task.name: task.key for task in tasks}
        pairs = read_sick(resolve_path(sick))["test"] if sick else []
        examples = {
            pair.number: place for place, pair in enumerate(pairs) if pair.number in EXAMPLES
        }
        about = {"keys": keys, "data": introduction, "examples": examples}
        write_json(scores / tables.TASKS, about)
        tables.write_tables(out, tables.Results(scores, keys), pairs, introduction)
        print((out / "tables.md").read_text("utf8"))


def _read_released(path: Path, nlp: Language) -> list[Doc]:
    """IBM's released benchmark as it is: its sentences are not split again, and no rule is
    applied."""
    docs = []
    for article in read_articles(path):
        sentences = [
            Sentence.read(nlp.make_doc(text), number, 0)
            for number, section in enumerate(article.sections)
            for text in section.paragraphs
        ]
        docs.append(
            docbin.make_article_doc(
                article, sentences, [], [], kind="none", seed=0, vocab=nlp.vocab
            )
        )
    return docs


def _make_tasks(
    articles: str,
    clustering: str,
    sick: str,
    nlp: Language,
    n_triplets: int,
    min_sections: int,
    seed: int,
) -> Iterator[Task]:
    if not (articles or clustering or sick):
        raise ValueError("Nothing to measure on: give --articles, --clustering or --sick.")
    docs: list[Doc] = []
    if articles:
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        with_triplets, docs = load_heldout(resolve_path(articles), nlp, settings, log=ReadLog())
        if not with_triplets:
            raise ValueError(f"{articles} holds no article with triplets: lower --min-sections.")
        yield make_distance_task(with_triplets, n_triplets, seed)
    is_kept: Callable[[int], bool] = is_sentence_length
    if clustering:
        path = resolve_path(clustering)
        if not path.is_dir() and find_format(resolve_source(path)).name == "sentence_clustering":
            docs, is_kept = _read_released(path, nlp), bool
        else:
            docs = load_heldout(path, nlp, CorpusSettings(), log=ReadLog())[1]
    if docs:
        yield make_clustering_task(docs, seed, is_kept)
    if sick:
        pairs = read_sick(resolve_path(sick))
        for problem in find_unexpected_sizes(pairs):
            print(f"{sick} is not SICK as released: {problem}")
        yield make_relatedness_task(pairs, nlp)


if __name__ == "__main__":
    typer.run(main)
