"""Themes of a few sentences, where how far apart they are from each other says too little."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.vectors import possible_k

FEW = 7
"""The most sentences of which these are found."""

_OF_HALVES = 0.85
"""Chosen, as `FEW`, on a few sentences of one section or several, or of several articles."""


def cluster_few(rows: np.ndarray, halves: float, most: int) -> np.ndarray:
    """Cluster a few sentences by average linkage, until no two clusters are nearly as like each
    other as the halves of one sentence are, which surely belong together.

    So it needs no number of clusters, and no threshold that would fit one encoder only.

    Args:
        rows: Of length one or zero, not centred, (n, width).
        halves: The mean cosine of the two halves of each sentence.
        most: The most clusters.

    Returns:
        The cluster of each sentence, from 0, (n,).
    """
    if len(rows) < 2:
        return np.zeros(len(rows), np.int64)
    from scipy.cluster.hierarchy import linkage

    distances = np.clip(1 - rows @ rows.T, 0, None)[np.triu_indices(len(rows), 1)]
    heights = linkage(distances, "average")[:, 2]
    k = 1 + int((heights > 1 - _OF_HALVES * halves).sum())
    return agglomerative(rows, min(k, most, possible_k(rows, k)), linkage="average", centre=False)
