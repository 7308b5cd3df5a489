"""What became of the claims of Zamorski & Zieba (2019), of the rows of bigan_images.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import t as student

import claims
from claims import ACCURACY, MAP, MODELS
from spacy_thematic.evaluation.results import render
from verdicts import HELD, NOT_HELD, OPEN, count_up, is_above

CHOSEN = "chosen"
"""In the place of a lambda: that which held-out items choose."""
LAMBDAS: dict[str, Any] = {"lambda 1": 1.0, "chosen lambda": CHOSEN}


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


def iter_columns(sets: Mapping[str, Cells]) -> Iterator[tuple[str, Cells, Any]]:
    """The title of each column, its cells, and its lambda."""
    for name, cells in sets.items():
        for words, weight in LAMBDAS.items():
            yield f"{name}, {words}", cells, weight


def describe_images(sets: Mapping[str, Cells]) -> str:
    """A line for each effect and measure, from the least to the most of all cells.

    Args:
        sets: What was measured of each set of images, by its name.
    """
    lines = []
    for first, second, measure in _list_effects():
        line = {"rows": f"{first} - {second}", "measure": measure}
        a, b = MODELS.index(first), MODELS.index(second)
        for images in ("CIFAR10", "SVHN"):
            line[images] = _show_range(
                values[a] - values[b]
                for kind in "mn"
                for values in claims.IMAGES[images, measure, kind].values()
            )
        for title, cells, weight in iter_columns(sets):
            line[title] = _show_range(
                _differ(cells, first, second, cell, measure, weight)[0] for cell in cells.every
            )
        lines.append(line)
    parts = " ".join(f"Seeds of {name}: {_describe_cells(cells)}." for name, cells in sets.items())
    return (
        "The least and the most of all cells: each m with the most labels a class, and each n with "
        f"one m; t intervals over seeds. {parts}\n\n{render(lines)}"
    )


def _describe_cells(cells: Cells) -> str:
    seeds = [len(cells.read(MODELS[0], cell, ACCURACY, 0)) for cell in cells.every]
    counts = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    chosen = ", ".join(f"{cells.choose(m, n):g} (m {m}, n {n})" for m, n in cells.every)
    return f"{counts}; held-out items choose the lambda {chosen}"


def _list_effects() -> Iterator[tuple[str, str, str]]:
    for claim in claims.IMAGE_CLAIMS:
        for measure in claim.measures:
            yield claim.first, claim.second, measure


def _show_range(values: Iterable[float]) -> str:
    some = sorted(values)
    return f"{some[0]:+.3f} to {some[-1]:+.3f}"


def list_image_tables(name: str, cells: Cells) -> Iterator[str]:
    """Of a set of images, the effects by cell, and what each row has, with intervals over seeds."""
    lines = []
    for first, second, measure in _list_effects():
        a, b = MODELS.index(first), MODELS.index(second)
        for kind, places in cells.places.items():
            line = {"rows": f"{first} - {second}", "measure": f"{measure}, by {kind}"}
            for images in ("CIFAR10", "SVHN"):
                table = claims.IMAGES[images, measure, kind]
                line[images] = "; ".join(f"{k}: {v[a] - v[b]:+.3f}" for k, v in table.items())
            line[f"{name}, lambda 1"] = "; ".join(
                f"{cell[kind == 'n']}: {_show(_differ(cells, first, second, cell, measure, 1.0))}"
                for cell in places
            )
            lines.append(line)
    yield f"## Effects of the image paper, by m and n: {name}\n"
    yield render(lines) + "\n"
    lines = []
    for cell in cells.every:
        for row, weight in sorted(cells.rows, key=lambda row: (row[0] == MODELS[2], row)):
            found = [
                interval(cells.read(row, cell, measure, weight)) for measure in (ACCURACY, MAP)
            ]
            lines.append(
                {
                    "m": cell[0], "labels a class": cell[1], "row": row,
                    "lambda": f"{weight:g}" if weight else "",
                    **{measure: "{:.3f} ({:.3f} to {:.3f})".format(*values)
                       for measure, values in zip((ACCURACY, MAP), found)},
                    "seeds": len(cells.read(row, cell, ACCURACY, weight)),
                }
            )  # fmt: skip
    yield f"## Images: rows of `bigan_images.py {name}`\n"
    yield render(lines) + "\n"


def _differ(
    cells: Cells, first: str, second: str, cell: tuple[int, int], measure: str, weight: Any
) -> tuple[float, float, float]:
    a, b = (cells.read(name, cell, measure, weight) for name in (first, second))
    return interval(a - b)


def summarise_images(sets: Mapping[str, Cells]) -> Iterator[dict[str, str]]:
    """What became of each claim, by set and lambda."""

    def line(claim: str, section: str, measures: Sequence[str], find: Any) -> dict[str, str]:
        made = {"claim": claim, "section": section}
        for title, cells, weight in iter_columns(sets):
            found = {
                measure: count_up([is_above(*one[1:]) for one in find(cells, measure, weight)])
                for measure in measures
            }
            same = len(set(found.values())) == 1
            texts = [*found.values()][:1] if same else map(": ".join, found.items())
            made[title] = "; ".join(texts)
        return made

    for claim, section, first, second, measures in [*claims.IMAGE_CLAIMS, *claims.IMAGE_OURS]:
        named = f"{claim}: {measures[0]}" if len(measures) == 1 else claim
        yield line(
            named, section, measures,
            lambda cells, measure, weight, first=first, second=second: [
                _differ(cells, first, second, cell, measure, weight) for cell in cells.every
            ],
        )  # fmt: skip
    for kind, claim in (("m", "Larger z are better"), ("n", "More labels are better")):
        yield line(
            f"{claim} for Triplet BiGAN: the largest {kind} above the smallest",
            "tables 1 to 8, not said", (ACCURACY, MAP),
            lambda cells, measure, weight, kind=kind: _compare_ends(cells, kind, measure, weight),
        )  # fmt: skip
    least, most = claims.GAIN
    gain = {
        "claim": f"Triplet BiGAN gains {least} to {most} in mAP over Triplet",
        "section": "4.1",
    }
    chance = {
        "claim": f"BiGAN's retrieval is near chance: mAP below {claims.NEAR_CHANCE}",
        "section": "4.1, discussion",
    }
    for title, cells, weight in iter_columns(sets):
        gains = [_differ(cells, MODELS[2], MODELS[0], cell, MAP, weight) for cell in cells.every]
        verdicts = [
            HELD if least <= low and high <= most
            else NOT_HELD if high < least or low > most else OPEN
            for _, low, high in gains
        ]  # fmt: skip
        gain[title] = f"{count_up(verdicts)} ({_show_range(mean for mean, _, _ in gains)})"
        near = [interval(cells.read(MODELS[1], cell, MAP, 0.0)) for cell in cells.every]
        limit = claims.NEAR_CHANCE
        verdicts = [is_above(limit - high, limit - low) for _, low, high in near]
        values = ", ".join(f"{mean:.2f}" for mean, _, _ in near)
        chance[title] = f"{count_up(verdicts)} ({values})"
    yield from (gain, chance)
    title, *_ = next(iter_columns(sets))
    for claim, section, why in claims.IMAGE_OPEN:
        yield {"claim": claim, "section": section, title: f"{OPEN}: {why}"}


def _compare_ends(
    cells: Cells, kind: str, measure: str, weight: Any
) -> list[tuple[float, float, float]]:
    """Triplet BiGAN with the largest m, or n, less that with the smallest; nothing if it is one."""
    low, high = cells.places[kind][0], cells.places[kind][-1]
    if low == high:
        return []
    more = cells.read(MODELS[2], high, measure, weight, low)
    return [interval(more - cells.read(MODELS[2], low, measure, weight, high))]
