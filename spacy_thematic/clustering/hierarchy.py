"""Broader themes: themes of themes."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative


def find_broader(centres: np.ndarray, n_broader: int) -> np.ndarray | None:
    """Merge clusters into broader ones, by Ward's method on their centres.

    Args:
        centres: Of the clusters, (k, width), of length one.
        n_broader: The number of broader clusters.

    Returns:
        The broader cluster of each, from 0, (k,); None if `n_broader` is 0, or not below k.
    """
    if not 0 < n_broader < len(centres):
        return None
    return agglomerative(centres, n_broader, centre=False)
