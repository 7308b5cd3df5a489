"""Batches of articles for learning on a GPU: sentences that are drawn from each article, and runs
of sentences as they follow one another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy

import sampled_sections
from learn_boundaries import count_characters, find_text_order, mix_runs
from spacy_thematic.models.word_pieces import FIRST, LAST, WordPieces
from spacy_thematic.triplets.compiled import number_sections, open_compiled

ARTICLES_AT_ONCE = 200
OF_ARTICLES = sampled_sections.Sampling(per_article=24)

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
        rows = np.concatenate([[cutter.rows[FIRST]], rows, [cutter.rows[LAST]]])
    return rows.astype("uint16")


@dataclass(frozen=True)
class Sampling:
    """How many articles a batch has, from which sentences are drawn; how many texts, of at most how
    many sentences, and the share of them that are made of several articles."""

    n_articles: int = 96
    of_articles: sampled_sections.Sampling = OF_ARTICLES
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
            articles = self._sample(passages, rows[: self.n_articles], rng)
            texts, begins = [], []
            for own, is_mixed in zip(
                rows[self.n_articles :], rng.random(self.n_texts) < self.mixed
            ):
                if is_mixed:
                    text, begin = mix_runs(rows, self.per_text, rng)
                else:
                    text, begin = self._crop(passages, own, rng)
                texts.append(text)
                begins.append(begin)
            distinct = np.unique(np.concatenate([*articles, *texts]))
            yield Batch(
                distinct,
                pad([np.searchsorted(distinct, own) for own in articles]),
                pad([np.searchsorted(distinct, own) for own in texts]),
                pad(begins) == 1,
            )

    def _sample(
        self, passages: Passages, articles: list[np.ndarray], rng: np.random.Generator
    ) -> list[np.ndarray]:
        rows = np.concatenate(articles)
        sizes = [*map(len, articles)]
        # An article may be drawn twice, and its sections then count as others.
        numbers = np.repeat(np.arange(len(articles)), sizes)
        sections = number_sections(numbers, passages.sections[rows])
        drawn = self.of_articles.choose(numbers, sections, passages.openers[rows], rng)
        ends = np.cumsum(sizes)[:-1]
        return [own[is_drawn] for own, is_drawn in zip(articles, np.split(drawn, ends))]

    def _crop(
        self, passages: Passages, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        start = int(rng.integers(max(1, len(rows) - self.per_text + 1)))
        rows = rows[start : start + self.per_text]
        sections = passages.sections[rows]
        return rows, np.diff(sections, prepend=sections[:1]) != 0


def pad(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rows of unequal length as one array, int64, -1 where a row has ended."""
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1)
    for row, own in zip(padded, rows):
        row[: len(own)] = own
    return padded
