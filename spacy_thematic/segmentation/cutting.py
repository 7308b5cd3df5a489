"""Segmentation of a whole passage: at a penalty, or into a number of segments."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from spacy_thematic.segmentation.passage import Passage
from spacy_thematic.segmentation.pelt import SHORTFALL, Prefixes, cut_at_penalty, segment_scatters

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
    if n <= COUNTED:
        return cut_into_each(rows, passage, n)[-1]
    fewest = _find_fewest(rows, passage)
    if len(fewest) >= n or not len(passage):
        return fewest
    most = _search_penalty(rows, passage, n, extra=n // 500)
    return _drop_weakest(rows, passage, most, n)


def cut_into_each(rows: np.ndarray, passage: Passage, most: int) -> list[np.ndarray]:
    """Find the best segmentations into each number of segments at once, up to `most`, 1 to 1,000,
    by scatter of rows, (n, any width). Returns the starts of what `cut_into` finds for each number,
    from the fewest segments that the sizes allow: at least one segmentation."""
    fewest = _find_fewest(rows, passage)
    if len(fewest) >= most or not len(passage):
        return [fewest]
    places = np.arange(len(passage) + 1)
    if len(passage) > COUNTED:
        places = _search_penalty(rows, passage, COUNTED, extra=COUNTED)
        places = _take_strongest(rows, passage, places, 2 * COUNTED)
        places = np.append(np.union1d(places, fewest), len(passage))
    return _count_segments(rows, passage, most, fewest, places)


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
    rows: np.ndarray, passage: Passage, most: int, fewest: np.ndarray, places: np.ndarray
) -> list[np.ndarray]:
    """The best segmentations between some places, from the number of `fewest` to `most`."""
    prefixes = Prefixes.start(rows.shape[1]).extend(rows, passage.sizes).take(places)
    ends = slice(1, None)
    costs = prefixes.limit(prefixes.scatter(ends), ends, passage)[:-1]
    costs[1:] -= passage.gap_scores[places[1:-1] - 1, None]
    least = costs[0]
    totals, origins = [least[-1]], [np.zeros(len(least), np.int64)]
    for _ in range(1, min(most, len(least))):
        ways = np.append(np.inf, least[:-1])[:, None] + costs
        origins.append(ways.argmin(axis=0))
        least = ways[origins[-1], np.arange(len(least))]
        totals.append(least[-1])
    allowed = np.array(totals) < totals[len(fewest) - 1] + SHORTFALL / 2
    return [
        places[_trace_back(origins[:n])]
        for n in range(len(fewest), len(origins) + 1)
        if allowed[n - 1]
    ]


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
