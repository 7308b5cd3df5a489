"""What a loss of a batch is given, and what it returns."""

from dataclasses import dataclass, field

import numpy as np
from thinc.api import Ops
from thinc.loss import Loss
from thinc.types import Floats2d, Ints1d, Ints2d


@dataclass
class Targets:
    """What a loss is told of the n encoded rows (sentences and titles) of a batch: triplets of row
    numbers of anchor, positive and negative, (m, 3); a number for each section, distinct between
    articles, (n,), and for each article, from 0, (n,)."""

    triplets: Ints2d
    sections: Ints1d
    articles: Ints1d
    ops: Ops
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))


class BatchLoss(Loss):
    """A loss that is called with the vectors of a batch, (n, width), and `Targets`, and returns the
    gradient, (n, width), and the loss."""

    def get_grad(self, guesses: Floats2d, truths: Targets) -> Floats2d:
        return self(guesses, truths)[0]

    def get_loss(self, guesses: Floats2d, truths: Targets) -> float:
        return self(guesses, truths)[1]
