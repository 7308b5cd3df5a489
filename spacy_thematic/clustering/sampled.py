"""Clustering of more rows than Iclust takes at once."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.n_clusters import KChoice, choose_by_silhouette, spread_rows
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer, cluster_sums, renumber, unit_rows

SAMPLE = 5_000
_MAX_ITERATIONS = 20


def iclust_of_sample(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster up to 5,000 rows, (n, width), of length one or zero, by Iclust. Of more, Iclust
    clusters a random sample, and k-means starts from its clusters with all rows, for at most 20
    iterations. A `Clusterer`."""
    if len(rows) <= SAMPLE:
        return maximise_objective(rows, k, seed)
    from sklearn.cluster import KMeans

    sample = rows[np.sort(np.random.default_rng(seed).permutation(len(rows))[:SAMPLE])]
    sums, sizes = cluster_sums(sample, maximise_objective(sample, k, seed))
    means = (sums / sizes[:, None]).astype(rows.dtype)
    with single_thread():
        model = KMeans(len(means), init=means, n_init=1, max_iter=_MAX_ITERATIONS)
        return renumber(model.fit_predict(rows))


def cluster_collection(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster the vectors of a collection, (n, width), centred at their mean: a `Clusterer`."""
    return iclust_of_sample(unit_rows(vectors), k, seed)


def choose_k_of_collection(
    vectors: np.ndarray, cluster: Clusterer, max_k: int, seed: int
) -> KChoice:
    """Choose k for a collection by the silhouette with a prior: a `KChooser`. The mean of all rows
    stays the origin where only some of them are looked at."""
    rows = spread_rows(unit_rows(vectors))
    return choose_by_silhouette(rows, iclust_of_sample, max_k, seed, weight=0.3, centre=False)
