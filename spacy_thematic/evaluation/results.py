"""From the scores of documents to estimates with intervals, and their differences, by bootstrap.

The same documents are drawn for every statistic, so the difference of two encoders that were
measured on the same documents is a paired one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

RESAMPLES = 2000
AMI = "ami"
Records = Sequence[Mapping[str, Any]]
"""What one encoder scored, a record an article."""


@dataclass(frozen=True)
class Estimate:
    """A statistic of n documents, and the same on each resample of them, (resamples,)."""

    value: float
    resampled: np.ndarray
    n: int

    def __sub__(self, other: "Estimate") -> "Estimate":
        return Estimate(self.value - other.value, self.resampled - other.resampled, self.n)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 per cent interval: the quantiles 0.025 and 0.975 of the resamples."""
        low, high = np.quantile(self.resampled, [0.025, 0.975])
        return float(low), float(high)

    def __str__(self) -> str:
        return f"{self:.3f}"

    def __format__(self, form: str) -> str:
        """The value and, but for one document, which tells nothing of others, its interval."""
        low, high = self.interval
        form = form or ".3f"
        return f"{self.value:{form}}" + (f" ({low:{form}} to {high:{form}})" * (self.n > 1))


def draw(n: int, resamples: int = RESAMPLES) -> np.ndarray:
    """Draw the numbers of n documents with replacement, of shape (resamples, n)."""
    return np.random.default_rng(0).integers(n, size=(resamples, n))


def estimate_ratio(parts: Sequence[float], totals: Sequence[float] | None = None) -> Estimate:
    """Estimate the sum of parts, one for each document, over the sum of totals, such as the share
    of right triplets. Without totals it is a mean."""
    values = np.asarray(parts, dtype="f8")
    whole = np.ones_like(values) if totals is None else np.asarray(totals, dtype="f8")
    drawn = draw(len(values))
    resampled = values[drawn].sum(axis=1) / whole[drawn].sum(axis=1)
    return Estimate(float(values.sum() / whole.sum()), resampled, len(values))


class Results:
    """Estimates from the scores of some rows on the same articles: of each row what `count_ordered`
    returned for those with triplets, and `clustering_agreement` for those that were clustered."""

    def __init__(self, ordered: Mapping[str, Records], clustered: Mapping[str, Records]):
        self.ordered = ordered
        self.clustered = clustered
        self.estimate = cache(self._estimate)

    def _estimate(self, row: str, measure: str) -> Estimate | None:
        """A metric of `METRICS`, or "ami", of a row; None without articles."""
        records = (self.clustered if measure == AMI else self.ordered)[row]
        if not records:
            return None
        totals = None if measure == AMI else [record["triplets"] for record in records]
        return estimate_ratio([record[measure] for record in records], totals)

    def difference(self, first: str, second: str, measure: str) -> Estimate | None:
        """The first row less the second."""
        a, b = self.estimate(first, measure), self.estimate(second, measure)
        return None if a is None or b is None else a - b


def results_of_documents(scores: Mapping[str, np.ndarray], n_triplets: Sequence[int]) -> Results:
    """Results by the protocol `CENTRED`, from the scores of documents for each row, as
    `training.adapting.score` returns them, float (documents, 2), and their triplets."""
    return Results(
        {
            row: [{"triplets": n, "cosine": x * n} for (x, _), n in zip(values, n_triplets) if n]
            for row, values in scores.items()
        },
        {
            row: [{AMI: ami} for _, ami in values if not np.isnan(ami)]
            for row, values in scores.items()
        },
    )


def render(table: Sequence[dict[str, Any]]) -> str:
    """Lines as a Markdown table, with a column for every key of any of them."""
    columns = list(dict.fromkeys(key for line in table for key in line))
    rows = [columns, ["---"] * len(columns)]
    rows += [[_cell(line.get(column)) for column in columns] for line in table]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return str(value).replace("|", "\\|")
