"""k-means on unit rows (spherical distances, Euclidean centres), by scikit-learn."""

from __future__ import annotations

from functools import partial

import numpy as np
from spacy.util import registry
from thinc.types import Floats2d

from spacy_thematic.clustering.vectors import Clusterer, possible_k, renumber, unit_rows


def kmeans(
    vectors: Floats2d, k: int, seed: int = 0, *, n_init: int = 10, centre: bool = True
) -> np.ndarray:
    """Cluster rows of shape (n, width) into at most k clusters; returns n labels from 0.

    The best of `n_init` k-means++ starts. `centre` subtracts the mean row before the rows are
    normalised. Fewer than k clusters are returned when there are fewer than k distinct rows.
    Raises ValueError for NaN and for k < 1.
    """
    return kmeans_of_raw_rows(unit_rows(vectors, centre), k, seed, n_init=n_init)


def kmeans_of_raw_rows(rows: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10) -> np.ndarray:
    """`kmeans` of rows, (n, width), of the lengths that they have."""
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        model = KMeans(k, n_init=n_init, random_state=seed, init="k-means++")
        return renumber(model.fit_predict(rows))


@registry.misc("spacy-thematic.KMeans.v1")
def create_kmeans(n_init: int = 10, centre: bool = True) -> Clusterer:
    """k-means with `n_init` restarts, on vectors centred at the text's mean or as they are."""
    return partial(kmeans, n_init=n_init, centre=centre)
