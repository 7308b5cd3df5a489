"""What became of the claims of Zamorski & Zieba (2019), of the rows of bigan_images.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy.stats import t as student

import claims
from claims import ACCURACY, MAP, MODELS
from spacy_thematic.evaluation.markdown import render
from verdicts import HELD, NOT_HELD, OPEN, count_up, is_above

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
    """A line for each effect and measure, from the least to the most of all cells."""
    cells, lines = Cells(rows), []
    for first, second, measure in _list_effects():
        line = {"rows": f"{first} - {second}", "measure": measure}
        a, b = MODELS.index(first), MODELS.index(second)
        for images in ("CIFAR10", "SVHN"):
            line[images] = _show_range(
                values[a] - values[b]
                for kind in "mn"
                for values in claims.IMAGES[images, measure, kind].values()
            )
        for name, weight in (("digits, lambda 1", 1.0), ("digits, chosen lambda", CHOSEN)):
            line[name] = _show_range(
                _differ(cells, first, second, cell, measure, weight)[0] for cell in cells.every
            )
        lines.append(line)
    seeds = {len(cells.read(MODELS[0], cell, ACCURACY, 0)) for cell in cells.every}
    m, n = cells.main
    chosen = ", ".join(
        f"{cells.choose(*cell):g} (m {cell[0]}, n {cell[1]})" for cell in cells.every
    )
    counts = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    return (
        f"The least and the most of all cells. Digits: {counts} seeds, t intervals over them; "
        f"{len(cells.every)} cells: m with n = {n} labels a class, n with m = {m}. Held-out items "
        f"choose these lambda: {chosen}.\n\n"
        f"{render(lines)}"
    )


def _list_effects() -> Iterator[tuple[str, str, str]]:
    for claim in claims.IMAGE_CLAIMS:
        for measure in claim.measures:
            yield claim.first, claim.second, measure


def _show_range(values: Iterable[float]) -> str:
    some = sorted(values)
    return f"{some[0]:+.3f} to {some[-1]:+.3f}"


def list_image_tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The effects by cell, and what each row of images has, with intervals over seeds."""
    if not rows:
        return
    cells, lines = Cells(rows), []
    for first, second, measure in _list_effects():
        a, b = MODELS.index(first), MODELS.index(second)
        for kind, places in cells.places.items():
            line = {"rows": f"{first} - {second}", "measure": f"{measure}, by {kind}"}
            for images in ("CIFAR10", "SVHN"):
                table = claims.IMAGES[images, measure, kind]
                line[images] = "; ".join(f"{k}: {v[a] - v[b]:+.3f}" for k, v in table.items())
            line["digits, lambda 1"] = "; ".join(
                f"{cell[kind == 'n']}: {_show(_differ(cells, first, second, cell, measure, 1.0))}"
                for cell in places
            )
            lines.append(line)
    yield "## Effects of the image paper, by m and n\n"
    yield render(lines) + "\n"
    lines = []
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

    def line(claim: str, section: str, measures: Sequence[str], find: Any) -> dict[str, str]:
        made = {"claim": claim, "section": section}
        for name, weight in columns.items():
            found = {
                measure: count_up([is_above(*one[1:]) for one in find(measure, weight)])
                for measure in measures
            }
            same = len(set(found.values())) == 1
            texts = [*found.values()][:1] if same else map(": ".join, found.items())
            made[name] = "; ".join(texts)
        return made

    for claim, section, first, second, measures in [*claims.IMAGE_CLAIMS, *claims.IMAGE_OURS]:
        named = f"{claim}: {measures[0]}" if len(measures) == 1 else claim
        yield line(
            named, section, measures,
            lambda measure, weight, first=first, second=second: [
                _differ(cells, first, second, cell, measure, weight) for cell in cells.every
            ],
        )  # fmt: skip
    for kind, claim in (("m", "Larger z are better for Triplet BiGAN"),
                        ("n", "More labels are better for Triplet BiGAN")):  # fmt: skip
        low, high = cells.places[kind][0], cells.places[kind][-1]
        place = kind == "n"
        yield line(
            f"{claim}: {kind} = {high[place]} above {low[place]}", "tables 1 to 8",
            (ACCURACY, MAP),
            lambda measure, weight, low=low, high=high: [
                interval(cells.read(MODELS[2], high, measure, weight, low)
                         - cells.read(MODELS[2], low, measure, weight, high))
            ],
        )  # fmt: skip
    least, most = claims.GAIN
    gains = [_differ(cells, MODELS[2], MODELS[0], cell, MAP, 1.0) for cell in cells.every]
    verdicts = [
        HELD if least <= low and high <= most else NOT_HELD if high < least or low > most else OPEN
        for _, low, high in gains
    ]
    yield {
        "claim": f"Triplet BiGAN gains {least} to {most} in mAP over Triplet", "section": "4.1",
        "lambda 1": f"{count_up(verdicts)} ({_show_range(mean for mean, _, _ in gains)})",
    }  # fmt: skip
    near = [interval(cells.read(MODELS[1], cell, MAP, 0.0)) for cell in cells.every]
    limit = claims.NEAR_CHANCE
    verdicts = [is_above(limit - high, limit - low) for _, low, high in near]
    values = ", ".join(f"{mean:.2f}" for mean, _, _ in near)
    yield {
        "claim": f"BiGAN's retrieval is near chance: mAP below {claims.NEAR_CHANCE}",
        "section": "4.1, discussion", "lambda 1": f"{count_up(verdicts)} ({values})",
    }  # fmt: skip
    for claim, section, why in claims.IMAGE_OPEN:
        yield {"claim": claim, "section": section, "lambda 1": f"{OPEN}: {why}"}
