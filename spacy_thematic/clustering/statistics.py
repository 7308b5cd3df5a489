"""How well each sentence sits in its cluster, and each cluster among the others, in a Doc by itself
or in a collection."""

from dataclasses import dataclass

import numpy as np

from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.rows import cluster_centres, cluster_sums, unit_rows


@dataclass
class ClusterStatistics:
    """Statistics of k clusters of n sentences."""

    scores: np.ndarray  # Cosine of each sentence with the centre of its cluster, (n,).
    # 0 to 1, how much nearer each sentence is to its own centre than to the next, (n,).
    confidences: np.ndarray
    cohesion: np.ndarray  # How like each other the sentences of each cluster are, (k,).
    # How unlike the nearest other cluster each one is, (k,); None for one cluster.
    separation: np.ndarray | None


def measure_clusters(vectors: SentenceVectors, labels: np.ndarray) -> ClusterStatistics:
    """Compute the statistics of clusters.

    Scores and confidences are taken after centring, if there is more than one cluster. Cohesion is
    the mean cosine of two sentences of a cluster, separation 1 minus the mean cosine with the
    sentences of the nearest other cluster, both of the vectors as they are, as
    `thematic_similarity` is. `labels` run from 0 without gaps, (n,).
    """
    sums, sizes = cluster_sums(vectors.unit, labels)
    k = len(sizes)
    rows = vectors.centred if k > 1 else vectors.unit
    cosines = rows @ cluster_centres(rows, labels).T
    scores = cosines[np.arange(len(rows)), labels]
    pairs = sizes * (sizes - 1)
    squares = np.bincount(labels, np.einsum("ij,ij->i", vectors.unit, vectors.unit))
    within = np.einsum("ij,ij->i", sums, sums) - squares
    between = sums @ sums.T / np.outer(sizes, sizes)
    np.fill_diagonal(between, -np.inf)
    return ClusterStatistics(
        scores=scores,
        confidences=find_confidences(cosines, labels),
        cohesion=np.divide(within, pairs, where=pairs > 0, out=np.ones(k)),
        separation=1.0 - between.max(axis=1) if k > 1 else None,
    )


def measure_in_collection(
    vectors: SentenceVectors, labels: np.ndarray, centres: np.ndarray, origin: np.ndarray
) -> ClusterStatistics:
    """Compute the statistics of those clusters of a collection that some of its sentences have.

    All are taken from the collection's centres, about its origin, so that the same sentence has the
    same in every Doc; of a single cluster as they are, not about the origin, which is its centre.
    Cohesion is the mean cosine of a cluster's sentences with its centre, separation 1 minus the
    cosine of its centre with the nearest other one.

    `labels` are indices of `centres`, (n,), which are those of all clusters of the collection, of
    length one, (clusters, width). The statistics are in the order of the labels.
    """
    if len(centres) == 1:
        # About itself, the centre of all sentences has no direction.
        rows, centres = vectors.unit, unit_rows(origin[None], centre=False)
    else:
        rows = unit_rows(vectors.raw, origin)
    cosines = rows @ centres.T
    scores = cosines[np.arange(len(labels)), labels]
    used = np.unique(labels)
    between = centres[used] @ centres.T
    between[np.arange(len(used)), used] = -np.inf
    return ClusterStatistics(
        scores=scores,
        confidences=find_confidences(cosines, labels),
        cohesion=np.array([scores[labels == label].mean() for label in used]),
        separation=1.0 - between.max(axis=1) if len(centres) > 1 else None,
    )


def find_confidences(cosines: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the simplified silhouette of each row (Hruschka, de Castro & Campello 2004), not below
    0, (n,), from its cosines with the centres of clusters, (n, k), and its cluster."""
    if cosines.shape[1] < 2:
        return np.ones(len(cosines))
    own = np.arange(len(cosines)), labels
    distances = np.clip(1.0 - cosines, 0.0, None)
    to_own = distances[own].copy()
    distances[own] = np.inf
    to_next = distances.min(axis=1)
    return np.divide(
        np.clip(to_next - to_own, 0.0, None), to_next, where=to_next > 0, out=np.zeros_like(to_next)
    )
