"""A set of hashes in little memory."""

from __future__ import annotations

import numpy as np

_RECENT = 1 << 18


class SeenHashes:
    """A growing set of 64-bit hashes.

    A hash takes 8 bytes in a sorted array; up to 2^18 recent ones are in a Python set (20 MiB).
    Merging these into the array briefly takes another 9 bytes for each hash.
    """

    def __init__(self, recent: int = _RECENT) -> None:
        self._sorted = np.empty(0, "uint64")
        self._recent: set[int] = set()
        self._max_recent = recent

    def __contains__(self, value: int) -> bool:
        if value in self._recent:
            return True
        place = self._sorted.searchsorted(np.uint64(value))
        return bool(place < len(self._sorted) and self._sorted[place] == value)

    def add(self, value: int) -> None:
        """Add a hash from 0 to 2^64 - 1."""
        if value in self:
            return
        self._recent.add(value)
        if len(self._recent) >= self._max_recent:
            new = np.sort(np.fromiter(self._recent, "uint64", len(self._recent)))
            self._sorted = np.insert(self._sorted, self._sorted.searchsorted(new), new)
            self._recent.clear()
