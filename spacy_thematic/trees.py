"""Regression trees of few leaves: evaluated here, grown by scripts that need other libraries."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

_PIECE = 4096  # The items that are asked about at once, so that many need little memory.

_LOWEST_BIT = np.array([(byte & -byte).bit_length() - 1 for byte in range(256)])


class Trees(NamedTuple):
    """Trees of up to eight leaves. All nodes of all trees are asked, and each tells which leaves
    are not reached (QuickScorer, Lucchese et al. 2015)."""

    names: list[str]  # Of the features, in their order.
    # The number of the feature that each node asks for, (nodes of a tree, trees).
    features: np.ndarray
    values: np.ndarray  # Up to which a feature goes left, (nodes, trees).
    unknown: np.ndarray  # Whether what is not known goes right, (nodes, trees).
    # The bits of the leaves that may be reached where a feature goes right, the leftmost the
    # lowest, uint8 (nodes, trees).
    leaves: np.ndarray
    marks: np.ndarray  # What each leaf adds, (trees, leaves).

    def __call__(self, known: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the sum of what the trees say of p items, (p,), by their features, (p,) each, NaN
        where nothing is known."""
        rows = np.stack([known[name] for name in self.names]).astype("f")
        starts = range(0, rows.shape[1], _PIECE)
        asked = (self._ask(rows[:, start : start + _PIECE]) for start in starts)
        return np.concatenate([np.zeros(0), *asked])

    def _ask(self, rows: np.ndarray) -> np.ndarray:
        reached = np.full((len(self.marks), rows.shape[1]), 255, np.uint8)
        # What is not known goes left, as no NaN is larger, or right, as infinity is.
        rows = np.concatenate([rows, np.where(np.isnan(rows), np.float32(np.inf), rows)])
        asked_for = self.features + len(self.names) * self.unknown
        limits = np.minimum(self.values, np.finfo("f").max)
        for features, values, leaves in zip(asked_for, limits, self.leaves):
            goes_right = rows.take(features, axis=0) > values[:, None]
            reached &= leaves[:, None] | (goes_right.view(np.uint8) - 1)  # 255 where it goes left.
        n_trees, n_leaves = self.marks.shape
        leaf = _LOWEST_BIT.take(reached.T) + n_leaves * np.arange(n_trees)
        marks = self.marks.ravel().take(leaf)
        return marks.sum(axis=1, dtype=np.float64)

    @classmethod
    def load(cls, path: Path) -> "Trees":
        """Load trees from a file that `projects/pretrain/scripts/trees.py` has written."""
        with np.load(path) as arrays:
            return cls(str(arrays["names"]).split(), *(arrays[name] for name in cls._fields[1:]))
