"""How the rows of an image set are trained: by our recipe, or by the paper's."""

from __future__ import annotations

from dataclasses import dataclass, replace

from triplet_bigan import Stabilizers

from .fit import Schedule


@dataclass(frozen=True)
class Recipe:
    """Sizes, schedules and nets of the rows.

    Attributes:
        channels: Of the first layers.
        alone: The schedule of triplets without the game, from the start or after pretraining.
        pretraining: The schedule of the game without triplets.
        joint: The schedule of both, after pretraining.
        stabilizers: What keeps the game in balance.
        checkpoints: Steps of pretraining, beside all of them, after which rows begin.
        triplet_weights: Each lambda of the joint rows.
        validation: Items of each class, the last of the training set, that are left out of training
            to choose lambda by.
        stochastic: Whether E ends in a stochastic block (see `Reparametrized`).
        image_layers: Of D_x.
        spectral_normalization: Whether D has it.
    """

    channels: int
    alone: Schedule
    pretraining: Schedule
    joint: Schedule
    stabilizers: Stabilizers
    checkpoints: tuple[int, ...] = ()
    triplet_weights: tuple[float, ...] = (100.0,)
    validation: int = 0
    stochastic: bool = False
    image_layers: int = 4
    spectral_normalization: bool = True

    @property
    def starts(self) -> tuple[int, ...]:
        """Each number of steps of pretraining after which rows begin."""
        return (*self.checkpoints, self.pretraining.steps)


def make_recipe(channels: int, pretraining: int, joint: int, alone: int, **settings) -> Recipe:
    """From numbers of steps; settings of `Schedule` hold for all rows."""
    base = Schedule(alone, triplet_weight=100, **settings)
    return Recipe(
        channels,
        alone=replace(base, game_weight=0),
        pretraining=replace(base, steps=pretraining, triplet_weight=0),
        joint=replace(base, steps=joint),
        stabilizers=Stabilizers(reconstruction=3),
    )


def without_reconstruction(recipe: Recipe) -> Recipe:
    return replace(recipe, stabilizers=Stabilizers())


def without_noise(recipe: Recipe) -> Recipe:
    return replace(recipe, stochastic=False)


def as_written(recipe: Recipe) -> Recipe:
    """Replace what a recipe has otherwise than Zamorski & Zieba (2019).

    That is reconstruction, an E without noise, a smaller D_x, a single lambda and a short
    pretraining. Channels, batches and normalisation stay those of the recipe; the long pretraining
    has a rate of 2e-4, and labels get at least 400 steps.
    """
    return replace(
        without_reconstruction(recipe),
        pretraining=replace(recipe.pretraining, steps=20_000, learn_rate=2e-4),
        joint=replace(recipe.joint, steps=max(recipe.joint.steps, 400)),
        alone=replace(recipe.alone, steps=max(recipe.alone.steps, 400)),
        checkpoints=(0, 1000, 5000),
        triplet_weights=(1.0, 10.0, 100.0),
        validation=50,
        stochastic=True,
        image_layers=5,
    )


LARGE = make_recipe(64, 50_000, 20_000, 5_000, batch_size=100)
OURS = {
    "digits": make_recipe(16, 400, 200, 200, learn_rate=1e-3),
    "mnist5k": make_recipe(8, 400, 200, 200, learn_rate=1e-3, batch_size=32),
    "cifar10": LARGE,
    "svhn": LARGE,
}
RECIPES = {
    "ours": OURS,
    "ours-without-reconstruction": {k: without_reconstruction(r) for k, r in OURS.items()},
    "paper": {k: as_written(r) for k, r in OURS.items()},
    "paper-without-noise": {k: without_noise(as_written(r)) for k, r in OURS.items()},
}
"""By the name of the recipe, then by that of the set."""
