"""Broader themes: themes of themes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.keywords import find_keywords, make_labels
from spacy_thematic.clustering.vectors import cluster_centres


def find_parents(
    rows: np.ndarray, labels: np.ndarray, words: Sequence[Sequence[str]], n_broader: int
) -> list[str | None]:
    """Merge clusters into broader themes, by Ward's method on their centres.

    Args:
        rows: Unit rows, (n, width).
        labels: The cluster of each row, from 0 without gaps, (n,).
        words: The words of each cluster, from which broader themes are labelled.
        n_broader: The number of broader themes. There are none if it is 0, or not below the number
            of clusters.

    Returns:
        The label of the broader theme of each cluster, or None.
    """
    k = len(words)
    if not 0 < n_broader < k:
        return [None] * k
    groups = agglomerative(cluster_centres(rows, labels), n_broader, centre=False)
    together: list[list[str]] = [[] for _ in range(groups.max() + 1)]
    for group, cluster_words in zip(groups.tolist(), words):
        together[group].extend(cluster_words)
    names = make_labels(find_keywords(together, n_keywords=8))
    return [names[group] for group in groups.tolist()]
