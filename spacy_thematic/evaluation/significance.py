"""Intervals and differences by bootstrap over articles, or over sentence pairs, and over seeds of
training.

The same seed draws the same articles for every statistic, so the difference of two encoders that
were measured on the same articles is a paired one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000


@dataclass(frozen=True)
class Estimate:
    """A statistic of some articles, with its bootstrap.

    Attributes:
        value: The statistic, the mean over the seeds of training.
        resampled: The statistic of each seed of training on each resample of the articles, of shape
            (seeds, resamples).
        n: How many articles.
        seeds: The statistic of each seed of training.
    """

    value: float
    resampled: np.ndarray
    n: int
    seeds: tuple[float, ...] = ()

    def __sub__(self, other: Estimate) -> Estimate:
        resampled = self.resampled.mean(axis=0) - other.resampled.mean(axis=0)
        return Estimate(self.value - other.value, resampled[None], self.n)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 per cent interval: the quantiles 0.025 and 0.975 of the resamples, each the mean
        over the seeds of training."""
        low, high = np.quantile(self.resampled.mean(axis=0), [0.025, 0.975])
        return float(low), float(high)

    def draw_seeds(self, name: str, seed: int = 0) -> Estimate:
        """Resample over seeds of training too: each resample of the articles is that of one seed,
        drawn at random (a hierarchical bootstrap).

        Args:
            name: Of what was trained: estimates of one name have the same seeds drawn, those of
                two names independent ones.
            seed: Of the draw.
        """
        n_seeds, resamples = self.resampled.shape
        drawn = np.random.default_rng([seed, *name.encode()]).integers(n_seeds, size=resamples)
        return Estimate(
            self.value, self.resampled[drawn, np.arange(resamples)][None], self.n, self.seeds
        )

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean over seeds; None for fewer than two seeds."""
        n = len(self.seeds)
        return float(np.std(self.seeds, ddof=1) / np.sqrt(n)) if n > 1 else None

    def __str__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.3f}"
        return f"{self.value:.3f}{error}{self._describe_interval('.3f')}"

    def as_difference(self) -> str:
        """Return the value and its interval as text, with their signs."""
        return f"{self.value:+.3f}{self._describe_interval('+.3f')}"

    def _describe_interval(self, form: str) -> str:
        """The interval in brackets; "" for one article, which tells nothing of others."""
        low, high = self.interval
        return "" if self.n == 1 else f" ({low:{form}} to {high:{form}})"


def draw(n: int, seed: int = 0, resamples: int = RESAMPLES) -> np.ndarray:
    """Draw the numbers of n articles with replacement, of shape (resamples, n)."""
    return np.random.default_rng(seed).integers(n, size=(resamples, n))


def estimate_ratio(
    parts: Sequence[Sequence[float]], totals: Sequence[float] | None = None, seed: int = 0
) -> Estimate:
    """Estimate the sum of parts over the sum of totals, such as the share of right triplets.

    Args:
        parts: For each seed of training, one value per article.
        totals: One value per article; 1 for each if None, so that the ratio is a mean.
        seed: Seed of the resamples.
    """
    values = np.asarray(parts, dtype="f8")
    whole = np.ones(values.shape[1]) if totals is None else np.asarray(totals, dtype="f8")
    drawn = draw(len(whole), seed)
    found = values.sum(axis=1) / whole.sum()
    resampled = [row[drawn].sum(axis=1) / whole[drawn].sum(axis=1) for row in values]
    return Estimate(float(found.mean()), np.array(resampled), len(whole), tuple(found.tolist()))


def estimate_statistic(
    predictions: Sequence[Sequence[float]],
    scores: Sequence[float],
    statistic: Callable[[np.ndarray, np.ndarray], float],
    seed: int = 0,
    resamples: int = 1000,
) -> Estimate:
    """Estimate a statistic of predictions and scores.

    Args:
        predictions: For each seed of training, one prediction per pair.
        scores: The true score of each pair.
        statistic: Takes predictions and scores, each of shape (n,).
        seed: Seed of the resamples.
        resamples: Number of resamples.
    """
    rows, truth = np.asarray(predictions, dtype="f8"), np.asarray(scores, dtype="f8")
    drawn = draw(len(truth), seed, resamples)
    values = [statistic(row, truth) for row in rows]
    resampled = [[statistic(row[some], truth[some]) for some in drawn] for row in rows]
    return Estimate(float(np.mean(values)), np.array(resampled), len(truth), tuple(values))
