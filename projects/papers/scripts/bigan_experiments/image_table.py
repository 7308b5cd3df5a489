"""A table of encoders of images: trains its rows, measures them, and keeps both as files."""

import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import srsly
import torch
from safetensors.torch import load_file, save
from torch import nn
from wasabi import msg

from spacy_thematic.files import write_bytes, write_json
from triplet_bigan import CollapseMonitor, Game

from .fit import DrawTriplets, Schedule, encode, fit, mean_measures, triplets_of_classes
from .image_sets import ImageSet, draw_labelled, hold_out_last
from .images import ImageDiscriminator, ImageEncoder, ImageGenerator
from .retrieval import mean_average_precision, neighbour_accuracy

Measured = dict[str, float]

TRIPLET = "Triplet"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"


@dataclass(frozen=True)
class Recipe:
    """Sizes and schedules of the rows: channels of the first layers, 32 in the papers; steps of the
    game without triplets, and then with them, or of triplets alone; items of each class, the last
    of the training set, that are left out of training to choose lambda and the steps of Triplet by;
    and each lambda."""

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


class Table:
    """The encoders of an image set by a recipe. Finished rows and their encoders are in the folder
    `out`."""

    def __init__(self, images: ImageSet, recipe: Recipe, out: Path):
        self.images, held_out, held_out_labels = hold_out_last(images, recipe.validation)
        self.recipe = recipe
        self.out = out
        self.train = torch.from_numpy(self.images.train)
        self.queries = {
            "": (self.images.test, self.images.test_labels),
            "validation_": (held_out, held_out_labels),
        }

    def make(self, cell: Cell) -> None:
        """Make the rows of a cell, except those that exist."""
        for row in iter_rows(self.recipe):
            path = self.path(row, cell)
            if path.exists():
                continue
            start = time.process_time()
            game, measures = self.train_row(row, cell)
            scores = self.score(game.encoder, cell)
            write_bytes(path.with_suffix(".safetensors"), save(join_nets(game).state_dict()))
            content = {**row._asdict(), **cell._asdict(), **scores}
            content |= {"cpu_seconds": time.process_time() - start, **measures}
            write_json(path, {**content, "recipe": asdict(self.recipe)})
            msg.good(f"{path.stem}: {scores}")

    def train_row(self, row: Row, cell: Cell) -> tuple[Game, Measured]:
        recipe = self.recipe
        game = self.make_game(cell)
        if row.name == BIGAN:
            # As many steps of the game as a Triplet BiGAN has.
            return game, self.pretrain(game, cell, recipe.pretraining + recipe.joint)
        rows = self.labelled(cell)
        triplets = triplets_of_classes(self.train[rows], self.images.train_labels[rows])
        if row.name == TRIPLET:
            return game, self.fit_to_best(game, cell, triplets)
        self.pretrain(game, cell, recipe.pretraining)
        joint = row.name == TRIPLET_BIGAN
        schedule = Schedule(recipe.joint, row.triplet_weight or 1.0, float(joint))
        return game, self.fit(game, schedule, cell.seed, triplets)

    def fit_to_best(self, game: Game, cell: Cell, triplets: DrawTriplets) -> Measured:
        """Train on triplets alone for as many steps as a Triplet BiGAN has in all; keep the encoder
        that is the best on held-out items, by accuracy, then mAP, of every half of `joint`."""
        recipe, seen = self.recipe, []

        def keep(step: int) -> None:
            if step % max(recipe.joint // 2, 1) == 0:
                scores = self.score(game.encoder, cell)
                key = scores["validation_accuracy"], scores["validation_mean_average_precision"]
                seen.append((key, step, deepcopy(game.encoder.state_dict())))

        schedule = Schedule(recipe.pretraining + recipe.joint, game_weight=0)
        measures = self.fit(game, schedule, cell.seed, triplets, keep)
        _, steps, weights = max(seen, key=lambda one: one[0])
        game.encoder.load_state_dict(weights)
        return {"steps": steps, **measures}

    def pretrain(self, game: Game, cell: Cell, steps: int) -> Measured:
        """Make a game one that has had so many steps without triplets, which are trained once for
        a width and a seed, and kept."""
        path = self.out / "pretrained" / f"{cell.width}-{cell.seed}-{steps}.safetensors"
        nets = join_nets(game)
        if path.exists():
            nets.load_state_dict(load_file(path))
            return srsly.read_json(path.with_suffix(".json"))
        before = self.recipe.pretraining if steps > self.recipe.pretraining else 0
        if before:
            self.pretrain(game, cell, before)
        schedule = Schedule(steps - before, triplet_weight=0)
        measures = self.fit(game, schedule, cell.seed + before)
        write_json(path.with_suffix(".json"), measures)
        write_bytes(path, save(nets.state_dict()))
        return measures

    def load_game(self, row: Row, cell: Cell) -> Game:
        game = self.make_game(cell)
        join_nets(game).load_state_dict(load_file(self.path(row, cell).with_suffix(".safetensors")))
        return game

    def fit(
        self, game: Game, schedule: Schedule, seed: int, triplets=None, check=lambda step: None
    ) -> Measured:
        # However the game goes, its row is a result; the measures of the game say how it went.
        monitor = CollapseMonitor(schedule.steps + 1)
        log = fit(game, self.train, schedule, triplets, monitor=monitor, seed=seed, check=check)
        return {
            "triplet_loss": float(np.mean(log.triplet_losses[-50:] or [0.0])),
            **mean_measures(log.measures[-200:]),
        }

    def make_game(self, cell: Cell) -> Game:
        torch.manual_seed(cell.seed)
        colours, size = self.train.shape[1:3]
        c, width = self.recipe.channels, cell.width
        return Game(
            ImageEncoder(colours, size, width, c),
            ImageGenerator(width, colours, size, c),
            ImageDiscriminator(colours, size, width, c),
            width,
        )

    def labelled(self, cell: Cell) -> np.ndarray:
        return draw_labelled(self.images.train_labels, cell.labels, cell.seed)

    def score(self, encoder: nn.Module, cell: Cell) -> Measured:
        rows = self.labelled(cell)
        known = encode(encoder, self.train[rows]), self.images.train_labels[rows]
        scores = {}
        for name, (items, labels) in self.queries.items():
            given = (*known, encode(encoder, torch.from_numpy(items)), labels)
            scores[f"{name}accuracy"] = neighbour_accuracy(*given)
            scores[f"{name}mean_average_precision"] = mean_average_precision(*given)
        return scores

    def path(self, row: Row, cell: Cell) -> Path:
        return self.out / f"{row.name}-{'-'.join(map(str, cell))}-{row.triplet_weight:g}.json"


def join_nets(game: Game) -> nn.ModuleDict:
    return nn.ModuleDict({"e": game.encoder, "g": game.generator, "d": game.discriminator})
