"""The measurements behind the paper's tables, saved article by article.

A row of the tables is an encoder, or several trained alike with other seeds. It is measured on
three tasks; what a task finds is appended to a JSON Lines file, one record an article, after a head
that says what was measured. A killed run goes on where it stopped; a record is used again only if
articles and encoder are the same.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Callable, Protocol

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans, kmeans_of_raw_rows
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation.clustering_benchmark import score_article
from spacy_thematic.evaluation.encoders import DocSpans, Encoder, EncoderFactory
from spacy_thematic.evaluation.relatedness import (
    SPLITS,
    EncodedPairs,
    RelatednessRegression,
    Sick,
)
from spacy_thematic.files import write_bytes
from spacy_thematic.measures import is_ordered
from spacy_thematic.triplets.docbin import SENTENCES, get_rows, get_triplets

DISTANCE, CLUSTERING, RELATEDNESS = "distance", "clustering", "relatedness"
TASKS = (DISTANCE, CLUSTERING, RELATEDNESS)
METRICS = ("cosine", "L1")
ICLUST, KMEANS, KMEANS_RAW, SIB = "Iclust", "k-means", "k-means, raw rows", "sIB"
PROBE_WIDTH = 8
CHUNK = 256


def paper_clusterers() -> dict[str, Clusterer]:
    """The algorithms of the paper's Table 4, on vectors that are not centred; k-means on unit rows
    and on rows as they are, as the paper does not say whether it scaled them."""
    return {
        ICLUST: create_iclust(centre=False),
        KMEANS: create_kmeans(centre=False),
        KMEANS_RAW: kmeans_of_raw_rows,
    }


@dataclass
class Row:
    """A row of the tables.

    name: unique. load: for each seed of training what loads the encoder. tasks: those that it can
    do. clusterers: the algorithms for its vectors.
    """

    name: str
    load: Sequence[Callable[[], EncoderFactory]]
    tasks: Sequence[str] = TASKS
    clusterers: Mapping[str, Clusterer] = field(default_factory=paper_clusterers)


class Contender:
    """One loaded encoder of a row.

    relatedness: the task that its regression of relatedness is learned from, None for none.
    """

    def __init__(self, row: Row, seed: int, relatedness: RelatednessTask | None):
        self.row = row
        self.factory = row.load[seed]()
        self._relatedness = relatedness

    @cached_property
    def pairs(self) -> dict[str, EncodedPairs]:
        """The sentence pairs of each split, encoded."""
        assert self._relatedness is not None
        return self._relatedness.encode(self.factory(self._relatedness.get_spans()))

    @cached_property
    def regression(self) -> RelatednessRegression | None:
        """Learned from the train and trial pairs; None without."""
        if self._relatedness is None:
            return None
        return RelatednessRegression().fit(self.pairs["train"], self.pairs["trial"])


class Task(Protocol):
    """Something to measure, in as many steps as it has articles. `key` tells the articles."""

    name: str
    key: str

    def __len__(self) -> int: ...

    def get_spans(self) -> Iterator[DocSpans]:
        """The sentences to encode, article by article."""
        ...

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """The record of one article."""
        ...


class DistanceTask:
    """The thematic distance comparison (Table 3)."""

    name = DISTANCE

    def __init__(self, docs: Sequence[Doc], n_triplets: int = 0, seed: int = 0):
        """docs: with triplets. n_triplets: how many to draw from those of all Docs, 0 for all."""
        rng = np.random.default_rng(seed)
        counts = [len(get_triplets(doc)) for doc in docs]
        chosen = np.arange(sum(counts))
        if n_triplets and n_triplets < len(chosen):
            chosen = np.sort(rng.choice(chosen, n_triplets, replace=False))
        ends = np.cumsum(counts)
        self.articles: list[tuple[Doc, list[Span], np.ndarray]] = []
        for doc, start, end in zip(docs, ends - counts, ends):
            some = chosen[(chosen >= start) & (chosen < end)] - start
            if len(some):
                used, triplets = np.unique(np.asarray(get_triplets(doc))[some], return_inverse=True)
                rows = get_rows(doc)
                self.articles.append((doc, [rows[i] for i in used], triplets.reshape(-1, 3)))
        self.articles = [self.articles[i] for i in rng.permutation(len(self.articles))]
        self.n_triplets = len(chosen)
        texts = [[spans[0].text, len(spans), rows.tolist()] for _, spans, rows in self.articles]
        self.key = _digest(texts)

    def __len__(self) -> int:
        return len(self.articles)

    def get_spans(self) -> Iterator[DocSpans]:
        return ((doc, spans) for doc, spans, _ in self.articles)

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """How many triplets are in order by each metric, and by predicted relatedness."""
        doc, spans, triplets = self.articles[number]
        vectors, seconds = _timed(encoder, doc, spans)
        record = {"triplets": len(triplets), "sentences": len(spans), "seconds": seconds}
        for metric in METRICS:
            record[metric] = int(is_ordered(vectors, triplets, metric).sum())
        if contender.regression is not None:
            anchor, positive, negative = (vectors[triplets[:, i]] for i in range(3))
            near = contender.regression.predict(anchor, positive)
            far = contender.regression.predict(anchor, negative)
            record[RELATEDNESS] = int((near > far).sum())
        return record


class ClusteringTask:
    """The clustering benchmark (Table 4)."""

    name = CLUSTERING

    def __init__(self, docs: Sequence[Doc], n_articles: int = 0, seed: int = 0):
        """docs: of the clustering benchmark. n_articles: how many to draw, 0 for all."""
        order = np.random.default_rng(seed).permutation(len(docs))
        self.docs = [docs[i] for i in order[: n_articles or None]]
        self.seed = seed
        self.n_sentences = sum(len(doc.spans[SENTENCES]) for doc in self.docs)
        self.key = _digest(
            [[doc[:20].text, [span.id for span in doc.spans[SENTENCES]]] for doc in self.docs]
        )

    def __len__(self) -> int:
        return len(self.docs)

    def get_spans(self) -> Iterator[DocSpans]:
        return ((doc, list(doc.spans[SENTENCES])) for doc in self.docs)

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """Each measure of each algorithm."""
        doc = self.docs[number]
        spans = list(doc.spans[SENTENCES])
        vectors, seconds = _timed(encoder, doc, spans)
        n_sections = len({span.id for span in spans})
        record: dict[str, Any] = {"sections": n_sections, "sentences": len(spans)}
        record["seconds"] = seconds
        for name, clusterer in contender.row.clusterers.items():
            values = score_article(doc, vectors, clusterer, self.seed)
            record[name] = {measure: round(value, 6) for measure, value in values.items()}
        return record


class RelatednessTask:
    """The relatedness of sentence pairs (Table 5), in one step."""

    name = RELATEDNESS

    def __init__(self, sick: Sick, nlp: Language):
        self.splits = {split: getattr(sick, split) for split in SPLITS}
        pairs = [pair for split in self.splits.values() for pair in split]
        texts = sorted({text for pair in pairs for text in (pair.first, pair.second)})
        self.rows = {text: row for row, text in enumerate(texts)}
        self.articles = list(_join_texts(texts, nlp))
        self.key = _digest([list(pair) for pair in pairs])

    def __len__(self) -> int:
        return 1

    def get_spans(self) -> Iterator[DocSpans]:
        return iter(self.articles)

    def encode(self, encoder: Encoder) -> dict[str, EncodedPairs]:
        """The pairs of each split."""
        vectors = np.concatenate([encoder(doc, spans) for doc, spans in self.articles])
        return {
            split: EncodedPairs(
                vectors[[self.rows[pair.first] for pair in pairs]],
                vectors[[self.rows[pair.second] for pair in pairs]],
                np.array([pair.score for pair in pairs]),
            )
            for split, pairs in self.splits.items()
        }

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """The predicted score of each test pair."""
        assert contender.regression is not None
        test = contender.pairs["test"]
        predicted = contender.regression.predict(test.first, test.second)
        return {"predicted": np.round(predicted, 4).tolist(), "scores": test.scores.tolist()}


def _join_texts(texts: Sequence[str], nlp: Language) -> Iterator[DocSpans]:
    """Texts as the sentences of a few Docs, in order."""
    for start in range(0, len(texts), CHUNK):
        parts = [nlp.make_doc(text) for text in texts[start : start + CHUNK]]
        ends = np.cumsum([len(part) for part in parts]).tolist()
        doc = Doc.from_docs(parts)
        assert doc is not None
        yield doc, [doc[first:end] for first, end in zip([0, *ends], ends)]


def measure(
    row: Row,
    tasks: Sequence[Task],
    folder: Path,
    *,
    first: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> None:
    """Measure a row on the tasks that it can do, and save what is found below `folder`.

    first: go no further than so many articles, 0 for all. on_step: called for each article.
    """
    tasks = [task for task in tasks if task.name in row.tasks]
    relatedness = next((task for task in tasks if isinstance(task, RelatednessTask)), None)
    for seed in range(len(row.load)):
        contender = Contender(row, seed, relatedness)
        for task in tasks:
            encoder = contender.factory(task.get_spans())
            path = folder / row.name / f"{task.name}-{seed}.jsonl"
            done = _open_records(path, task, encoder)
            with path.open("a", encoding="utf8") as file:
                for number in range(min(first or len(task), len(task))):
                    if number >= done:
                        record = task.score(number, encoder, contender)
                        file.write(json.dumps(record) + "\n")
                        file.flush()
                    on_step()


def _open_records(path: Path, task: Task, encoder: Encoder) -> int:
    """How many records of this task and encoder there are; others are replaced by a new head."""
    doc, spans = next(task.get_spans())
    row = encoder(doc, spans)[0]
    # From all over the vector: a part of it may be that of a smaller model.
    probe = row[np.linspace(0, len(row) - 1, PROBE_WIDTH).astype(int)].tolist()
    head, records = read_records(path)
    same = head.get("key") == task.key and len(head.get("probe", ())) == len(probe)
    if not same or not np.allclose(head["probe"], probe, rtol=1e-2, atol=1e-4):
        head, records = {"key": task.key, "articles": len(task), "probe": probe}, []
    # Written again, for a killed run may have left half a record.
    lines = [json.dumps(line) + "\n" for line in (head, *records)]
    write_bytes(path, "".join(lines).encode())
    return len(records)


def read_records(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head of a file of scores and its whole records; both empty if there is none."""
    lines = []
    if path.exists():
        for line in path.read_text("utf8").splitlines(keepends=True):
            if not line.endswith("\n"):
                break
            lines.append(json.loads(line))
    return (lines[0], lines[1:]) if lines else ({}, [])


Scores = dict[str, dict[str, list[list[dict[str, Any]]]]]
"""Row to task to a list for each seed of training of one record an article."""


def read_scores(folder: Path, keys: Mapping[str, str]) -> Scores:
    """All that was saved below a folder for the articles that are told by `keys`, task to key."""
    scores: Scores = {}
    for path in sorted(folder.glob("*/*.jsonl")):
        task = path.stem.rpartition("-")[0]
        head, records = read_records(path)
        if records and head["key"] == keys.get(task):
            scores.setdefault(path.parent.name, {}).setdefault(task, []).append(records)
    return scores


def _timed(encoder: Encoder, doc: Doc, spans: list[Span]) -> tuple[np.ndarray, float]:
    """The vectors, and the CPU seconds they took."""
    start = time.process_time()
    vectors = encoder(doc, spans)
    return vectors, round(time.process_time() - start, 5)


def _digest(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()
