"""How well each sentence sits in its theme, and each theme among the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spacy_thematic.clustering.vectors import cluster_sums, unit_rows


@dataclass
class ClusterStatistics:
    """`scores` (n,): cosine of a row with its cluster's centre. `confidences` (n,): 0 to 1, how
    much nearer it is to its own centre than to the next. `representatives` (k,): the row nearest
    to the centre. `cohesion` (k,): mean cosine of two rows of the cluster. `separation` (k,): 1
    minus the mean cosine with the rows of the nearest other cluster; None for one cluster."""

    scores: np.ndarray
    confidences: np.ndarray
    representatives: np.ndarray
    cohesion: np.ndarray
    separation: np.ndarray | None


def describe_clusters(vectors: Any, labels: np.ndarray, centre: bool = True) -> ClusterStatistics:
    """Statistics of clusters of rows. vectors: (n, width); labels: (n,), from 0, none left out.

    Scores, confidences and representatives are taken after centring, if there is more than one
    cluster; cohesion and separation on the vectors as they are, as `thematic_similarity` is.
    """
    raw = unit_rows(vectors, centre=False)
    raw_sums, sizes = cluster_sums(raw, labels)
    k = len(sizes)
    rows = unit_rows(vectors, centre) if k > 1 else raw
    centres = unit_rows(cluster_sums(rows, labels)[0], centre=False)
    cosines = rows @ centres.T
    own = np.arange(len(rows)), labels
    scores = cosines[own]
    return ClusterStatistics(
        scores=scores,
        confidences=_confidences(cosines, own),
        representatives=np.array(
            [np.flatnonzero(labels == c)[scores[labels == c].argmax()] for c in range(k)], dtype=int
        ),
        cohesion=_cohesion(raw, raw_sums, labels, sizes),
        separation=_separation(raw_sums, sizes) if k > 1 else None,
    )


def find_mixed(vectors: Any, labels: np.ndarray) -> list[bool]:
    """Whether each cluster holds what is left over, (k,).

    That is, whether the mean cosine of two of its rows is above that of any two rows by less than
    half of what it is above it in the clusters on average, weighted by size.
    vectors: (n, width); labels: (n,), from 0, none left out. A row alone is not mixed.
    """
    rows = unit_rows(vectors, centre=False)
    sums, sizes = cluster_sums(rows, labels)
    several = sizes > 1
    if several.sum() < 2:
        return [False] * len(sizes)
    (overall,) = _cohesion(rows, sums.sum(axis=0)[None], np.zeros_like(labels), sizes.sum()[None])
    gains = _cohesion(rows, sums, labels, sizes) - overall
    usual = np.average(gains[several], weights=sizes[several])
    return (several & (gains < usual / 2)).tolist()


def _confidences(cosines: np.ndarray, own: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The simplified silhouette of each row (Hruschka, de Castro & Campello 2004), not below 0."""
    if cosines.shape[1] < 2:
        return np.ones(len(cosines))
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
    rows: np.ndarray, sums: np.ndarray, labels: np.ndarray, sizes: np.ndarray
) -> np.ndarray:
    squares = np.bincount(labels, weights=np.einsum("ij,ij->i", rows, rows), minlength=len(sizes))
    pairs = sizes * (sizes - 1)
    total = np.einsum("ij,ij->i", sums, sums) - squares
    return np.divide(total, pairs, where=pairs > 0, out=np.ones(len(sizes)))


def _separation(sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    between = sums @ sums.T / np.outer(sizes, sizes)
    np.fill_diagonal(between, -np.inf)
    return 1.0 - between.max(axis=1)
