"""Clustering of more rows than Iclust takes at once."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.n_clusters import KChoice, choose_by_silhouette, spread_rows
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer, cluster_sums, renumber, unit_rows

SAMPLE = 5_000
MAX_ITERATIONS = 20


def iclust_of_sample(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster up to 5,000 rows, (n, width), of length one or zero, by Iclust. Of more, Iclust
    clusters a random sample, and k-means starts from its clusters with all rows, for at most 20
    iterations. A `Clusterer`."""
    if len(rows) <= SAMPLE:
        return maximise_objective(rows, k, seed)
    from sklearn.cluster import KMeans

    means = find_means(rows[draw_sample(len(rows), seed)], k, seed)
    with single_thread():
        model = KMeans(len(means), init=means, n_init=1, max_iter=MAX_ITERATIONS)
        return renumber(model.fit_predict(rows))


def draw_sample(n: int, seed: int) -> np.ndarray:
    """Return the numbers of the rows to sample, sorted, for n rows, of which there are more."""
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n, SAMPLE, replace=False, shuffle=False))


def find_means(sample: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Return the means of the clusters that Iclust finds in a sample, (m, width), as (k, width): k
    may become smaller."""
    sums, sizes = cluster_sums(sample, maximise_objective(sample, k, seed))
    return (sums / sizes[:, None]).astype(sample.dtype)


def cluster_collection(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster the vectors of a collection, (n, width), centred at their mean: a `Clusterer`."""
    return iclust_of_sample(unit_rows(vectors), k, seed)


def choose_k_of_collection(
    vectors: np.ndarray, cluster: Clusterer, max_k: int, seed: int
) -> KChoice:
    """Choose k for a collection by the silhouette with a prior: a `KChooser`. The mean of all rows
    stays the origin where only some of them are looked at."""
    return choose_k_of_rows(spread_rows(unit_rows(vectors)), max_k, seed)


def choose_k_of_rows(rows: np.ndarray, max_k: int, seed: int) -> KChoice:
    """Choose k for a collection by some of its rows, (n, width), which are centred already."""
    return choose_by_silhouette(rows, iclust_of_sample, max_k, seed, weight=0.3, centre=False)
