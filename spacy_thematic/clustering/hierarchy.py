"""Broader themes: themes of themes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from spacy_thematic.clustering.agglomerative import agglomerative
from spacy_thematic.clustering.headings import HeadingFinder
from spacy_thematic.clustering.keywords import find_keywords, make_labels


def find_parents(
    centres: np.ndarray,
    terms: Sequence[Iterable[str]],
    sizes: np.ndarray,
    n_broader: int,
    finder: HeadingFinder | None = None,
    taken: Sequence[str] = (),
    language: str = "",
    groups: np.ndarray | None = None,
) -> list[str | None]:
    """Merge clusters into broader themes, by Ward's method on their centres, or as given.

    Args:
        centres: Of the clusters, (k, width), of length one.
        terms: Of each cluster, or a Counter of them, from which broader themes are labelled.
        sizes: Of the clusters, (k,).
        n_broader: The number of broader themes. There are none if it is 0, or not below the number
            of clusters.
        finder: Finds the headings of the broader themes.
        taken: Names of the clusters, which no broader theme has.
        language: Of the terms, as spaCy names it.
        groups: The broader group of each cluster, from 0, (k,), in place of `n_broader` of them.

    Returns:
        The heading of the broader theme of each cluster, or its label; None without one.
    """
    k = len(terms)
    if groups is None and not 0 < n_broader < k:
        return [None] * k
    broader = agglomerative(centres, n_broader, centre=False) if groups is None else groups
    together: list[Counter[str]] = [Counter() for _ in range(broader.max() + 1)]
    for group, of_cluster in zip(broader.tolist(), terms):
        together[group].update(of_cluster)
    of_groups = np.bincount(broader, sizes).tolist()
    keywords = find_keywords(together, of_groups, n_keywords=8, language=language)
    labels = make_labels(keywords, taken=taken)
    headings = finder.merge(broader).choose(taken) if finder else [None] * len(labels)
    names = [heading.text if heading else label for heading, label in zip(headings, labels)]
    return [names[group] for group in broader.tolist()]
