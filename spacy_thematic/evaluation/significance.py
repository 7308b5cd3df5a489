"""Intervals and differences by bootstrap over articles, or over sentence pairs.

Every statistic is resampled with the same articles for the same seed, so that the difference of
two encoders measured on the same articles is a paired one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Callable

import numpy as np

RESAMPLES = 2000


@dataclass(frozen=True)
class Estimate:
    """A statistic of some articles, `value`, and of each resample of them, `resampled`,
    (resamples,). `seeds`: the statistic of each seed of training, of which `value` is the mean."""

    value: float
    resampled: np.ndarray
    seeds: tuple[float, ...] = ()

    def __sub__(self, other: Estimate) -> Estimate:
        return Estimate(self.value - other.value, self.resampled - other.resampled)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 per cent interval, from the 2.5 and 97.5 per cent quantiles."""
        low, high = np.quantile(self.resampled, [0.025, 0.975])
        return float(low), float(high)

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean over seeds; None for a single one."""
        n = len(self.seeds)
        return float(np.std(self.seeds, ddof=1) / np.sqrt(n)) if n > 1 else None

    def __str__(self) -> str:
        low, high = self.interval
        error = "" if self.standard_error is None else f" ± {self.standard_error:.3f}"
        return f"{self.value:.3f}{error} ({low:.3f} to {high:.3f})"

    def as_difference(self) -> str:
        """In words, with signs."""
        low, high = self.interval
        return f"{self.value:+.3f} ({low:+.3f} to {high:+.3f})"


def draw(n: int, seed: int = 0, resamples: int = RESAMPLES) -> np.ndarray:
    """Numbers of n articles drawn with replacement, (resamples, n)."""
    return np.random.default_rng(seed).integers(n, size=(resamples, n))


def estimate_ratio(
    parts: Sequence[Sequence[float]], totals: Sequence[float] | None = None, seed: int = 0
) -> Estimate:
    """The sum of the parts over the sum of the totals, such as right triplets of all triplets.

    parts: for each seed of training a value an article. totals: of each article; 1 if left out,
    which makes it a mean.
    """
    values = np.asarray(parts, dtype="f8")
    whole = np.ones(values.shape[1]) if totals is None else np.asarray(totals, dtype="f8")
    drawn = draw(len(whole), seed)
    mean = values.mean(axis=0)
    return Estimate(
        float(mean.sum() / whole.sum()),
        mean[drawn].sum(axis=1) / whole[drawn].sum(axis=1),
        tuple((values.sum(axis=1) / whole.sum()).tolist()),
    )


def estimate_statistic(
    predictions: Sequence[Sequence[float]],
    scores: Sequence[float],
    statistic: Callable[[np.ndarray, np.ndarray], float],
    seed: int = 0,
    resamples: int = 1000,
) -> Estimate:
    """Any statistic of predictions and scores, `(n,), (n,) -> float`; the mean over seeds.

    predictions: for each seed of training one a pair.
    """
    rows, truth = np.asarray(predictions, dtype="f8"), np.asarray(scores, dtype="f8")
    drawn = draw(len(truth), seed, resamples)
    values = [statistic(row, truth) for row in rows]
    resampled = [[statistic(row[some], truth[some]) for some in drawn] for row in rows]
    return Estimate(float(np.mean(values)), np.mean(resampled, axis=0), tuple(values))
