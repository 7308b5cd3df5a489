"""What became of the claims of Zamorski & Zieba (2019), of the rows of bigan_images.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.stats import t as student

import claims
from claims import ACCURACY, MAP, MODELS
from spacy_thematic.evaluation.markdown import render
from verdicts import OPEN, is_above, sum_up

CHOSEN = "chosen"
"""In the place of a lambda: that which held-out items choose."""


class Cells:
    """What was measured of images, by row and cell.

    Args:
        rows: A dict for each row, cell and seed.
    """

    def __init__(self, rows: Sequence[dict[str, Any]]):
        self.values = {
            (row["name"], row["triplet_weight"], row["width"], row["labels"], row["seed"]): row
            for row in rows
        }
        self.rows = {key[:2] for key in self.values}
        widths, labels = ({row[key] for row in rows} for key in ("width", "labels"))
        most = {(m, n) for m in widths for n in labels if self._seeds(m, n)}
        self.main = max(most, key=lambda cell: (cell[1], sum(m == cell[0] for m, _ in most)))
        self.weights = sorted({row["triplet_weight"] for row in rows} - {0})
        self.places = {
            "m": sorted(cell for cell in most if cell[1] == self.main[1]),
            "n": sorted(cell for cell in most if cell[0] == self.main[0]),
        }
        self.every = list(dict.fromkeys([*self.places["m"], *self.places["n"]]))

    def _seeds(self, m: int, n: int) -> list[int]:
        """Those that have all rows of a cell."""
        seeds = {key[4] for key in self.values}
        return [
            s for s in sorted(seeds) if all((*row, m, n, s) in self.values for row in self.rows)
        ]

    def choose(self, m: int, n: int) -> float:
        """The lambda of the highest accuracy on held-out items, the mean over seeds."""

        def score(weight: float) -> float:
            return float(np.mean(self.read(MODELS[2], (m, n), "validation_accuracy", weight)))

        return max(self.weights, key=score)

    def read(
        self, name: str, cell: tuple[int, int], measure: str, weight: Any, other: Any = None
    ) -> np.ndarray:
        """A value for each seed, of those that another cell has, too; weight: lambda, or
        `CHOSEN`."""
        key = {MAP: "mean_average_precision"}.get(measure, measure)
        if weight == CHOSEN:
            weight = self.choose(*cell)
        row = name, weight if name == MODELS[2] else 0
        seeds = [s for s in self._seeds(*cell) if s in self._seeds(*(other or cell))]
        return np.array([self.values[*row, *cell, s][key] for s in seeds])


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """The mean of some seeds, and its 95 per cent interval by Student's t."""
    n, mean = len(values), float(values.mean())
    if n < 2:
        return mean, -np.inf, np.inf
    half = float(student.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n))
    return mean, mean - half, mean + half


def _show(found: tuple[float, float, float]) -> str:
    return f"{found[0]:+.3f} ± {found[2] - found[0]:.3f}"


def describe_images(rows: list[dict[str, Any]]) -> str:
    """A line for each effect, measure, and what varies."""
    cells, lines = Cells(rows), []
    shown = [(claim.first, claim.second, measure) for claim in claims.IMAGE_CLAIMS
             for measure in claim.measures]  # fmt: skip
    for first, second, measure in shown:
        for kind, places in cells.places.items():
            line = {"rows": f"{first} - {second}", "measure": f"{measure}, by {kind}"}
            for images in ("CIFAR10", "SVHN"):
                table = claims.IMAGES[images, measure, kind]
                a, b = MODELS.index(first), MODELS.index(second)
                line[images] = "; ".join(f"{k}: {v[a] - v[b]:+.3f}" for k, v in table.items())
            line["digits, lambda 1"] = "; ".join(
                f"{cell[kind == 'n']}: {_show(_differ(cells, first, second, cell, measure, 1.0))}"
                for cell in places
            )
            lines.append(line)
    seeds = {len(cells.read(MODELS[0], cell, ACCURACY, 0)) for cell in cells.every}
    m, n = cells.main
    chosen = ", ".join(
        f"{cells.choose(*cell):g} (m {cell[0]}, n {cell[1]})" for cell in cells.every
    )
    counts = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    return (
        f"Digits: {counts} seeds, t intervals over them; by m with n = {n} labels a class, by n "
        f"with m = {m}. Held-out items choose these lambda: {chosen}.\n\n"
        f"{render(lines)}"
    )


