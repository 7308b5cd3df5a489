"""Learning from sentences that are drawn from each article at each step, and a learning rate that
rises and falls."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from spacy.util import registry

from spacy_thematic.training.objective import SectionStructure, Step
from spacy_thematic.triplets.compiled import ArticleBatch


@dataclass(frozen=True)
class Sampling:
    """Which sentences of an article are learned from at a step: how many at most of a section and
    of the article; and from 0, any sentence, to 1, those that open a paragraph first."""

    per_section: int = 4
    per_article: int = 40
    opener_preference: float = 0.5

    def draw(self, batch: ArticleBatch, rng: np.random.Generator) -> np.ndarray:
        """Whether each row of a batch is drawn, bool (rows)."""
        rows = np.flatnonzero(batch.is_sentence)
        own = batch.articles[rows], batch.sections[rows], ~batch.is_other[rows]
        drawn = np.zeros(len(batch.lengths), bool)
        drawn[rows] = self.choose(*own, rng)
        return drawn

    def choose(
        self,
        articles: np.ndarray,
        sections: np.ndarray,
        is_opener: np.ndarray,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Whether each sentence is drawn, bool (sentences), by the number of its article, that of
        its section, distinct between articles, and whether it opens a paragraph."""
        keys = rng.random(len(sections)) - self.opener_preference * is_opener
        order = np.lexsort((keys, sections))
        is_first = np.append(True, np.diff(sections[order]) != 0)[: len(order)]
        firsts = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
        drawn = np.zeros(len(sections), bool)
        drawn[order[np.arange(len(order)) - firsts < self.per_section]] = True
        n_drawn = np.bincount(articles[drawn])
        for article in np.flatnonzero(n_drawn > self.per_article):
            own = drawn & (articles == article)
            of_article = np.unique(sections[own])
            kept = rng.permutation(of_article)[: max(2, self.per_article // self.per_section)]
            drawn[own] = np.isin(sections[own], kept)
        return drawn


@registry.misc("pretrain.SampledSections.v1")
@dataclass
class SampledSections(SectionStructure):
    """Sections, as `spacy-thematic.SectionStructure.v1` learns them, from sentences that are drawn;
    of all, if the corpus was made with `--sentences all`.

    Args:
        sampling: settings of `Sampling`.
        token_dropout: share of the words that are left out at random.
    """

    sampling: dict[str, Any] = field(default_factory=dict)
    token_dropout: float = 0.0

    def take(self, numbers: list[int], step: Step) -> ArticleBatch:
        batch = self.setting.corpus.take(numbers)
        batch = batch.select(Sampling(**self.sampling).draw(batch, step.rng))
        words, lengths = drop_words(batch.words, batch.lengths, self.token_dropout, step.rng)
        return batch._replace(words=words, lengths=lengths)


def drop_words(
    words: np.ndarray, lengths: np.ndarray, rate: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of words with a share of the words left out at random."""
    if not rate:
        return words, lengths
    kept = rng.random(len(words)) >= rate
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return words[kept], np.bincount(rows[kept], minlength=len(lengths))


@registry.schedules("pretrain.WarmUpDecay.v1")
def warm_up_decay(
    rate: float,
    warm_up: int,
    steps: int,
    decay: Literal["linear", "cosine"] = "cosine",
    lowest: float = 0.05,
) -> Iterator[float]:
    """A rate that rises linearly for `warm_up` steps, and falls until it has a share, `lowest`, of
    its highest value, after so many steps at the latest."""
    step = 0
    while True:
        done = min(step / max(steps, 1), 1)
        left = 1 - done if decay == "linear" else 0.5 * (1 + math.cos(math.pi * done))
        yield rate * min(1, (step + 1) / max(warm_up, 1)) * max(lowest, left)
        step += 1
