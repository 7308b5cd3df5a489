"""What is learned, the parts that plug into the runner, and in which order; and how the package
learns: from the sections of articles, by triplets, pairs or contrasts, as the loss says."""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.util import minibatch, registry
from thinc.api import Model, Optimizer
from thinc.loss import Loss

from spacy_thematic.losses.triplet import TripletLoss
from spacy_thematic.pipeline.batching import Forms, make_targets
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.triplets.compiled import ArticleBatch, CompiledCorpus


class TrainingError(ValueError):
    """Training cannot start or continue; what was saved before stands."""


@dataclass(slots=True)
class Item:
    """Something to learn from: its number, and as its length its size (words, sentences)."""

    number: int
    size: int

    def __len__(self) -> int:
        return self.size


Batcher = Callable[[Iterable[Item]], Iterable[Sequence[Item]]]


class Order:
    """Batches of items, of the size that each number has, in random order, epoch after epoch: a
    function of the seed and the epoch alone, so that a run that was killed resumes where it
    stopped. The batcher is such as `spacy.batch_by_words.v1`."""

    def __init__(self, numbers: Sequence[int], sizes: Any, batcher: Batcher, seed: int | str):
        self.numbers = numbers
        self.sizes = sizes
        self.batcher = batcher
        self.seed = seed
        self.seek(0, 0)

    def seek(self, epoch: int, batch: int) -> None:
        """Go to a batch of an epoch, both counted from 0."""
        self.epoch, self.batch = epoch, batch
        self._batches = self._iter_epoch(epoch)
        for _ in range(batch):
            next(self._batches, None)
        self._next = next(self._batches, None)

    @property
    def epochs_done(self) -> int:
        """How many epochs have no batch left."""
        return self.epoch + (self._next is None)

    def count_batches(self) -> int:
        """The batches of the first epoch; others may have a few more or less."""
        return sum(1 for _ in self._iter_epoch(0))

    def take(self) -> list[int]:
        """The numbers of the next batch's items."""
        if self._next is None:
            self.seek(self.epoch + 1, 0)
        if self._next is None:
            raise ValueError(
                "There is nothing to train on: the batcher gives no batch. Expected enough "
                "articles for one: add some, or lower the size of a batch in the config."
            )
        taken = [item.number for item in self._next]
        self.batch += 1
        self._next = next(self._batches, None)
        return taken

    def _iter_epoch(self, epoch: int) -> Iterator[Sequence[Item]]:
        order = array("q", self.numbers)
        Random(f"{self.seed}-{epoch}").shuffle(order)
        return iter(self.batcher(Item(number, int(self.sizes[number])) for number in order))


def batch_by_count(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Batches of `size` items; the last items of an epoch that do not fill one are left out."""
    return (batch for batch in minibatch(items, size) if len(batch) == size)


@dataclass
class Setting:
    """What a run gives an objective at its start: the pipeline, those of its embedders that are
    trained, its corpus, the numbers of the articles that are trained on, its words in the
    pipeline's vocabulary, [training], and the seed."""

    nlp: Language
    embedders: list[ThematicEmbedder]
    corpus: CompiledCorpus
    articles: list[int]
    forms: Forms
    training: dict[str, Any]
    seed: int

    @property
    def embedder(self) -> ThematicEmbedder:
        """The embedder, for an objective that trains one only. Raises TrainingError if there are
        several."""
        if len(self.embedders) > 1:
            found = ", ".join(embedder.name for embedder in self.embedders)
            raise TrainingError(
                f"Expected one thematic_embedder to train with this objective, found {found}: name "
                "the others in [training] frozen_components."
            )
        return self.embedders[0]


@dataclass
class Step:
    """One step of training."""

    batch: list[int]  # the numbers of the items to learn from, in the order of the objective
    rng: np.random.Generator  # a function of seed and step
    dropout: float  # rate, as [training.dropout] says
    optimizer: Optimizer
    losses: dict[str, float]  # by component, to which losses are added


@dataclass
class Objective(ABC):
    """Something that a pipeline learns. The runner owns order, schedules, checkpoints and log.

    Attributes:
        weight: factor of its gradient beside that of other objectives.
        from_step: the step from which on it counts.
        models: models of its own, by name; they are saved in checkpoints, not in the pipeline.
    """

    weight: float = 1.0
    from_step: int = 0
    models: dict[str, Model] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.weight <= 0:
            raise ValueError(
                f"Expected the weight of {type(self).__name__} to be above 0, found {self.weight}."
            )

    @abstractmethod
    def start(self, setting: Setting) -> Order:
        """Make ready to learn. Returns the order of what it learns from."""

    @abstractmethod
    def step(self, step: Step) -> dict[str, float]:
        """Add the gradient of one step to the models. Returns its terms for the log."""

    def evaluate(self, dev: CompiledCorpus, articles: Sequence[int]) -> dict[str, float]:
        """Scores on the dev corpus, beside those of the pipeline's components."""
        return {}


def make_order(setting: Setting, batcher: Batcher) -> Order:
    """The order of the articles of the training corpus."""
    return Order(setting.articles, setting.corpus.sizes, batcher, setting.seed)


@registry.misc("spacy-thematic.SectionStructure.v1")
@dataclass
class SectionStructure(Objective):
    """The paper's way to learn (Ein Dor et al. 2018), and all others that need sections alone, by a
    loss, None for that of the component, from `n_articles` a step, 0 for the batches of
    [training.batcher]."""

    loss: Loss | None = None
    n_articles: int = 0

    def start(self, setting: Setting) -> Order:
        self.setting = setting
        batcher = setting.training["batcher"]
        if self.n_articles:
            batcher = partial(batch_by_count, size=min(self.n_articles, len(setting.articles)))
        return make_order(setting, batcher)

    def step(self, step: Step) -> dict[str, float]:
        sizes = self.setting.corpus.sizes
        batch = self.take(sorted(step.batch, key=lambda number: sizes[number]), step)
        for embedder in self.setting.embedders:
            ops = embedder.model.ops
            inputs = self.setting.forms.to_doc_spans(ops, batch.words, batch.lengths)
            targets = make_targets(ops, batch.triplets, batch.sections, batch.articles)
            targets.rng = step.rng
            value = embedder.learn(
                inputs, targets, loss=self.loss, drop=step.dropout, weight=self.weight
            )
            step.losses[embedder.name] = step.losses.get(embedder.name, 0.0) + value
        return {}

    def take(self, numbers: list[int], step: Step) -> ArticleBatch:
        """What is learned from articles: the rows that triplets name, and if a loss reads more than
        triplets all openers."""
        batch = self.setting.corpus.take(numbers)
        losses = [self.loss or embedder.loss for embedder in self.setting.embedders]
        if all(isinstance(loss, TripletLoss) for loss in losses):
            return batch.select(batch.is_in_triplet)
        return batch.select(~batch.is_other)
