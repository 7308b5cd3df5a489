"""Exact segmentation at a penalty, one block of sentences after the other.

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


class Cutter:
    """Cuts a text that comes in blocks. What it returns does not depend on how it was divided.

    Args:
        smallest: The least size of a segment. Where that cannot be, the sizes that are missing add
            up to as little as can be.
        largest: The largest size of a segment. Only a single sentence may be above it.
    """

    def __init__(self, width: int, smallest: float = 0, largest: float = np.inf) -> None:
        self.smallest, self.largest = smallest, largest
        # The places in play, and the least cost up to each, with the penalty of a cut there.
        self._prefixes = Prefixes.start(width)
        self._costs = np.zeros(1)
        # The sentences whose segments are settled, and where the best last segment up to each place
        # after them begins.
        self._settled = 0
        self._origins = np.zeros(0, np.int64)

    def add(self, rows: np.ndarray, penalties: np.ndarray, sizes: np.ndarray) -> list[int]:
        """Take the next sentences: rows, (n, width), penalties of a cut *after* each, less its gap
        score, (n,), and sizes, (n,). Returns the starts of segments that no later sentence can
        change any more."""
        for begin in range(0, len(rows), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            self._add_block(rows[block], penalties[block], sizes[block])
        return self._settle(self._find_common())

    def finish(self) -> list[int]:
        """Return the starts that `add` has not returned yet."""
        return self._settle(self._settled + len(self._origins))

    def _add_block(self, rows: np.ndarray, penalties: np.ndarray, sizes: np.ndarray) -> None:
        n, m = len(rows), len(self._costs)
        prefixes = self._prefixes.extend(rows, sizes)
        # The last place of those in play is the end of the block before.
        ends = slice(m, None)
        costs = prefixes.limit(prefixes.scatter(ends), ends, self.smallest, self.largest)
        values = np.append(self._costs, np.zeros(n))
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
        self._origins = np.append(self._origins, prefixes.places[best])
        kept = self._find_kept(prefixes, values)
        self._prefixes = prefixes.take(kept)
        self._costs = values[kept] - values[kept].min()

    def _find_kept(self, prefixes: Prefixes, values: np.ndarray) -> np.ndarray:
        """Which places may still begin a best segment."""
        left = prefixes.sizes[-1] - prefixes.sizes
        kept = left <= self.largest
        # From these places on, a segment that reaches beyond the block is never too short.
        later = np.flatnonzero(left >= self.smallest)[-_BLOCK:]
        later = later[:: -(-len(later) // _TESTED) or 1]
        through = values[:, None] + prefixes.scatter(later)
        kept &= (through < values[later]).all(axis=1, where=np.isfinite(through))
        kept[-1] = True
        return kept

    def _find_common(self) -> int:
        """The last place that the best ways to all places in play have in common."""
        heads = self._prefixes.places.tolist()
        while len(heads) > 1:
            origin = int(self._origins[heads.pop() - self._settled - 1])
            position = int(np.searchsorted(heads, origin))
            if position == len(heads) or heads[position] != origin:
                heads.insert(position, origin)
        return heads[0]

    def _settle(self, place: int) -> list[int]:
        """Take the best way up to a place as settled, and return its starts."""
        starts = []
        start = place
        while start > self._settled:
            start = int(self._origins[start - self._settled - 1])
            starts.append(start)
        self._origins = self._origins[place - self._settled :]
        self._settled = place
        return starts[::-1]
