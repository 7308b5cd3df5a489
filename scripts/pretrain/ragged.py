"""Lists of different lengths in two flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Ragged(NamedTuple):
    """List i is values[offsets[i]:offsets[i + 1]]; there is one offset more than lists."""

    values: np.ndarray
    offsets: np.ndarray

    @classmethod
    def from_lists(cls, lists: list) -> Ragged:
        offsets = np.append(0, np.cumsum([len(entry) for entry in lists], dtype="int64"))
        values = np.concatenate(lists) if offsets[-1] else np.zeros(0)
        return cls(values.astype("int64"), offsets)

    def take(self, numbers: np.ndarray) -> Ragged:
        """The lists of these numbers."""
        starts = self.offsets[numbers]
        lengths = self.offsets[numbers + 1] - starts
        offsets = np.append(0, np.cumsum(lengths))
        index = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return Ragged(self.values[index], offsets)

    def replace(self, parts: Ragged) -> Ragged:
        """The lists with each value v replaced by list v of `parts`."""
        taken = parts.take(self.values)
        return Ragged(taken.values, taken.offsets[self.offsets])

    def select(self, mask: np.ndarray) -> Ragged:
        """The lists without the values where the mask is false."""
        return Ragged(self.values[mask], np.append(0, np.cumsum(mask))[self.offsets])
