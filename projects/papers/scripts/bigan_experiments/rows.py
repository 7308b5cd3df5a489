"""The rows of a table of encoders of images: which there are, and what was measured of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import srsly

from .recipes import Recipe

TRIPLET = "Triplet"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"


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
