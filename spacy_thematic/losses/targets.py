"""What a loss of a batch is given, and what it returns; and distances between paired rows, with
gradients."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from thinc.api import Ops, get_array_module
from thinc.loss import Loss
from thinc.types import Floats1d, Floats2d, Ints1d, Ints2d

from spacy_thematic.rows import divide_rows

Distance = Literal["L1", "L2", "cosine"]
Backprop = Callable[[Floats1d], tuple[Floats2d, Floats2d]]

EPSILON = 1e-8


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


def distance(name: str, A: Floats2d, B: Floats2d) -> tuple[Floats1d, Backprop]:
    """The distance of each row of A to the same row of B, (n, width): "L1", sum |a - b|; "L2",
    sqrt(sum (a - b)^2 + 1e-8); or "cosine", 1 - cos(a, b). Returns the distances, (n,), and a
    callback that turns the gradient with respect to them into those with respect to A and B. Raises
    ValueError for another name."""
    if name not in get_args(Distance):
        expected = ", ".join(get_args(Distance))
        raise ValueError(f"Expected a distance, one of {expected}, found {name!r}.")
    if name == "cosine":
        return _cosine(A, B)
    xp = get_array_module(A)
    difference = A - B
    if name == "L1":
        distances, slopes = xp.abs(difference).sum(axis=1), xp.sign(difference)
    else:
        distances = xp.sqrt((difference**2).sum(axis=1) + EPSILON)
        slopes = difference / distances[:, None]

    def backprop(d_distance: Floats1d) -> tuple[Floats2d, Floats2d]:
        dA = slopes * d_distance[:, None]
        return dA, -dA

    return distances, backprop


def _cosine(A: Floats2d, B: Floats2d) -> tuple[Floats1d, Backprop]:
    unit_A, backprop_A = normalize_rows(A)
    unit_B, backprop_B = normalize_rows(B)

    def backprop(d_distance: Floats1d) -> tuple[Floats2d, Floats2d]:
        d_cosine = -d_distance[:, None]
        return backprop_A(unit_B * d_cosine), backprop_B(unit_A * d_cosine)

    return 1 - (unit_A * unit_B).sum(axis=1), backprop


def normalize_rows(X: Floats2d) -> tuple[Floats2d, Callable[[Floats2d], Floats2d]]:
    """Rows scaled to length 1, x / sqrt(|x|^2 + 1e-8), and the callback for the gradient."""
    xp = get_array_module(X)
    return divide_rows(X, xp.sqrt((X**2).sum(axis=1, keepdims=True) + EPSILON))
