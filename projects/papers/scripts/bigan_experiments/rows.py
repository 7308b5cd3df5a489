"""The rows of a table of encoders of images: which there are, and how the table is printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import srsly

from .recipes import Recipe

TRIPLET = "Triplet"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"


class Row(NamedTuple):
    """A way of training: its kind, the steps of its pretraining, and lambda where there is one."""

    name: str
    pretraining: int = 0
    triplet_weight: float = 0.0


class Cell(NamedTuple):
    """Where a row is measured: the width of z, the labels of a class, and the seed."""

    width: int
    labels: int
    seed: int


Results = dict[tuple[int, int, Row], list[dict[str, Any]]]
"""What was measured, a dict for each seed, by width, labels and row."""


def rows_after(recipe: Recipe, steps: int) -> list[Row]:
    """The rows that begin after so many steps of pretraining."""
    joint = [Row(TRIPLET_BIGAN, steps, weight) for weight in recipe.triplet_weights]
    return [Row(BIGAN, steps), *joint, Row(FINE_TUNED, steps)]


def iter_rows(recipe: Recipe) -> Iterator[Row]:
    yield Row(TRIPLET)
    for steps in recipe.starts:
        yield from rows_after(recipe, steps)


def read_results(folder: Path) -> Results:
    results: Results = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        found = srsly.read_json(path)
        row = Row(found["name"], found["pretraining"], found["triplet_weight"])
        results[found["width"], found["labels"], row].append(found)
    return results


def choose_weight(
    results: Results, recipe: Recipe, width: int, n_labels: int, steps: int
) -> float | None:
    """The lambda of the highest accuracy on held-out training items, the mean over seeds; the only
    lambda of a recipe that has no other; None if nothing was measured."""

    def score(weight: float) -> float:
        found = results.get((width, n_labels, Row(TRIPLET_BIGAN, steps, weight)), [])
        return float(np.mean([r["validation_accuracy"] for r in found])) if found else -1.0

    if len(recipe.triplet_weights) == 1:
        return recipe.triplet_weights[0]
    best = max(recipe.triplet_weights, key=score)
    return best if score(best) >= 0 else None


def print_table(folder: Path, recipe: Recipe) -> None:
    """Print a line for each width, number of labels and of steps of pretraining.

    It counts the seeds that all its finished rows have. The last column is the chosen lambda.
    """
    results = read_results(folder)
    names = [
        f"{row.name}, {row.triplet_weight:g}" if row.triplet_weight else row.name
        for row in (Row(TRIPLET), *rows_after(recipe, 0))
    ]
    print(f"| m | labels a class | pretraining | seeds | {' | '.join(names)} | lambda |")
    print("| --- " * (5 + len(names)) + "|")
    for width, n_labels in sorted({key[:2] for key in results}):
        for steps in recipe.starts:
            rows = (Row(TRIPLET), *rows_after(recipe, steps))
            scores = [results.get((width, n_labels, row), []) for row in rows]
            if not any(scores):
                continue
            chosen = choose_weight(results, recipe, width, n_labels, steps)
            seeds = set.intersection(*({r["seed"] for r in found} for found in scores if found))
            scores = [[r for r in found if r["seed"] in seeds] for found in scores]
            cells = [width, n_labels, steps, len(seeds), *map(summarize, scores)]
            cells.append("" if chosen is None else f"{chosen:g}")
            print("".join(f"| {cell} " for cell in cells) + "|")


def summarize(found: list[dict[str, Any]]) -> str:
    """Means over seeds, accuracy / mAP, with the standard error of each."""
    parts = []
    for key in ("accuracy", "mean_average_precision"):
        values = [row[key] for row in found]
        if not values:
            return ""
        error = f" ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}" if len(values) > 1 else ""
        parts.append(f"{np.mean(values):.3f}{error}")
    return " / ".join(parts)
