"""Broader themes: themes of themes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.keywords import find_keywords, make_labels


def find_parents(
    centres: np.ndarray, words: Sequence[Iterable[str]], n_broader: int
) -> list[str | None]:
    """Merge clusters into broader themes, by Ward's method on their centres.

    Args:
        centres: Of the clusters, (k, width), of length one.
        words: The words of each cluster, or a Counter of them, from which broader themes are
            labelled.
        n_broader: The number of broader themes. There are none if it is 0, or not below the number
            of clusters.

    Returns:
        The label of the broader theme of each cluster, or None.
    """
    k = len(words)
    if not 0 < n_broader < k:
        return [None] * k
    groups = agglomerative(centres, n_broader, centre=False)
    together: list[Counter[str]] = [Counter() for _ in range(groups.max() + 1)]
    for group, cluster_words in zip(groups.tolist(), words):
        together[group].update(cluster_words)
    names = make_labels(find_keywords(together, n_keywords=8))
    return [names[group] for group in groups.tolist()]
