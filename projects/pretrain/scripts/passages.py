"""Batches of articles for learning on a GPU: sentences that are drawn from each article, and runs
of sentences as they follow one another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy

from learn_boundaries import RUN_LENGTHS, RUNS, count_characters, find_text_order
from spacy_thematic.models.word_pieces import WordPieces
from spacy_thematic.triplets.compiled import open_compiled

ARTICLES_AT_ONCE = 200
LONGEST = 96
"""Word pieces of a sentence that are read."""


class Batch(NamedTuple):
    """The distinct sentences of a batch; articles, of each the sentences drawn, and texts, of each
    a run of sentences, as places in these, -1 where a row ends; and whether a section begins at
    each sentence of a text."""

    rows: np.ndarray
    articles: np.ndarray
    texts: np.ndarray
    begins: np.ndarray


@dataclass
class Passages:
    """The sentences of corpora in the order of their texts.

    Attributes:
        pieces: uint16, of all sentences, one after the other.
        starts: Where each sentence begins among them; `lengths`: how many it has.
        sections: Of each sentence, distinct between articles.
        openers: Whether it opens a paragraph.
        characters: Of each sentence.
        ends: Where each article begins among the sentences, and the end.
        sources: The number of each article's source.
    """

    pieces: np.ndarray
    lengths: np.ndarray
    sections: np.ndarray
    openers: np.ndarray
    characters: np.ndarray
    ends: np.ndarray
    sources: np.ndarray

    def __post_init__(self):
        self.starts = np.cumsum(self.lengths, dtype="int64") - self.lengths

    def weigh(self) -> np.ndarray:
        """How likely each article is drawn: sources count by the root of their size."""
        counts = np.bincount(self.sources)
        weights = 1 / np.sqrt(counts[self.sources])
        return np.cumsum(weights / weights.sum())


def read_passages(folders: Sequence[Path], cutter: WordPieces) -> Passages:
    """Read the articles of corpora."""
    vocab = spacy.blank("en").vocab
    parts: list[tuple[np.ndarray, ...]] = []
    counts, sources, names = [], [], {}
    n_sections = 0
    for folder in folders:
        corpus = open_compiled(folder, vocab)
        cut = [cutter(form) for form in corpus.forms]
        (of_articles,) = corpus.read_columns("sources")
        for start in range(0, len(corpus), ARTICLES_AT_ONCE):
            numbers = range(start, min(start + ARTICLES_AT_ONCE, len(corpus)))
            batch = corpus.take(numbers)
            order = find_text_order(batch)
            ends = np.cumsum(batch.lengths)
            sentences = [
                enclose(cutter, [cut[word] for word in batch.words[end - length : end].tolist()])
                for end, length in zip(ends[order].tolist(), batch.lengths[order].tolist())
            ]
            parts.append(
                (
                    np.concatenate(sentences),
                    np.array([*map(len, sentences)], "int64"),
                    batch.sections[order] + n_sections,
                    ~batch.is_other[order],
                    count_characters(corpus, batch)[order],
                )
            )
            n_sections += int(batch.sections.max()) + 1
            counts += np.bincount(batch.articles[order], minlength=len(numbers)).tolist()
            for number in numbers:
                source = corpus.sources[of_articles[number]]
                sources.append(names.setdefault(source, len(names)))
    columns = (np.concatenate(column) for column in zip(*parts))
    return Passages(*columns, np.append(0, np.cumsum(counts)), np.array(sources))


def enclose(cutter: WordPieces, words: Sequence[np.ndarray]) -> np.ndarray:
    """The pieces of a sentence as its encoder reads them, uint16."""
    rows = np.concatenate(words)[: LONGEST - 2] if len(words) else np.zeros(0, "int32")
    if cutter.whole:
        rows = np.concatenate([[cutter.rows["[CLS]"]], rows, [cutter.rows["[SEP]"]]])
    return rows.astype("uint16")


@dataclass(frozen=True)
class Sampling:
    """How many articles a batch has, and sentences of a section and of an article; how many texts,
    of at most how many sentences, and the share of them that are made of several articles."""

    n_articles: int = 96
    per_section: int = 4
    per_article: int = 24
    n_texts: int = 32
    per_text: int = 64
    mixed: float = 0.25

    def draw(self, passages: Passages, seed: int) -> Iterator[Batch]:
        """Batches without an end."""
        rng = np.random.default_rng(seed)
        weights = passages.weigh()
        while True:
            drawn = np.searchsorted(weights, rng.random(self.n_articles + self.n_texts))
            rows = [
                np.arange(passages.ends[article], passages.ends[article + 1])
                for article in drawn.clip(max=len(weights) - 1)
            ]
            articles = [self._sample(passages, own, rng) for own in rows[: self.n_articles]]
            texts = [
                self._mix(rows, rng)
                if rng.random() < self.mixed
                else self._crop(passages, own, rng)
                for own in rows[self.n_articles :]
            ]
            begins = [begin for _, begin in texts]
            texts = [own for own, _ in texts]
            distinct = np.unique(np.concatenate([*articles, *texts]))
            yield Batch(
                distinct,
                pad([np.searchsorted(distinct, own) for own in articles]),
                pad([np.searchsorted(distinct, own) for own in texts]),
                pad(begins) == 1,
            )

    def _sample(self, passages: Passages, rows: np.ndarray, rng) -> np.ndarray:
        sections = passages.sections[rows]
        order = np.lexsort((rng.random(len(rows)) - 0.5 * passages.openers[rows], sections))
        rows, sections = rows[order], sections[order]
        firsts = np.searchsorted(sections, sections)
        rows = rows[np.arange(len(rows)) - firsts < self.per_section]
        if len(rows) > self.per_article:
            own = passages.sections[rows]
            kept = rng.permutation(np.unique(own))[: max(2, self.per_article // self.per_section)]
            rows = rows[np.isin(own, kept)][: self.per_article]
        return rows

    def _crop(self, passages: Passages, rows: np.ndarray, rng) -> tuple[np.ndarray, np.ndarray]:
        start = int(rng.integers(max(1, len(rows) - self.per_text + 1)))
        rows = rows[start : start + self.per_text]
        sections = passages.sections[rows]
        return rows, np.diff(sections, prepend=sections[:1]) != 0

    def _mix(self, texts: list[np.ndarray], rng) -> tuple[np.ndarray, np.ndarray]:
        least, most = RUN_LENGTHS[rng.integers(len(RUN_LENGTHS))]
        runs = []
        for number in rng.integers(len(texts), size=rng.integers(RUNS[0], RUNS[1] + 1)):
            own = texts[number]
            length = min(int(rng.integers(least, most + 1)), len(own))
            start = int(rng.integers(len(own) - length + 1))
            runs.append(own[start : start + length])
        begins = np.concatenate([np.arange(len(run)) == 0 for run in runs])
        return np.concatenate(runs)[: self.per_text], begins[: self.per_text]


def pad(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rows of unequal length as one array, int64, -1 where a row has ended."""
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1)
    for row, own in zip(padded, rows):
        row[: len(own)] = own
    return padded


def take_texts(passages: Passages, most: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The first sentences of each article, and whether a section begins at each."""
    for start, end in pairwise(passages.ends.tolist()):
        rows = np.arange(start, min(end, start + most))
        sections = passages.sections[rows]
        yield rows, np.diff(sections, prepend=sections[:1]) != 0
