"""Themes of a few sentences, where how far apart they are from each other says too little."""

import numpy as np

from spacy_thematic.rows import renumber

FEW = 7
"""The most sentences that are clustered in this way."""

_OF_HALVES = 0.85
"""Chosen, as `FEW`, on a few sentences of one section or several, or of several articles."""

_EQUAL = 1e-6
"""The largest distance of rows that are the same."""


def cluster_few(
    rows: np.ndarray, halves: float, most: int, paragraphs: np.ndarray | None = None
) -> np.ndarray:
    """Cluster a few sentences, rows of length one or zero, not centred, (n, width), by average
    linkage, until no two clusters are nearly as like each other as `halves`, the mean cosine of the
    two halves of each sentence, which surely belong together. Sentences of one of the paragraphs,
    (n,), are merged first. Returns the cluster of each sentence, from 0, (n,).

    So it needs no number of clusters, and no threshold that would fit one encoder only."""
    if len(rows) < 2:
        return np.zeros(len(rows), np.int64)
    from scipy.cluster.hierarchy import fcluster, linkage

    distances = np.clip(1 - rows @ rows.T, 0, None)
    if paragraphs is not None:
        distances[paragraphs[:, None] == paragraphs] = 0
    tree = linkage(distances[np.triu_indices(len(rows), 1)], "average")
    highest = max(1 - _OF_HALVES * halves, _EQUAL)
    if most < len(rows):
        highest = max(highest, tree[-most, 2])
    return renumber(fcluster(tree, highest, "distance"))
