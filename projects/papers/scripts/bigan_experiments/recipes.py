"""How long the rows of an image set are trained, and how fast."""

from __future__ import annotations

from dataclasses import dataclass


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