def list_image_values(rows: list[dict[str, Any]]) -> Iterator[str]:
    """A table of what each row of images has, with intervals over seeds."""
    if not rows:
        return
    cells, lines = Cells(rows), []
    for cell in cells.every:
        for name, weight in sorted(cells.rows, key=lambda row: (row[0] == MODELS[2], row)):
            found = [
                interval(cells.read(name, cell, measure, weight)) for measure in (ACCURACY, MAP)
            ]
            lines.append(
                {
                    "m": cell[0], "labels a class": cell[1], "row": name,
                    "lambda": f"{weight:g}" if weight else "",
                    **{measure: "{:.3f} ({:.3f} to {:.3f})".format(*values)
                       for measure, values in zip((ACCURACY, MAP), found)},
                    "seeds": len(cells.read(name, cell, ACCURACY, weight)),
                }
            )  # fmt: skip
    yield "## Images: rows of `bigan_images.py`\n"
    yield render(lines) + "\n"


def _differ(
    cells: Cells, first: str, second: str, cell: tuple[int, int], measure: str, weight: Any
) -> tuple[float, float, float]:
    a, b = (cells.read(name, cell, measure, weight) for name in (first, second))
    return interval(a - b)


def summarise_images(rows: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """What became of each claim, by lambda."""
    cells = Cells(rows)
    columns = {"lambda 1": 1.0, "chosen lambda": CHOSEN}

    def line(claim: str, section: str, find: Any) -> dict[str, str]:
        found = {name: [(where, is_above(*value[1:])) for where, value in find(weight)]
                 for name, weight in columns.items()}  # fmt: skip
        return {"claim": claim, "section": section,
                **{name: sum_up(some) for name, some in found.items()}}  # fmt: skip

    def name(cell: tuple[int, int]) -> str:
        return f"m {cell[0]} n {cell[1]}"

    pairs = [*claims.IMAGE_CLAIMS, *claims.IMAGE_OURS]
    for claim, section, first, second, measures in pairs:
        for measure in measures:
            yield line(
                f"{claim}: {measure}", section,
                lambda weight, first=first, second=second, measure=measure: [
                    (name(cell), _differ(cells, first, second, cell, measure, weight))
                    for cell in cells.every
                ],
            )  # fmt: skip
    for kind, claim in (("m", "Larger z are better for Triplet BiGAN"),
                        ("n", "More labels are better for Triplet BiGAN")):  # fmt: skip
        low, high = cells.places[kind][0], cells.places[kind][-1]
        place = kind == "n"
        yield line(
            f"{claim}: {kind} = {high[place]} above {low[place]}", "tables 1 to 8",
            lambda weight, low=low, high=high: [
                (measure, interval(cells.read(MODELS[2], high, measure, weight, low)
                                   - cells.read(MODELS[2], low, measure, weight, high)))
                for measure in (ACCURACY, MAP)
            ],
        )  # fmt: skip
    near = [(name(cell), interval(cells.read(MODELS[1], cell, MAP, 0.0))) for cell in cells.every]
    limit = claims.NEAR_CHANCE
    verdicts = [(where, is_above(limit - high, limit - low)) for where, (_, low, high) in near]
    values = ", ".join(f"{value[0]:.2f}" for _, value in near)
    yield {
        "claim": f"BiGAN's retrieval is near chance: mAP below {claims.NEAR_CHANCE}",
        "section": "4.1, discussion", "lambda 1": f"{sum_up(verdicts)} ({values})",
    }  # fmt: skip
    for claim, section, why in claims.IMAGE_OPEN:
        yield {"claim": claim, "section": section, "lambda 1": f"{OPEN}: {why}"}
