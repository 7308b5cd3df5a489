"""A ranker that has learned how readers mark candidates, by what `naming.candidates` says of them.
`projects/pretrain/scripts/name_ranker.py` makes its file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Ranker(NamedTuple):
    """Regression trees whose sum is the mark that a reader would give a candidate: 0 is unfit, .5
    fair, 1 good.

    Attributes:
        names: Of the features, in their order.
        roots: The first node of each tree, (trees,).
        features: The number of the feature that each node asks for; -1 of a leaf, (nodes,).
        values: Up to which a feature goes left; what a leaf adds, (nodes,).
        children: Of each node the left child, the right one, and that for what is not known; of a
            leaf itself, (nodes, 3).
    """

    names: list[str]
    roots: np.ndarray
    features: np.ndarray
    values: np.ndarray
    children: np.ndarray

    def __call__(self, known: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the marks of candidates, (p,), by their features, (p,) each."""
        rows = np.stack([known[name] for name in self.names], axis=1).astype("f")
        nodes = np.tile(self.roots, (len(rows), 1))
        row = np.arange(len(rows))[:, None]
        while (self.features[nodes] >= 0).any():
            asked = rows[row, self.features[nodes]]
            way = np.where(np.isnan(asked), 2, asked > self.values[nodes])
            nodes = self.children[nodes, way]
        return self.values[nodes].sum(axis=1, dtype=np.float64)


@cache
def load_ranker() -> Ranker:
    """Load the ranker of the package."""
    with np.load(Path(__file__).parent / "ranker.npz") as arrays:
        names = str(arrays["names"]).split()
        return Ranker(names, *(arrays[name] for name in Ranker._fields[1:]))
