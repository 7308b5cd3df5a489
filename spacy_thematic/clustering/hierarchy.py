"""Broader themes: themes of themes."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.vectors import cluster_centres


def group_clusters(rows: np.ndarray, labels: np.ndarray, n_broader: int) -> np.ndarray | None:
    """Merge clusters into broader themes, by Ward's method on their centres.

    Args:
        rows: Unit rows, (n, width).
        labels: The cluster of each row, from 0 without gaps, (n,).
        n_broader: The number of broader themes.

    Returns:
        The broader theme of each cluster, (k,); None if their number is 0, or not below k.
    """
    if not 0 < n_broader <= labels.max(initial=-1):
        return None
    return agglomerative(cluster_centres(rows, labels), n_broader, centre=False)
