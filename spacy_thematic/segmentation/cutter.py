"""Exact segmentation at a penalty.

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

import numpy as np

from spacy_thematic.segmentation.prefixes import Prefixes

_BLOCK = 128
_TESTED = 16


def find_starts(
    rows: np.ndarray,
    penalties: np.ndarray,
    sizes: np.ndarray,
    smallest: float = 0,
    largest: float = np.inf,
) -> list[int]:
    """Find where the best segments of rows, (n, width), begin, of sizes as in a `Passage`.
    `penalties` are those of a cut *after* each sentence, less its gap score, (n,)."""
    # The places in play, and the least cost up to each, with the penalty of a cut there.
    prefixes, costs = Prefixes.start(rows.shape[1]), np.zeros(1)
    # Where the best last segment up to each place begins.
    origins: list[int] = []
    for begin in range(0, len(rows), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        prefixes = prefixes.extend(rows[block], sizes[block])
        best, costs = _add_block(prefixes, costs, penalties[block], smallest, largest)
        origins += prefixes.places[best].tolist()
        kept = _find_kept(prefixes, costs, smallest, largest)
        prefixes, costs = prefixes.take(kept), costs[kept] - costs[kept].min()
    starts: list[int] = []
    start = len(rows)
    while start:
        start = origins[start - 1]
        starts.append(start)
    return starts[::-1]


def _add_block(
    prefixes: Prefixes, before: np.ndarray, penalties: np.ndarray, smallest: float, largest: float
) -> tuple[np.ndarray, np.ndarray]:
    """The best origin of each place of a block, (n,), and the least costs up to all places, of
    those before the block and its own."""
    n, m = len(penalties), len(before)
    # The last place of those in play is the end of the block before.
    ends = slice(m, None)
    costs = prefixes.limit(prefixes.scatter(ends), ends, smallest, largest)
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


def _find_kept(
    prefixes: Prefixes, values: np.ndarray, smallest: float, largest: float
) -> np.ndarray:
    """Which places may still begin a best segment."""
    left = prefixes.sizes[-1] - prefixes.sizes
    kept = left <= largest
    # From these places on, a segment that reaches beyond the block is never too short.
    later = np.flatnonzero(left >= smallest)[-_BLOCK:]
    later = later[:: -(-len(later) // _TESTED) or 1]
    through = values[:, None] + prefixes.scatter(later)
    kept &= (through < values[later]).all(axis=1, where=np.isfinite(through))
    kept[-1] = True
    return kept
