"""How many themes a text has, where nobody says."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.vectors import Clusterer, cluster_sums, unit_rows

KChooser = Callable[[Any, Clusterer, int, int], int]
"""`(vectors, cluster, max_k, seed) -> k`: rows (n, width) to a number of clusters."""


def silhouette(rows: np.ndarray, labels: np.ndarray) -> float:
    """Mean silhouette (Rousseeuw 1987) under the cosine distance.

    rows: (n, width), of length one or zero. labels: (n,), from 0. From the sums of the clusters,
    in O(n k width) without the matrix of distances. 0.0 for fewer than two clusters.
    """
    sums, sizes = cluster_sums(rows, labels)
    if len(sizes) < 2:
        return 0.0
    own = np.arange(len(rows)), labels
    distances = sizes - rows @ sums.T
    distances[own] -= 1.0 - np.einsum("ij,ij->i", rows, rows)
    counts = np.broadcast_to(sizes, distances.shape).astype(float)
    counts[own] -= 1
    means = np.divide(distances, counts, where=counts > 0, out=np.zeros_like(distances))
    within = means[own].copy()
    means[own] = np.inf
    nearest = means.min(axis=1)
    larger = np.maximum(within, nearest)
    scores = np.divide(nearest - within, larger, where=larger > 0, out=np.zeros_like(larger))
    return float(np.where(sizes[labels] > 1, scores, 0.0).mean())


def usual_k(n: int) -> float:
    """The number of themes that an article of n sentences usually has: 1.06 sqrt(n), within 3 to
    12, fitted to the sections of encyclopedia articles."""
    return float(np.clip(1.06 * np.sqrt(n), 3, 12))


def choose_by_silhouette(
    vectors: Any, cluster: Clusterer, max_k: int, seed: int = 0, *, weight: float, centre: bool
) -> int:
    """The k from 2 to max_k whose clusters have the largest silhouette, minus `weight` times
    `ln(k / usual_k(n))` squared. 1 for fewer than three sentences.

    vectors: (n, width). weight 0 is the plain silhouette, which prefers far too few or too many.
    Of equal scores the smaller k is taken.
    """
    rows = unit_rows(vectors, centre)
    n = len(rows)
    best, best_score = min(n, 1), -np.inf
    for k in range(2, min(max_k, n - 1) + 1):
        labels = cluster(vectors, k, seed)
        found = int(labels.max()) + 1
        if found < k:
            break
        score = silhouette(rows, labels) - weight * np.log(k / usual_k(n)) ** 2
        if score > best_score:
            best, best_score = k, score
    return best


@registry.misc("spacy-thematic.Silhouette.v1")
def create_silhouette(centre: bool = True) -> KChooser:
    """The plain silhouette."""
    return partial(choose_by_silhouette, weight=0.0, centre=centre)


@registry.misc("spacy-thematic.SilhouetteWithPrior.v1")
def create_silhouette_with_prior(weight: float = 0.1, centre: bool = True) -> KChooser:
    """The silhouette with a prior that expects about 1.06 sqrt(n) themes."""
    return partial(choose_by_silhouette, weight=weight, centre=centre)
