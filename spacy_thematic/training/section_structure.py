"""Learning from the sections of articles: triplets, pairs, contrasts, as the loss says."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from spacy.util import registry
from thinc.loss import Loss

from spacy_thematic.losses.triplet import TripletLoss
from spacy_thematic.pipeline.batching import make_targets
from spacy_thematic.training.objective import (
    Objective,
    Order,
    Setting,
    Step,
    batch_by_count,
    make_order,
)
from spacy_thematic.triplets.compiled import ArticleBatch


@dataclass(frozen=True)
class Sampling:
    """Which sentences of an article are learned from at a step.

    Attributes:
        per_section, per_article: the most of each.
        opener_preference: from 0, any sentence, to 1, those that open a paragraph first.
    """

    per_section: int = 4
    per_article: int = 40
    opener_preference: float = 0.5

    def draw(self, batch: ArticleBatch, rng: np.random.Generator) -> np.ndarray:
        """Whether each row of a batch is drawn, bool (rows)."""
        rows = np.flatnonzero(batch.is_sentence)
        keys = rng.random(len(rows)) - self.opener_preference * ~batch.is_other[rows]
        sections = batch.sections[rows]
        order = np.lexsort((keys, sections))
        is_first = np.append(True, np.diff(sections[order]) != 0)[: len(order)]
        firsts = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
        rows = rows[order[np.arange(len(order)) - firsts < self.per_section]]
        drawn = np.zeros(len(batch.lengths), bool)
        drawn[rows] = True
        n_drawn = np.bincount(batch.articles[rows])
        for article in np.flatnonzero(n_drawn > self.per_article):
            own = drawn & (batch.articles == article)
            sections = np.unique(batch.sections[own])
            kept = rng.permutation(sections)[: max(2, self.per_article // self.per_section)]
            drawn[own] = np.isin(batch.sections[own], kept)
        return drawn


@registry.misc("spacy-thematic.SectionStructure.v1")
@dataclass
class SectionStructure(Objective):
    """The paper's way to learn (Ein Dor et al. 2018), and all others that need sections alone.

    Args:
        loss: None for that of the component.
        n_articles: of a step; 0 for the batches of [training.batcher].
        sampling: settings of `Sampling`, which draws sentences of each article at each step, of all
            if the corpus was made with `--sentences all`. None: what triplets name, and if the
            loss reads more than triplets all openers.
        token_dropout: share of the words that are left out at random.
    """

    loss: Loss | None = None
    n_articles: int = 0
    sampling: dict[str, Any] | None = None
    token_dropout: float = 0.0

    def start(self, setting: Setting) -> Order:
        self.setting = setting
        self.draw = None if self.sampling is None else Sampling(**self.sampling).draw
        batcher = setting.training["batcher"]
        if self.n_articles:
            batcher = partial(batch_by_count, size=min(self.n_articles, len(setting.articles)))
        return make_order(setting, batcher)

    def step(self, step: Step) -> dict[str, float]:
        sizes = self.setting.corpus.sizes
        batch = self._take(sorted(step.batch, key=lambda number: sizes[number]), step)
        words, lengths = drop_words(batch.words, batch.lengths, self.token_dropout, step.rng)
        for embedder in self.setting.embedders:
            inputs = self.setting.forms.to_doc_spans(embedder.model.ops, words, lengths)
            targets = make_targets(
                embedder.model.ops, batch.triplets, batch.sections, batch.articles
            )
            targets.rng = step.rng
            value = embedder.learn(
                inputs, targets, loss=self.loss, drop=step.dropout, weight=self.weight
            )
            step.losses[embedder.name] = step.losses.get(embedder.name, 0.0) + value
        return {}

    def _take(self, numbers: list[int], step: Step) -> ArticleBatch:
        batch = self.setting.corpus.take(numbers)
        if self.draw is not None:
            return batch.select(self.draw(batch, step.rng))
        losses = [self.loss or embedder.loss for embedder in self.setting.embedders]
        if all(isinstance(loss, TripletLoss) for loss in losses):
            return batch.select(batch.is_in_triplet)
        return batch.select(~batch.is_other)


def drop_words(
    words: np.ndarray, lengths: np.ndarray, rate: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of words with a share of the words left out at random."""
    if not rate:
        return words, lengths
    kept = rng.random(len(words)) >= rate
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return words[kept], np.bincount(rows[kept], minlength=len(lengths))
