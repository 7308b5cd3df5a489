"""Sums over the sentences before a place in a text, from which the scatter of any segment follows
at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

SHORTFALL = 1e7
"""What a segment costs for each unit that it is too short by: more than any scatter."""


class Prefixes(NamedTuple):
    """Places between sentences in the order of the text, and sums over what lies before each. Only
    differences of sums are used, so they may count from anywhere.

    Attributes:
        places: Number of the sentence after each, (m,).
        sums: Of the vectors, (m, width).
        squares: Of the squared lengths of the vectors, (m,).
        sizes: Of the sizes, (m,).
    """

    places: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    sizes: np.ndarray

    @classmethod
    def start(cls, width: int) -> Prefixes:
        """Return the place before the first sentence."""
        return cls(np.zeros(1, np.int64), np.zeros((1, width)), np.zeros(1), np.zeros(1))

    def extend(self, rows: np.ndarray, sizes: np.ndarray) -> Prefixes:
        """Return these places, and those after each of the sentences that follow the last one, of
        vectors (n, width) and sizes (n,)."""
        rows = rows.astype(np.float64)
        squares = np.einsum("ij,ij->i", rows, rows)
        return Prefixes(
            np.append(self.places, self.places[-1] + 1 + np.arange(len(rows))),
            np.vstack([self.sums, self.sums[-1] + np.cumsum(rows, axis=0)]),
            np.append(self.squares, self.squares[-1] + np.cumsum(squares)),
            np.append(self.sizes, self.sizes[-1] + np.cumsum(sizes)),
        )

    def take(self, which: Any) -> Prefixes:
        """Return some of the places, with sums that count from the last one of all."""
        return Prefixes(
            self.places[which],
            self.sums[which] - self.sums[-1],
            self.squares[which] - self.squares[-1],
            self.sizes[which] - self.sizes[-1],
        )

    def scatter(self, ends: Any) -> np.ndarray:
        """Return `sum |v|^2 - |sum v|^2 / length` of the segment from each place to some of them,
        (m, ends); infinite where no sentence lies between."""
        lengths = np.einsum("ij,ij->i", self.sums, self.sums)
        between = lengths[ends] + lengths[:, None] - 2 * self.sums @ self.sums[ends].T
        counts = (self.places[ends] - self.places[:, None]).astype(np.float64)
        forward = counts > 0
        counts[~forward] = 1
        scatter = self.squares[ends] - self.squares[:, None] - between / counts
        return np.where(forward, np.maximum(scatter, 0), np.inf)

    def limit(self, scatter: np.ndarray, ends: Any, smallest: float, largest: float) -> np.ndarray:
        """Return what `scatter` returned for some ends, with what is missing to the smallest size
        added as `SHORTFALL`, and infinite for more than one sentence above the largest."""
        if smallest <= 0 and largest == np.inf:
            return scatter
        sizes = self.sizes[ends] - self.sizes[:, None]
        costs = scatter + SHORTFALL * np.clip(smallest - sizes, 0, None)
        several = self.places[ends] - self.places[:, None] > 1
        costs[(sizes > largest) & several] = np.inf
        return costs


def segment_scatters(rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the scatter of each of the segments that begin at `starts`, (segments,), of vectors
    (n, width)."""
    rows = rows.astype(np.float64)
    sums = np.add.reduceat(rows, starts, axis=0)
    squares = np.add.reduceat(np.einsum("ij,ij->i", rows, rows), starts)
    counts = np.diff(np.append(starts, len(rows)))
    return np.maximum(squares - np.einsum("ij,ij->i", sums, sums) / counts, 0)
