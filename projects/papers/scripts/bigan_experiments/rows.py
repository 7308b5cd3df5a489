"""The rows of a table of encoders of images: which there are, how long they are trained, and what
was measured of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import srsly

TRIPLET = "Triplet"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"


@dataclass(frozen=True)
class Recipe:
    """Sizes and schedules of the rows.

    Attributes:
        channels: Of the first layers; 32 in the papers.
        pretraining: Steps of the game without triplets.
        joint: Steps of the game with triplets, after pretraining, or of triplets alone.
        validation: Items of each class, the last of the training set, that are left out of training
            to choose lambda by.
        triplet_weights: Each lambda.
    """

    channels: int
    pretraining: int
    joint: int
    validation: int = 50
    triplet_weights: tuple[float, ...] = (1.0, 10.0, 100.0)


RECIPES = {
    "digits": Recipe(8, 5000, 1000, validation=10),
    "mnist5k": Recipe(8, 5000, 1000),
    "cifar10": Recipe(32, 50_000, 20_000),
    "svhn": Recipe(32, 50_000, 20_000),
}
"""By the name of the set. The papers give no number of steps."""


class Row(NamedTuple):
    """A way of training, and lambda where there is one."""

    name: str
    triplet_weight: float = 0.0


class Cell(NamedTuple):
    """Where a row is measured: the width of z, the labels of a class, and the seed."""

    width: int
    labels: int
    seed: int


def iter_rows(recipe: Recipe) -> Iterator[Row]:
    yield from (Row(TRIPLET), Row(BIGAN))
    yield from (Row(TRIPLET_BIGAN, weight) for weight in recipe.triplet_weights)
    yield Row(FINE_TUNED)


def read_results(folder: Path) -> list[dict[str, Any]]:
    """What was measured, a dict for each row and cell."""
    return [srsly.read_json(path) for path in sorted(folder.glob("*.json"))]
