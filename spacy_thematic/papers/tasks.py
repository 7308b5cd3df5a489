"""What the rows of the paper's tables are measured on, one article at a time."""

from __future__ import annotations

import hashlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.evaluation.encoders import ArticleSpans, Encoder
from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE, EvaluationProtocol
from spacy_thematic.measures import clustering_agreement, count_ordered
from spacy_thematic.papers.baselines.similarities import iclust_of_similarities
from spacy_thematic.papers.protocol import ICLUST, ICLUST_RELATEDNESS, RELATEDNESS
from spacy_thematic.papers.relatedness import EncodedPairs, RelatednessRegression
from spacy_thematic.papers.rows import TableRow
from spacy_thematic.papers.sick import SPLITS, Sick
from spacy_thematic.triplets.docbin import SENTENCES, get_rows, get_sections, get_triplets

TEXTS_PER_DOC = 256


class Contender:
    """One loaded encoder of a row.

    Args:
        row: The row.
        run: The number of its seed of training.
        relatedness: The task from which its regression of relatedness is learned; None without it.
    """

    def __init__(self, row: TableRow, run: int, relatedness: RelatednessTask | None):
        self.row = row
        self.factory = row.loaders[run]()
        self.has_regression = relatedness is not None
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


class Task(ABC):
    """Something to measure, in as many steps as it has articles. `key` tells the articles."""

    name: str
    key: str

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def get_spans(self) -> Iterator[ArticleSpans]:
        """The sentences to encode, article by article."""

    @abstractmethod
    def list_measures(self, contender: Contender) -> set[str]:
        """What a record of a contender holds: some of the keys that `score` returns."""

    @abstractmethod
    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """The record of one article."""

    @abstractmethod
    def describe(self) -> str:
        """What is measured on, in words."""


class DistanceTask(Task):
    """The thematic distance comparison (Table 3).

    Args:
        docs: Articles with triplets.
        protocol: How to measure.
        n_triplets: How many to draw from those of all articles, 0 for all.
        seed: Of the draw.
    """

    name = DISTANCE

    def __init__(
        self, docs: Sequence[Doc], protocol: EvaluationProtocol, n_triplets: int = 0, seed: int = 0
    ):
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
        self.metrics = protocol.metrics
        texts = [[spans[0].text, len(spans), rows.tolist()] for _, spans, rows in self.articles]
        self.key = _digest(texts)

    def __len__(self) -> int:
        return len(self.articles)

    def get_spans(self) -> Iterator[ArticleSpans]:
        return ((doc, spans) for doc, spans, _ in self.articles)

    def list_measures(self, contender: Contender) -> set[str]:
        """The metrics."""
        return {*self.metrics, *([RELATEDNESS] if contender.has_regression else [])}

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """How many triplets are in order by each metric, and by predicted relatedness."""
        doc, spans, triplets = self.articles[number]
        vectors, seconds = _timed(encoder, doc, spans)
        record = {"sentences": len(spans), "seconds": seconds}
        record |= count_ordered(vectors, triplets, self.metrics)
        if contender.regression is not None:
            anchor, positive, negative = (vectors[triplets[:, i]] for i in range(3))
            near = contender.regression.predict(anchor, positive)
            far = contender.regression.predict(anchor, negative)
            record[RELATEDNESS] = int((near > far).sum())
        return record

    def describe(self) -> str:
        return f"{self.n_triplets:,} triplets of {len(self):,} articles."


