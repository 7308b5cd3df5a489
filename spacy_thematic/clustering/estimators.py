"""Iclust as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.n_clusters import (
    choose_from_some,
    create_silhouette_with_prior,
    find_most,
)
from spacy_thematic.rows import cluster_centres, mean_row, unit_rows


class IclustClustering(ClusterMixin, BaseEstimator):
    """Information-based clustering on cosines (Slonim, Atwal, Tkacik & Bialek 2005), hard limit.

    Args:
        n_clusters: The most clusters, or "auto": chosen by the silhouette with a prior, as
            `thematic_clusterer` does.
        n_init: The number of restarts.
        centre: Whether to subtract the mean row before the cosines are taken.
        annealed: Retired, without effect.
        random_state: An int, a RandomState or None; an int gives the same labels each time.

    Attributes:
        labels_: Of the rows, (n_samples,), numbered in the order of first appearance.
        cluster_centers_: (clusters, n_features), of length one, after centring.
        origin_: The mean row that is subtracted first, (n_features,); zeros without.

    Examples:
        >>> from spacy_thematic.clustering.estimators import IclustClustering
        >>> IclustClustering(n_clusters=2, random_state=0).fit_predict([[1, 0], [0, 1], [2, 0]])
        array([0, 1, 0])
    """

    def __init__(
        self,
        n_clusters: int | Literal["auto"] = "auto",
        *,
        n_init: int = 10,
        centre: bool = True,
        annealed: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.centre = centre
        self.annealed = annealed
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> IclustClustering:
        """Cluster rows, (n_samples, n_features). y is not used."""
        rows = validate_data(self, X, dtype=[np.float64, np.float32])
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        cluster = create_iclust(self.n_init, self.centre, self.annealed)
        k = self.n_clusters
        if k == "auto":
            choose_k = create_silhouette_with_prior(centre=self.centre)
            most = find_most("auto", len(rows))
            k = choose_from_some(choose_k, rows, cluster, most, seed).k
        self.labels_ = cluster(rows, k, seed)
        self.origin_ = mean_row(rows) if self.centre else np.zeros(rows.shape[1], np.float32)
        self.cluster_centers_ = cluster_centres(unit_rows(rows, self.origin_), self.labels_)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster of the nearest centre for each row of (n_samples, n_features), int
        (n_samples,). `labels_` comes from moves of single rows, so a few rows of its own may
        differ."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return (unit_rows(rows, self.origin_) @ self.cluster_centers_.T).argmax(axis=1)
