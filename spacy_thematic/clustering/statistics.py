"""How well each sentence sits in its cluster, and each cluster among the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spacy_thematic.clustering.vectors import SentenceVectors, cluster_centres, cluster_sums


@dataclass
class ClusterStatistics:
    """Statistics of k clusters of n sentences.

    Attributes:
        scores: Cosine of each sentence with the centre of its cluster, (n,).
        confidences: 0 to 1, how much nearer each sentence is to its own centre than to the next,
            (n,).
        representatives: The sentence nearest to the centre of each cluster, (k,).
        cohesion: Mean cosine of two sentences of each cluster, (k,).
        separation: 1 minus the mean cosine with the sentences of the nearest other cluster, (k,);
            None for one cluster.
    """

    scores: np.ndarray
    confidences: np.ndarray
    representatives: np.ndarray
    cohesion: np.ndarray
    separation: np.ndarray | None


def measure_clusters(vectors: SentenceVectors, labels: np.ndarray) -> ClusterStatistics:
    """Compute the statistics of clusters.

    Scores, confidences and representatives are taken after centring, if there is more than one
    cluster; cohesion and separation on the vectors as they are, as `thematic_similarity` is.

    Args:
        vectors: Of n sentences.
        labels: The cluster of each sentence, from 0 without gaps, (n,).
    """
    sums, sizes = cluster_sums(vectors.unit, labels)
    k = len(sizes)
    rows = vectors.centred if k > 1 else vectors.unit
    cosines = rows @ cluster_centres(rows, labels).T
    own = np.arange(len(rows)), labels
    scores = cosines[own]
    return ClusterStatistics(
        scores=scores,
        confidences=find_confidences(cosines, labels),
        representatives=np.array(
            [np.flatnonzero(labels == c)[scores[labels == c].argmax()] for c in range(k)], dtype=int
        ),
        cohesion=_cohesion(vectors.unit, labels, sums, sizes),
        separation=_separation(sums, sizes) if k > 1 else None,
    )


def find_confidences(cosines: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the simplified silhouette of each row (Hruschka, de Castro & Campello 2004), not below
    0, (n,).

    Args:
        cosines: Of rows with the centres of clusters, (n, k).
        labels: The cluster of each row, (n,).
    """
    if cosines.shape[1] < 2:
        return np.ones(len(cosines))
    own = np.arange(len(cosines)), labels
    distances = np.clip(1.0 - cosines, 0.0, None)
    to_own = distances[own].copy()
    distances[own] = np.inf
    to_next = distances.min(axis=1)
    return np.divide(
        np.clip(to_next - to_own, 0.0, None),
        to_next,
        where=to_next > 0,
        out=np.zeros_like(to_next),
    )


def _cohesion(
    rows: np.ndarray, labels: np.ndarray, sums: np.ndarray, sizes: np.ndarray
) -> np.ndarray:
    pairs = sizes * (sizes - 1)
    squares = np.bincount(labels, weights=np.einsum("ij,ij->i", rows, rows))
    total = np.einsum("ij,ij->i", sums, sums) - squares
    return np.divide(total, pairs, where=pairs > 0, out=np.ones(len(sizes)))


def _separation(sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    between = sums @ sums.T / np.outer(sizes, sizes)
    np.fill_diagonal(between, -np.inf)
    return 1.0 - between.max(axis=1)
