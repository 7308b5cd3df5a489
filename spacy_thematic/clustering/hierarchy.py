"""Broader themes: themes of themes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.keywords import find_keywords, make_labels
from spacy_thematic.clustering.vectors import cluster_sums, unit_rows


def find_parents(
    rows: np.ndarray, labels: np.ndarray, words: Sequence[Sequence[str]], n_broader: int
) -> list[str | None]:
    """For each cluster the label of the broader theme it belongs to, (k,).

    rows: (n, width), unit rows. labels: (n,), from 0, none left out. words: of each cluster, for
    the labels. The clusters' centres are merged by Ward's method into `n_broader` groups. None for
    each if `n_broader` is 0, or not below the number of clusters.
    """
    k = len(words)
    if not 0 < n_broader < k:
        return [None] * k
    centres = unit_rows(cluster_sums(rows, labels)[0], centre=False)
    groups = agglomerative(centres, n_broader, centre=False)
    together: list[list[str]] = [[] for _ in range(groups.max() + 1)]
    for group, cluster_words in zip(groups.tolist(), words):
        together[group].extend(cluster_words)
    names = make_labels(find_keywords(together, n_keywords=8))
    return [names[group] for group in groups.tolist()]
