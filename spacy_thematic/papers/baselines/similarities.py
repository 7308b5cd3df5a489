"""Clustering by similarities that are no inner products of vectors."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.iclust import maximise_objective

_MARGIN = 1e-3


def iclust_of_similarities(similarities: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
    """Cluster by Iclust (see `clustering.iclust`) on any symmetric similarities.

    A number added to the similarity of each sentence with itself adds k times as much to the
    objective of every solution, so their order stays. With enough added, the similarities are the
    inner products of some rows, no two of them equal, and these are clustered.

    Args:
        similarities: (n, n), symmetric.
        k: The most clusters.
        seed: Of the starts.

    Returns:
        The cluster of each sentence, (n,).
    """
    values, directions = np.linalg.eigh(similarities)
    margin = _MARGIN * np.abs(values).mean() if len(values) else 0
    rows = directions * np.sqrt(values - values.min(initial=0) + margin)
    return maximise_objective(rows.astype("f"), k, seed)
