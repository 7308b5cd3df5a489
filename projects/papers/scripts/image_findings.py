"""What became of the claims of Zamorski & Zieba (2019), of the rows of bigan_images.py."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import t as student

import claims
from claims import ACCURACY, HELD, MAP, MODELS, NOT_HELD, OPEN, count_up, is_above
from spacy_thematic.evaluation.results import render

CHOSEN = "chosen"
"""In the place of a lambda: that which held-out items choose."""
Interval = tuple[float, float, float]
"""The mean of some seeds, and both ends of its 95 per cent interval."""


class Cells:
    """What was measured of images, by row and cell, of a dict for each row, cell and seed."""

    def __init__(self, rows: Sequence[dict[str, Any]]):
        self.values = {
            (row["name"], row["triplet_weight"], row["width"], row["labels"], row["seed"]): row
            for row in rows
        }
        self.rows = {key[:2] for key in self.values}
        widths, labels = ({row[key] for row in rows} for key in ("width", "labels"))
        most = {(m, n) for m in widths for n in labels if self._seeds(m, n)}
        # Where the line of cells with one m and that with one n cross.
        self.main = max(
            most, key=lambda at: (sum((m == at[0]) + (n == at[1]) for m, n in most), *at)
        )
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


def interval(values: np.ndarray) -> Interval:
    """The mean of some seeds, and its 95 per cent interval by Student's t."""
    n, mean = len(values), float(values.mean())
    if n < 2:
        return mean, -np.inf, np.inf
    half = float(student.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n))
    return mean, mean - half, mean + half


def _show(found: Interval) -> str:
    return f"{found[0]:+.3f} ± {found[2] - found[0]:.3f}"


def _count_seeds(cells: Cells) -> str:
    """How many seeds the cells have, the fewest and the most."""
    seeds = [len(cells.read(MODELS[0], cell, ACCURACY, 0)) for cell in cells.every]
    return " to ".join(map(str, sorted({min(seeds), max(seeds)})))


def _describe_cells(cells: Cells) -> str:
    chosen = ", ".join(f"{cells.choose(m, n):g} (m {m}, n {n})" for m, n in cells.every)
    steps = [row["steps"] for (name, *_), row in cells.values.items() if name == MODELS[0]]
    return (
        f"Seeds: {_count_seeds(cells)}; held-out items choose the lambda {chosen}; Triplet's best "
        f"step {min(steps):,} to {max(steps):,}."
    )


def describe_sets(sets: Mapping[str, Cells]) -> str:
    """How many cells and seeds each set has."""
    return "; ".join(
        f"{name}: cells {len(cells.every)}, seeds {_count_seeds(cells)}"
        for name, cells in sets.items()
    )


def _list_effects() -> Iterator[tuple[str, str, str]]:
    for claim in claims.IMAGE_CLAIMS:
        for measure in claim.measures:
            yield claim.first, claim.second, measure


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
    yield f"## Images: rows of `bigan_images.py {name}`\n\n{_describe_cells(cells)}\n"
    yield render(lines) + "\n"


def _differ(
    cells: Cells, first: str, second: str, cell: tuple[int, int], measure: str, weight: Any
) -> Interval:
    a, b = (cells.read(name, cell, measure, weight) for name in (first, second))
    return interval(a - b)


def summarise_images(sets: Mapping[str, Cells], in_full: bool = False) -> Iterator[dict[str, str]]:
    """What became of each claim, by measure and set, beside the paper's figures, with the lambda
    that held-out items choose, and with lambda 1, if that has another verdict. In full: ours, too,
    and the figures with both."""

    def judge_all(
        claim: str,
        measures: Sequence[str],
        find: Callable[[Cells, str, Any], list[Interval]],
        paper: Callable[[str], list[float]] = lambda measure: [],
        judge: Callable[[float, float], str] = is_above,
        with_figures: bool = True,
    ) -> Iterator[dict[str, str]]:
        for measure in measures:
            made = {"claim": claim * (measure == measures[0]), "measure": measure}
            made["the paper"] = _show_range(paper(measure)) * with_figures
            for name, cells in sets.items():
                verdicts = {}
                for weight in (1.0, CHOSEN):
                    found = find(cells, measure, weight)
                    verdict = count_up([judge(low, high) for _, low, high in found])
                    shown = _show_range([mean for mean, _, _ in found])
                    verdicts[weight] = verdict, f" ({shown})" * bool(found and with_figures)
                one, chosen = verdicts[1.0], verdicts[CHOSEN]
                if in_full:
                    made[name] = " / ".join(dict.fromkeys(["".join(one), "".join(chosen)]))
                else:
                    other = f"; lambda 1: {one[0]}" * (one[0] != chosen[0])
                    made[name] = "".join(chosen) + other
            yield made

    def read_paper(of: Callable[[tuple[float, float, float]], float], measure: str) -> list[float]:
        tables = (table for (_, one, _), table in claims.IMAGES.items() if one == measure)
        return [of(row) for table in tables for row in table.values()]

    for claim, section, first, second, measures in [
        *claims.IMAGE_CLAIMS,
        *claims.IMAGE_OURS * in_full,
    ]:
        a, b = (MODELS.index(name) if name in MODELS else -1 for name in (first, second))
        paper = partial(read_paper, lambda row, a=a, b=b: row[a] - row[b])
        yield from judge_all(
            f"{claim} ({section.removeprefix('4.1, ')})", measures,
            partial(_differ_everywhere, first, second),
            *[paper] * (b >= 0),
        )  # fmt: skip
    for kind, (claim, section) in claims.IMAGE_ENDS.items():
        yield from judge_all(
            f"{claim} ({section})", (ACCURACY, MAP), partial(_compare_ends, kind),
            lambda measure, kind=kind: [*claims.compare_ends(measure, kind).values()],
        )  # fmt: skip
    least, most = claims.GAIN
    yield from judge_all(
        f"Triplet BiGAN gains {least} to {most} over Triplet (4.1)", (MAP,),
        partial(_differ_everywhere, MODELS[2], MODELS[0]),
        partial(read_paper, lambda row: row[2] - row[0]),
        lambda low, high: HELD if least <= low and high <= most
        else NOT_HELD if high < least or low > most else OPEN,
        with_figures=in_full,  # Those of the first claim.
    )  # fmt: skip
    limit = claims.NEAR_CHANCE
    yield from judge_all(
        f"BiGAN's retrieval is near chance, .1: below {limit} (4.1; the bound is ours)",
        (MAP,),
        lambda cells, measure, _: [
            interval(cells.read(MODELS[1], cell, measure, 0.0)) for cell in cells.every
        ],
        partial(read_paper, lambda row: row[1]),
        lambda low, high: is_above(limit - high, limit - low),
    )


def _show_range(values: Sequence[float]) -> str:
    ends = sorted({f"{value:+.3f}" for value in values}, key=float)
    return " to ".join(dict.fromkeys([*ends[:1], *ends[-1:]]))


def _differ_everywhere(
    first: str, second: str, cells: Cells, measure: str, weight: Any
) -> list[Interval]:
    return [_differ(cells, first, second, cell, measure, weight) for cell in cells.every]


def _compare_ends(kind: str, cells: Cells, measure: str, weight: Any) -> list[Interval]:
    """Triplet BiGAN with the largest m, or n, less that with the smallest; nothing if it is one."""
    low, high = cells.places[kind][0], cells.places[kind][-1]
    if low == high:
        return []
    more = cells.read(MODELS[2], high, measure, weight, low)
    return [interval(more - cells.read(MODELS[2], low, measure, weight, high))]
