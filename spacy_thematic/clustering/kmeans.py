"""k-means on unit rows (spherical distances, Euclidean centres), by scikit-learn."""

from functools import partial

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.rows import possible_k, renumber, unit_rows


def kmeans(
    vectors: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10, centre: bool = True
) -> np.ndarray:
    """Cluster rows by k-means on their directions: a `Clusterer`. `centre` subtracts the mean row
    first. The best of `n_init` k-means++ starts is taken."""
    return kmeans_of_raw_rows(unit_rows(vectors, centre), k, seed, n_init=n_init)


def kmeans_of_raw_rows(rows: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10) -> np.ndarray:
    """Cluster rows by k-means as they are, not scaled to length one; else as `kmeans`."""
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from sklearn.cluster import KMeans

    with single_thread():
        model = KMeans(k, n_init=n_init, random_state=seed, init="k-means++")
        return renumber(model.fit_predict(rows))


@registry.misc("spacy-thematic.KMeans.v1")
def create_kmeans(n_init: int = 10, centre: bool = True) -> Clusterer:
    """Create k-means, on vectors centred at the text's mean or as they are."""
    return partial(kmeans, n_init=n_init, centre=centre)
