"""Clustering of more rows than Iclust takes all at once."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.iclust import maximise
from spacy_thematic.clustering.vectors import cluster_sums, renumber

SAMPLE = 5_000
_ROUNDS = 20


def cluster_rows(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Iclust of up to 5,000 rows, (n, width), of length one or zero. Of more, a random sample is
    clustered by Iclust, and k-means goes on from its clusters with all rows, for at most 20 rounds.
    (n,), from 0. Raises ValueError for k < 1."""
    if len(rows) <= SAMPLE:
        return maximise(rows, k, seed, n_init=10, annealed=False)
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    sample = rows[np.sort(np.random.default_rng(seed).permutation(len(rows))[:SAMPLE])]
    sums, sizes = cluster_sums(sample, maximise(sample, k, seed, n_init=10, annealed=False))
    means = (sums / sizes[:, None]).astype(rows.dtype)
    with threadpool_limits(1):
        model = KMeans(len(means), init=means, n_init=1, max_iter=_ROUNDS)
        return renumber(model.fit_predict(rows))
