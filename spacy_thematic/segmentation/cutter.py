"""Exact segmentation at a penalty, one block of sentences after the other.

Of all segmentations, the one is found with the least

    sum over segments of c(i, j) + sum over cuts of (penalty - gap score),

where `c(i, j) = sum |v|^2 - |sum v|^2 / (j - i)` is the scatter of the sentences i to j - 1 around
their mean (kernel change point detection with the linear kernel; Truong, Oudre & Vayatis 2020,
section 4.2.3). With F(j) the least for the first j sentences, `F(j) = min_i F(i) + c(i, j) +
penalty`. Scatters come from sums over prefixes, a block of ends by one matrix product.

A start i is dropped for good where starting at some later j cannot be worse (PELT; Killick,
Fearnhead & Eckley 2012, theorem 3.1): scatter only shrinks where a segment is cut in two. So the
starts in play are those of the last segment or two, and time and memory grow with the length of the
text, times that of its segments, not with its square.
"""

from __future__ import annotations

import numpy as np

BLOCK = 128
_TESTED = 16
_SHORT = 1e7


class Cutter:
    """Cuts a text that comes in blocks. What it returns does not depend on how it was divided.

    Args:
        width: Of the vectors.
        smallest: The least size of a segment. Where that cannot be, the sizes that are missing add
            up to as little as can be.
        largest: The largest size of a segment. A single sentence above it is a segment.
    """

    def __init__(self, width: int, smallest: float = 0, largest: float = np.inf) -> None:
        self.smallest, self.largest = smallest, largest
        self._end = 0
        # Of each start in play: its number, the least cost up to it with the penalty of its cut,
        # and what lies between it and the end: vectors, squared lengths and sizes, all negative.
        self._starts = np.zeros(1, np.int64)
        self._costs = np.zeros(1)
        self._sums = np.zeros((1, width))
        self._squares = np.zeros(1)
        self._sizes = np.zeros(1)
        # The start of the best last segment for each end after `_known`.
        self._known = 0
        self._best = np.zeros(0, np.int64)

    def add(self, rows: np.ndarray, penalties: np.ndarray, sizes: np.ndarray) -> list[int]:
        """Take the next sentences.

        Args:
            rows: (n, width).
            penalties: Of a cut *after* each sentence, less its gap score, (n,).
            sizes: Of the sentences, (n,).

        Returns:
            The starts of segments that no later sentence can change any more.
        """
        for begin in range(0, len(rows), BLOCK):
            block = slice(begin, begin + BLOCK)
            self._add_block(rows[block].astype(np.float64), penalties[block], sizes[block])
        return self._settle()

    def finish(self) -> list[int]:
        """Return the starts that `add` has not returned yet."""
        starts = []
        position = self._end
        while position > self._known:
            position = int(self._best[position - self._known - 1])
            starts.append(position)
        self._known, self._best = self._end, self._best[:0]
        return starts[::-1]

    def _add_block(self, rows: np.ndarray, penalties: np.ndarray, sizes: np.ndarray) -> None:
        n, m = len(rows), len(self._starts)
        # The new starts are the ends of the block but for the last, which no end here can follow.
        sums = np.vstack([self._sums, np.cumsum(rows, axis=0)])
        squares = np.append(self._squares, np.cumsum(np.einsum("ij,ij->i", rows, rows)))
        cumulated = np.append(self._sizes, np.cumsum(sizes))
        starts = np.append(self._starts, self._end + 1 + np.arange(n))
        scatter = _scatter(sums, squares, starts, m)
        costs = self._add_limits(scatter, cumulated, starts, m)
        values = np.append(self._costs, np.zeros(n))
        from_before = costs[:m] + values[:m, None]
        best = from_before.argmin(axis=0)
        least = from_before[best, np.arange(n)]
        for end in range(n):
            if end:
                here = values[m : m + end] + costs[m : m + end, end]
                nearest = here.argmin()
                if here[nearest] < least[end]:
                    best[end], least[end] = m + nearest, here[nearest]
            values[m + end] = least[end] + penalties[end]
        self._best = np.append(self._best, starts[best])
        self._end += n
        kept = self._find_kept(scatter, values, cumulated, m)
        self._starts, self._costs = starts[kept], values[kept] - values[kept].min()
        self._sums = sums[kept] - sums[-1]
        self._squares = squares[kept] - squares[-1]
        self._sizes = cumulated[kept] - cumulated[-1]

    def _add_limits(
        self, scatter: np.ndarray, cumulated: np.ndarray, starts: np.ndarray, m: int
    ) -> np.ndarray:
        """The scatters, (starts, ends), with what is too short or too long made dear."""
        if self.smallest <= 0 and self.largest == np.inf:
            return scatter
        sizes = cumulated[m:] - cumulated[:, None]
        costs = scatter + _SHORT * np.clip(self.smallest - sizes, 0, None)
        costs[(sizes > self.largest) & (starts[m:] - starts[:, None] > 1)] = np.inf
        return costs

    def _find_kept(
        self, scatter: np.ndarray, values: np.ndarray, cumulated: np.ndarray, m: int
    ) -> np.ndarray:
        """Which starts may still begin a best segment."""
        kept = cumulated[-1] - cumulated <= self.largest
        # From these ends on, a segment that reaches beyond the block is never too short.
        ends = np.flatnonzero(cumulated[-1] - cumulated[m:] >= self.smallest)
        for end in ends[:: -(-len(ends) // _TESTED) or 1]:
            earlier = slice(0, m + end)
            kept[earlier] &= values[earlier] + scatter[earlier, end] < values[m + end]
        kept[-1] = True
        return kept

    def _settle(self) -> list[int]:
        """The starts up to the last one that all starts in play have in common."""
        heads = self._starts.tolist()
        while len(heads) > 1:
            last = heads.pop()
            before = int(self._best[last - self._known - 1])
            position = int(np.searchsorted(heads, before))
            if position == len(heads) or heads[position] != before:
                heads.insert(position, before)
        settled = heads[0]
        starts = []
        position = settled
        while position > self._known:
            position = int(self._best[position - self._known - 1])
            starts.append(position)
        self._best = self._best[settled - self._known :]
        self._known = settled
        return starts[::-1]


def _scatter(sums: np.ndarray, squares: np.ndarray, starts: np.ndarray, m: int) -> np.ndarray:
    """The scatter of the segment from each start to each end, which are the starts from m on. Where
    the start is not before the end, it is infinite."""
    lengths = np.einsum("ij,ij->i", sums, sums)
    joined = lengths[m:] + lengths[:, None] - 2 * sums @ sums[m:].T
    counts = (starts[m:] - starts[:, None]).astype(np.float64)
    forward = counts > 0
    counts[~forward] = 1
    scatter = squares[m:] - squares[:, None] - joined / counts
    return np.where(forward, np.maximum(scatter, 0), np.inf)
