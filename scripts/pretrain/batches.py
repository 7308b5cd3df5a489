"""What the nets are shown at each step: a function of seed and step alone, so that a run that was
killed goes on as it would have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.pretrain.sentences import Corpus

FEWEST = 6  # sentences of an article
RUN = 32  # sentences that a teacher's batch takes one after the other, most of one article


class Shuffled:
    """The numbers from 0 to n - 1 in random order, then again in another, without end."""

    def __init__(self, n: int, seed: list[int]):
        if not n:
            raise ValueError("There is not enough text to train on.")
        self.n = n
        self.seed = seed
        self.orders: dict[int, np.ndarray] = {}

    def take(self, start: int, count: int) -> np.ndarray:
        passes, places = np.divmod(np.arange(start, start + count), self.n)
        orders = {number: self._get_order(number) for number in np.unique(passes).tolist()}
        self.orders = orders
        return np.array([orders[p][place] for p, place in zip(passes.tolist(), places)], "int64")

    def _get_order(self, number: int) -> np.ndarray:
        if number in self.orders:
            return self.orders[number]
        return np.random.default_rng([*self.seed, number]).permutation(self.n)


@dataclass(frozen=True)
class Sampling:
    """per_section, per_article: the most sentences of each. opener_preference: from 0, any
    sentence, to 1, those that open a paragraph first."""

    per_section: int
    per_article: int
    opener_preference: float


class ArticleSampler:
    """Draws sentences of the sections of articles."""

    def __init__(self, corpus: Corpus, sampling: Sampling, seed: list[int]):
        self.corpus = corpus
        self.sampling = sampling
        bounds = np.flatnonzero(np.diff(corpus.articles)) + 1
        self.bounds = np.concatenate([[0], bounds, [len(corpus.articles)]])
        self.usable = np.flatnonzero(self._count_drawn() >= FEWEST)
        self.order = Shuffled(len(self.usable), seed)

    def draw(
        self, start: int, count: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The articles number `start` and following of an endless random order: rows of sentences,
        their articles numbered from 0, and their sections, unique in the batch."""
        drawn = [self._draw(self.usable[n], rng) for n in self.order.take(start, count)]
        rows = np.concatenate([*drawn, np.zeros(0, "int64")])
        articles = np.repeat(np.arange(len(drawn)), [len(part) for part in drawn])
        keys = np.stack([articles, self.corpus.sections[rows]])
        return rows, articles, np.unique(keys, axis=1, return_inverse=True)[1].ravel()

    def _draw(self, article: int, rng: np.random.Generator) -> np.ndarray:
        start, end = self.bounds[article : article + 2]
        sections = self.corpus.sections[start:end]
        openers = self.corpus.positions[start:end] == 0
        keys = rng.random(end - start) - self.sampling.opener_preference * openers
        order = np.lexsort((keys, sections))
        is_first = np.append(True, np.diff(sections[order]) != 0)
        firsts = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
        order = order[np.arange(len(order)) - firsts < self.sampling.per_section]
        if len(order) > self.sampling.per_article:
            n_sections = max(2, self.sampling.per_article // self.sampling.per_section)
            chosen = rng.permutation(np.unique(sections))[:n_sections]
            order = order[np.isin(sections[order], chosen)]
        return start + order

    def _count_drawn(self) -> np.ndarray:
        """How many sentences are drawn of each article."""
        counts = []
        for start, end in zip(self.bounds[:-1], self.bounds[1:]):
            sizes = np.unique(self.corpus.sections[start:end], return_counts=True)[1]
            counts.append(np.minimum(sizes, self.sampling.per_section).sum())
        return np.array(counts)


class TaughtSampler:
    """Draws runs of the sentences that a teacher has encoded, in an endless random order."""

    def __init__(self, n_sentences: int, seed: list[int]):
        self.order = Shuffled(n_sentences // RUN, seed)

    def draw(self, step: int, count: int) -> np.ndarray:
        """The numbers of `count` of them; a multiple of `RUN`."""
        runs = self.order.take(step * (count // RUN), count // RUN)
        return (runs[:, None] * RUN + np.arange(RUN)).ravel()
