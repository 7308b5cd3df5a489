"""k-means with the L1 distance: the centre of a cluster is the median of its rows."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import check_vectors, possible_k, renumber

_MAX_ROUNDS = 100


def kmedians(vectors: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10) -> np.ndarray:
    """Cluster rows as they are by k-medians: a `Clusterer`.

    Rows go to the nearest centre by the L1 distance, and centres to the medians of their rows,
    coordinate by coordinate, which is where the sum of the distances is least; until nothing moves.

    Args:
        vectors: (n, width).
        k: The most clusters.
        seed: Of the starts.
        n_init: The number of starts by k-means++ with the L1 distance, of which the best is taken.
    """
    rows = check_vectors(vectors)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    rng = np.random.default_rng(seed)
    with single_thread():
        found = [_improve(rows, _draw_centres(rows, k, rng)) for _ in range(n_init)]
    return renumber(min(found, key=lambda start: start[1])[0])


def _draw_centres(rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Draw rows as centres, (k, width), each with a probability in proportion to its distance to
    the nearest one before it (Arthur & Vassilvitskii 2007, section 5)."""
    chosen = [int(rng.integers(len(rows)))]
    nearest = _distances(rows, rows[chosen])[:, 0]
    for _ in range(k - 1):
        chosen.append(int(rng.choice(len(rows), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, _distances(rows, rows[chosen[-1:]])[:, 0])
    return rows[chosen]


def _improve(rows: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """The labels, (n,), at a local minimum of the sum of the distances, and that sum."""
    labels = np.full(len(rows), -1)
    for _ in range(_MAX_ROUNDS):
        distances = _distances(rows, centres)
        former, labels = labels, distances.argmin(axis=1)
        if np.array_equal(labels, former):
            break
        # A cluster that has lost all rows keeps its centre.
        for cluster in np.unique(labels):
            centres[cluster] = np.median(rows[labels == cluster], axis=0)
    return labels, float(distances.min(axis=1).sum())


def _distances(rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """L1, (n, k)."""
    from scipy.spatial.distance import cdist

    return cdist(rows, centres, "cityblock")
