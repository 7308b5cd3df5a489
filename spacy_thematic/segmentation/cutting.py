"""Segmentation of a whole passage: at a penalty, by PELT, or into a number of segments.

At a penalty, the segmentation is found with the least

    sum over segments of c(i, j) + sum over cuts of (penalty - gap score),

where `c(i, j) = sum |v|^2 - |sum v|^2 / (j - i)` is the scatter of the sentences i to j - 1 around
their mean (kernel change point detection with the linear kernel; Truong, Oudre & Vayatis 2020,
section 4.2.3). With F(j) the least for the first j sentences, `F(j) = min_i F(i) + c(i, j) +
penalty`. Scatters come from sums over prefixes, a block of ends by one matrix product.

A start i is dropped for good where starting at some later j cannot be worse (PELT; Killick,
Fearnhead & Eckley 2012, theorem 3.1): scatter only shrinks where a segment is cut in two. So the
starts in play are those of the last segments, and time and memory grow with the length of the text,
times that of its segments, not with its square. Where a text is all alike nothing can be dropped,
so of more than 1,000 starts the 1,000 of least cost stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from spacy_thematic.segmentation.passage import Passage

_BLOCK = 128
_TESTED = 16
IN_PLAY = 1_000
"""The most places that are kept as starts of the last segment."""

SHORTFALL = 1e7
"""What a segment costs for each unit that it is too short by: more than any scatter."""

COUNTED = 1_000
"""The most segments, and the fewest places for them, that are counted one by one."""

_STEPS = 40
_HUGE = SHORTFALL / 10


def cut_into(rows: np.ndarray, passage: Passage, n: int) -> np.ndarray:
    """Find the segmentation into n segments, at least 1, of least scatter of rows, (n, any width),
    less gap scores. Where the sizes do not allow n, there are as nearly n as they do. Returns the
    starts of the segments, (segments,).

    Up to 1,000 sentences it is exact, by dynamic programming over the number of segments. In a
    longer text, up to 1,000 segments begin where some of its best 1,000 to 2,000 do. Of more, the
    largest penalty is searched that gives at least n; what a penalty gives is the best for its
    number. Where that is above n, the cuts that gain least are dropped."""
    fewest = _find_fewest(rows, passage)
    if len(fewest) >= n or not len(passage):
        return fewest
    if n > COUNTED:
        most = _search_penalty(rows, passage, n, extra=n // 500)
        return _drop_weakest(rows, passage, most, n)
    places = np.arange(len(passage) + 1)
    if len(passage) > COUNTED:
        places = _search_penalty(rows, passage, COUNTED, extra=COUNTED)
        places = _take_strongest(rows, passage, places, 2 * COUNTED)
        places = np.append(np.union1d(places, fewest), len(passage))
    return _count_segments(rows, passage, n, fewest, places)


def cut_gains(rows: np.ndarray, passage: Passage, starts: np.ndarray) -> np.ndarray:
    """Return what each cut gains: by how much it lowers the scatter of the segments before and
    after it, plus its gap score, (segments,). The first start, where no cut is, gains 0."""
    gains = np.zeros(len(starts))
    if len(starts) < 2:
        return gains
    apart = segment_scatters(rows, starts)
    # Segments joined in pairs, from the first and from the second on.
    for first in (0, 1):
        pairs = starts[first::2]
        joined = segment_scatters(rows[pairs[0] :], pairs - pairs[0]) if len(pairs) else pairs
        cuts = np.arange(first + 1, len(starts), 2)
        gains[cuts] = joined[: len(cuts)] - apart[cuts - 1] - apart[cuts]
    gains[1:] += passage.gap_scores[starts[1:] - 1]
    return gains


def _find_fewest(rows: np.ndarray, passage: Passage) -> np.ndarray:
    """The best segmentation into as few segments as the sizes allow."""
    if float(passage.sizes.sum()) <= passage.largest:
        return np.zeros(min(len(passage), 1), np.int64)
    return cut_at_penalty(rows, passage, _HUGE)


def _count_segments(
    rows: np.ndarray, passage: Passage, n: int, fewest: np.ndarray, places: np.ndarray
) -> np.ndarray:
    """The best segmentation between some places into n segments, or as many as the sizes allow."""
    prefixes = Prefixes.start(rows.shape[1]).extend(rows, passage.sizes).take(places)
    ends = slice(1, None)
    costs = prefixes.limit(prefixes.scatter(ends), ends, passage)[:-1]
    costs[1:] -= passage.gap_scores[places[1:-1] - 1, None]
    least = costs[0]
    totals, origins = [least[-1]], [np.zeros(len(least), np.int64)]
    for _ in range(1, min(n, len(least))):
        ways = np.append(np.inf, least[:-1])[:, None] + costs
        origins.append(ways.argmin(axis=0))
        least = ways[origins[-1], np.arange(len(least))]
        totals.append(least[-1])
    allowed = np.array(totals) < totals[len(fewest) - 1] + SHORTFALL / 2
    return places[_trace_back(origins[: 1 + np.flatnonzero(allowed)[-1]])]


def _trace_back(origins: Sequence[np.ndarray]) -> np.ndarray:
    """The starts of as many segments as there are origins, of a text that ends with the last."""
    end = len(origins[0])
    starts = []
    for origin in reversed(origins):
        end = int(origin[end - 1])
        starts.append(end)
    return np.array(starts[::-1], np.int64)


def _search_penalty(rows: np.ndarray, passage: Passage, n: int, extra: int) -> np.ndarray:
    """The best segmentation at a penalty that gives n segments, or at most `extra` more if one is
    found.

    Every other penalty is the one at which the two segmentations around n cost the same: if it
    gives no third one, no penalty does (Haynes, Eckley & Fearnhead 2017, section 3.1).
    """
    most = cut_at_penalty(rows, passage, -_HUGE)
    fewest: np.ndarray | None = None
    high = 1.0 + float(np.abs(passage.gap_scores).max(initial=0))
    low = -high
    for step in range(_STEPS):
        if len(most) - n <= extra:
            break
        if fewest is None:
            # Large penalties take longest, so they are approached from below.
            middle = high
        elif step % 2 == 0:
            saved = _cost(rows, passage, fewest) - _cost(rows, passage, most)
            middle = saved / (len(most) - len(fewest))
        else:
            middle = (low + high) / 2
        found = cut_at_penalty(rows, passage, middle)
        if fewest is not None and step % 2 == 0 and len(found) in (len(most), len(fewest)):
            break
        if len(found) < n:
            high, fewest = middle, found
        else:
            low, most = middle, found
            high = high if fewest is not None else 2 * high
    return most


def _cost(rows: np.ndarray, passage: Passage, starts: np.ndarray) -> float:
    """What `cut_at_penalty` minimises, at no penalty."""
    missing = np.clip(passage.smallest - np.add.reduceat(passage.sizes, starts), 0, None)
    scatter = segment_scatters(rows, starts).sum() - passage.gap_scores[starts[1:] - 1].sum()
    return float(scatter + SHORTFALL * missing.sum())


def _take_strongest(rows: np.ndarray, passage: Passage, starts: np.ndarray, n: int) -> np.ndarray:
    """The n cuts that gain most; of those that gain the same, some from all over the text."""
    if len(starts) <= n:
        return starts
    gains = cut_gains(rows, passage, starts).round(9)
    spread = np.arange(len(starts)) * (5**0.5 / 2) % 1
    return np.sort(starts[np.lexsort((spread, -gains))[:n]])


def _drop_weakest(rows: np.ndarray, passage: Passage, starts: np.ndarray, n: int) -> np.ndarray:
    """Drop the cuts that gain least, one by one, until n segments are left, or none that stays
    within the largest size can be joined."""
    bounds = np.append(starts, len(rows))
    sums = np.add.reduceat(rows.astype(np.float64), starts, axis=0)
    sizes = np.add.reduceat(passage.sizes, starts)
    counts = np.diff(bounds).astype(np.float64)
    before, after = np.arange(len(starts)) - 1, np.arange(len(starts)) + 1
    gains = cut_gains(rows, passage, starts)
    queue = [(gain, cut) for cut, gain in enumerate(gains.tolist()) if cut]
    heapify(queue)
    kept = np.ones(len(starts), bool)
    left = len(starts)
    while queue and left > n:
        gain, cut = heappop(queue)
        first = before[cut]
        # Only what stands in the queue last for a cut counts.
        if not kept[cut] or gain != gains[cut] or sizes[first] + sizes[cut] > passage.largest:
            continue
        kept[cut], left = False, left - 1
        sums[first] += sums[cut]
        sizes[first] += sizes[cut]
        counts[first] += counts[cut]
        following = after[first] = after[cut]
        if following < len(starts):
            before[following] = first
        for changed in (first, following):
            if 0 < changed < len(starts):
                pair = [before[changed], changed]
                weights = counts[pair]
                apart = np.square(sums[pair]).sum(axis=1) / weights
                joined = np.square(sums[pair].sum(axis=0)).sum() / weights.sum()
                gains[changed] = apart.sum() - joined + passage.gap_scores[starts[changed] - 1]
                heappush(queue, (float(gains[changed]), int(changed)))
    return starts[kept]


def cut_at_penalty(rows: np.ndarray, passage: Passage, penalty: float) -> np.ndarray:
    """Find the segmentation of least scatter of rows, (n, any width), and penalties, less gap
    scores. It is exact where no segment has more than 1,000 sentences. Returns the starts of the
    segments, (segments,)."""
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
    if kept.sum() > IN_PLAY:
        costs = np.where(kept, values + prefixes.scatter([-1])[:, 0], np.inf)
        kept[np.argsort(costs, kind="stable")[IN_PLAY:]] = False
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
        # In place, for fresh memory takes longer than the sums.
        lengths = np.einsum("ij,ij->i", self.sums, self.sums)
        between = lengths[ends] + lengths[:, None]
        between -= 2 * self.sums @ self.sums[ends].T
        counts = (self.places[ends] - self.places[:, None]).astype(np.float64)
        backward = counts <= 0
        counts[backward] = 1
        between /= counts
        scatter = np.subtract(self.squares[ends], self.squares[:, None], out=counts)
        scatter -= between
        np.maximum(scatter, 0, out=scatter)
        scatter[backward] = np.inf
        return scatter

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