class ClusteringTask(Task):
    """The clustering benchmark (Table 4).

    Args:
        docs: Articles of the clustering benchmark.
        protocol: How to cluster.
        n_articles: How many to draw, 0 for all.
        seed: Of the draw, and of clustering.
    """

    name = CLUSTERING

    def __init__(
        self, docs: Sequence[Doc], protocol: EvaluationProtocol, n_articles: int = 0, seed: int = 0
    ):
        order = np.random.default_rng(seed).permutation(len(docs))
        self.docs = [docs[i] for i in order[: n_articles or None]]
        self.protocol = protocol
        self.seed = seed
        self.key = _digest([[doc[:20].text, get_sections(doc)] for doc in self.docs])

    def __len__(self) -> int:
        return len(self.docs)

    def get_spans(self) -> Iterator[ArticleSpans]:
        return ((doc, list(doc.spans[SENTENCES])) for doc in self.docs)

    def list_measures(self, contender: Contender) -> set[str]:
        """The algorithms."""
        names = set(contender.row.clusterers or self.protocol.create_clusterers())
        return names | {ICLUST_RELATEDNESS.name} if self._has_relatedness(contender) else names

    def _has_relatedness(self, contender: Contender) -> bool:
        """Whether the relatedness that a contender predicts is clustered, as in the paper's
        skip-thoughts-SICK."""
        return ICLUST in self.protocol.algorithms and contender.has_regression

    def score(self, number: int, encoder: Encoder, contender: Contender) -> dict[str, Any]:
        """Each measure of each algorithm."""
        doc = self.docs[number]
        spans, sections = list(doc.spans[SENTENCES]), get_sections(doc)
        vectors, seconds = _timed(encoder, doc, spans)
        n_sections = len(set(sections))
        record: dict[str, Any] = {"sections": n_sections, "sentences": len(spans)}
        record["seconds"] = seconds
        record |= self.protocol.score_article(
            vectors, sections, self.seed, contender.row.clusterers
        )
        if self._has_relatedness(contender):
            assert contender.regression is not None
            similarities = contender.regression.predict_all(vectors)
            labels = iclust_of_similarities(similarities, n_sections, self.seed)
            record[ICLUST_RELATEDNESS.name] = clustering_agreement(labels, sections)
        return record

    def describe(self) -> str:
        lengths = [len(span) for doc in self.docs for span in doc.spans[SENTENCES]]
        mean = len(lengths) / max(1, len(self))
        return (
            f"Clustering of {len(self):,} articles, {len(lengths):,} sentences ({mean:.1f} an "
            f"article, of {min(lengths, default=0)} to {max(lengths, default=0)} tokens)."
        )


class RelatednessTask(Task):
    """The relatedness of sentence pairs (Table 5), in one step.

    Args:
        sick: The pairs.
        nlp: Tokenizes them.
    """

    name = RELATEDNESS

    def __init__(self, sick: Sick, nlp: Language):
        self.splits = {split: getattr(sick, split) for split in SPLITS}
        pairs = [pair for split in self.splits.values() for pair in split]
        texts = sorted({text for pair in pairs for text in (pair.first, pair.second)})
        self.rows = {text: row for row, text in enumerate(texts)}
        self.articles = list(_join_texts(texts, nlp))
        self.key = _digest([[pair.number, pair.first, pair.second, pair.score] for pair in pairs])

    def __len__(self) -> int:
        return 1

    def get_spans(self) -> Iterator[ArticleSpans]:
        return iter(self.articles)

    def list_measures(self, contender: Contender) -> set[str]:
        """The predictions."""
        return {"predicted"}

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

    def describe(self) -> str:
        sizes = ", ".join(f"{len(pairs):,} {split}" for split, pairs in self.splits.items())
        return f"SICK: {sizes} pairs."


def _join_texts(texts: Sequence[str], nlp: Language) -> Iterator[ArticleSpans]:
    """Texts as the sentences of a few Docs, in order."""
    for start in range(0, len(texts), TEXTS_PER_DOC):
        parts = [nlp.make_doc(text) for text in texts[start : start + TEXTS_PER_DOC]]
        ends = np.cumsum([len(part) for part in parts]).tolist()
        doc = Doc.from_docs(parts)
        assert doc is not None
        yield doc, [doc[first:end] for first, end in zip([0, *ends], ends)]


def _timed(encoder: Encoder, doc: Doc, spans: list[Span]) -> tuple[np.ndarray, float]:
    """The vectors, and the CPU seconds they took."""
    start = time.process_time()
    vectors = encoder(doc, spans)
    return vectors, round(time.process_time() - start, 5)


def _digest(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()
