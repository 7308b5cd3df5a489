"""Exact segmentation at a penalty, by PELT.

Of all segmentations, the one is found with the least

    sum over segments of c(i, j) + sum over cuts of (penalty - gap score),

where `c(i, j) = sum |v|^2 - |sum v|^2 / (j - i)` is the scatter of the sentences i to j - 1 around
their mean (kernel change point detection with the linear kernel; Truong, Oudre & Vayatis 2020,
section 4.2.3). With F(j) the least for the first j sentences, `F(j) = min_i F(i) + c(i, j) +
penalty`. Scatters come from sums over prefixes, a block of ends by one matrix product.

A start i is dropped for good where starting at some later j cannot be worse (PELT; Killick,
Fearnhead & Eckley 2012, theorem 3.1): scatter only shrinks where a segment is cut in two. So the
starts in play are those of the last segments, and time and memory grow with the length of the text,
times that of its segments, not with its square.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spacy_thematic.segmentation.passage import Passage

_BLOCK = 128
_TESTED = 16
SHORTFALL = 1e7
"""What a segment costs for each unit that it is too short by: more than any scatter."""


def cut_at_penalty(rows: np.ndarray, passage: Passage, penalty: float) -> np.ndarray:
    """Find the segmentation of least scatter of rows, (n, any width), and penalties, less gap
    scores. It is exact. Returns the starts of the segments, (segments,)."""
    # Of a cut after each sentence.
    penalties = penalty - np.append(passage.gap_scores, 0)
    # The places in play, and the least cost up to each, with the penalty of a cut there.
    prefixes, costs = Prefixes.start(rows.shape[1]), np.zeros(1)
    # Where the best last segment up to each place begins.
    origins: list[int] = []
    for begin in range(0, len(rows), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        prefixes = prefixes.extend(rows[block], passage.sizes[block])
        best, costs = _add_block(prefixes, costs, penalties[block], passage)
        origins += prefixes.places[best].tolist()
        kept = _find_kept(prefixes, costs, passage)
        prefixes, costs = prefixes.take(kept), costs[kept] - costs[kept].min()
    starts: list[int] = []
    start = len(rows)
    while start:
        start = origins[start - 1]
        starts.append(start)
    return np.array(starts[::-1], np.int64)


def _add_block(
    prefixes: Prefixes, before: np.ndarray, penalties: np.ndarray, passage: Passage
) -> tuple[np.ndarray, np.ndarray]:
    """The best origin of each place of a block, (n,), and the least costs up to all places, of
    those before the block and its own."""
    n, m = len(penalties), len(before)
    # The last place of those in play is the end of the block before.
    ends = slice(m, None)
    costs = prefixes.limit(prefixes.scatter(ends), ends, passage)
    values = np.append(before, np.zeros(n))
    from_before = costs[:m] + values[:m, None]
    best = from_before.argmin(axis=0)
    least = from_before[best, np.arange(n)]
    values[m] = least[0] + penalties[0]
    for end in range(1, n):
        here = values[m : m + end] + costs[m : m + end, end]
        nearest = here.argmin()
        if here[nearest] < least[end]:
            best[end], least[end] = m + nearest, here[nearest]
        values[m + end] = least[end] + penalties[end]
    return best, values


def _find_kept(prefixes: Prefixes, values: np.ndarray, passage: Passage) -> np.ndarray:
    """Which places may still begin a best segment."""
    left = prefixes.sizes[-1] - prefixes.sizes
    kept = left <= passage.largest
    # From these places on, a segment that reaches beyond the block is never too short.
    later = np.flatnonzero(left >= passage.smallest)[-_BLOCK:]
    later = later[:: -(-len(later) // _TESTED) or 1]
    through = values[:, None] + prefixes.scatter(later)
    kept &= (through < values[later]).all(axis=1, where=np.isfinite(through))
    kept[-1] = True
    return kept


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

    def limit(self, scatter: np.ndarray, ends: Any, passage: Passage) -> np.ndarray:
        """Return what `scatter` returned for some ends, with what is missing to the smallest size
        of a passage added as `SHORTFALL`, and infinite for more than one sentence above the
        largest."""
        if passage.smallest <= 0 and passage.largest == np.inf:
            return scatter
        sizes = self.sizes[ends] - self.sizes[:, None]
        costs = scatter + SHORTFALL * np.clip(passage.smallest - sizes, 0, None)
        several = self.places[ends] - self.places[:, None] > 1
        costs[(sizes > passage.largest) & several] = np.inf
        return costs


def segment_scatters(rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the scatter of each of the segments that begin at `starts`, (segments,), of vectors
    (n, width)."""
    rows = rows.astype(np.float64)
    sums = np.add.reduceat(rows, starts, axis=0)
    squares = np.add.reduceat(np.einsum("ij,ij->i", rows, rows), starts)
    counts = np.diff(np.append(starts, len(rows)))
    return np.maximum(squares - np.einsum("ij,ij->i", sums, sums) / counts, 0)
