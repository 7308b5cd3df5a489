"""Learning from the sections of articles: triplets, pairs, contrasts, as the loss says."""

from dataclasses import dataclass
from functools import partial

from spacy.util import registry
from thinc.loss import Loss

from spacy_thematic.losses.triplet import TripletLoss
from spacy_thematic.pipeline.batching import make_targets
from spacy_thematic.training import objective
from spacy_thematic.triplets.compiled import ArticleBatch


@registry.misc("spacy-thematic.SectionStructure.v1")
@dataclass
class SectionStructure(objective.Objective):
    """The paper's way to learn (Ein Dor et al. 2018), and all others that need sections alone, by a
    loss, None for that of the component, from `n_articles` a step, 0 for the batches of
    [training.batcher]."""

    loss: Loss | None = None
    n_articles: int = 0

    def start(self, setting: objective.Setting) -> objective.Order:
        self.setting = setting
        batcher = setting.training["batcher"]
        if self.n_articles:
            batcher = partial(
                objective.batch_by_count, size=min(self.n_articles, len(setting.articles))
            )
        return objective.make_order(setting, batcher)

    def step(self, step: objective.Step) -> dict[str, float]:
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

    def take(self, numbers: list[int], step: objective.Step) -> ArticleBatch:
        """What is learned from articles: the rows that triplets name, and if a loss reads more than
        triplets all openers."""
        batch = self.setting.corpus.take(numbers)
        losses = [self.loss or embedder.loss for embedder in self.setting.embedders]
        if all(isinstance(loss, TripletLoss) for loss in losses):
            return batch.select(batch.is_in_triplet)
        return batch.select(~batch.is_other)
