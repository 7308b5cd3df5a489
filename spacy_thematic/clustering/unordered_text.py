"""Clusters of the sentences of a text in no order, or with seed themes: k is chosen, then found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spacy_thematic.clustering.n_clusters import KChoice, KChooser, find_most
from spacy_thematic.clustering.seed_themes import take_by_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import SET_ASIDE, Clusterer, SentenceVectors
from spacy_thematic.rows import cluster_sums, unit_rows

_ALIKE = 0.5
"""The cosine of two clusters' centred means from which on they are one. With .6 what comes back is
known again half as often, and the number of themes is seldomer one that readers find right (.87 of
47 texts for .91, and .89 with .4); AMI with outlines of readers, where little comes back, is .003
to .005 better."""

LARGE = 45
"""The sentences of a theme that is large: it is divided, and may be half of a long text at most."""

_FEWEST = 20  # The sentences of a text in which none is a cluster of its own.


_CHOSEN_FROM = 2_000  # Of more sentences k is chosen from every second, third and so on.


class Clustering(NamedTuple):
    """Labels from 0, (n,), with gaps perhaps, and negative for sentences without a cluster; and how
    the number of clusters was chosen, None where it was not."""

    labels: np.ndarray
    choice: KChoice | None = None


def cluster_unordered(
    vectors: SentenceVectors,
    algorithm: Clusterer,
    choose_k: KChooser,
    settings: ThemeSettings,
    directions: np.ndarray | None,
    n_sentences: int | None = None,
    in_list: bool = False,
    compared: np.ndarray | None = None,
) -> Clustering:
    """Cluster sentences, around seed themes if there are some.

    With seed themes, "auto" leaves room for sentences that are like none of them, which the
    algorithm divides; where k is no larger than the number of seed themes, each sentence goes to
    the nearest. The first clusters are the seed themes; there may be gaps.

    Args:
        directions: Of the seed themes, as `encode_seed_themes` returns them.
        n_sentences: Of the text, where the vectors are those of its segments; None: as many.
        in_list: Whether the sentences are lines in no order.
        compared: The words of the seed themes, as `compare_words` returns them.
    """
    rows, seed = vectors.raw, settings.seed
    most = find_most(settings.max_k, len(rows), in_list)
    some = rows[:: max(1, -(-len(rows) // _CHOSEN_FROM))]
    k, choice = settings.k, None
    if k == "auto":
        k, _ = choice = choose_k(some, algorithm, most, seed)
    if directions is None:
        return Clustering(algorithm(rows, max(1, min(k, len(rows))), seed), choice)
    fewest = min(len(directions) + 1, most)
    if choice is not None and k < fewest:
        k, choice = fewest, None
    take_all = k <= len(directions)
    labels = take_by_seed_themes(
        vectors, directions, n_sentences, take_all=take_all, compared=compared
    )
    rest = np.flatnonzero(labels == SET_ASIDE)
    if len(rest):
        # A seed theme that is in no sentence takes no place of another theme.
        n_found = len(np.unique(np.delete(labels, rest)))
        labels[rest] = len(directions) + algorithm(rows[rest], k - n_found, seed)
    return Clustering(labels, choice)


def join_alike(
    labels: np.ndarray, vectors: SentenceVectors, *, keep_lone: bool = False
) -> np.ndarray:
    """Join clusters that are alike, the most alike first, and those of a single sentence to the
    nearest, but not the last two, nor to a large one of more than half of the sentences: means of
    many sentences are alike, whatever they say.

    `labels` are the cluster of each sentence, (n,), negative for those without one. With
    `keep_lone` clusters of a single sentence stay, as below a heading of their own. Returns labels
    from 0 without gaps, negative for the same sentences.
    """
    kept = labels >= 0
    joined = np.array(labels)
    joined[kept] = np.unique(labels[kept], return_inverse=True)[1]
    if not kept.any():
        return joined
    sums, sizes = cluster_sums(vectors.centred[kept], joined[kept])
    of_cluster = np.arange(len(sizes))
    most = max(LARGE, sizes.sum() / 2)
    while len(sizes) > 2:
        cosines = unit_rows(sums, centre=False)
        cosines = cosines @ cosines.T
        np.fill_diagonal(cosines, -np.inf)
        cosines[sizes[:, None] + sizes > most] = -np.inf
        lone = np.flatnonzero(sizes == 1).tolist()
        first, second = divmod(int(cosines.argmax()), len(sizes))
        if lone and not keep_lone and len(labels) >= _FEWEST:
            first, second = lone[0], int(cosines[lone[0]].argmax())
        elif cosines[first, second] < _ALIKE:
            break
        first, second = sorted((first, second))
        sums[first] += sums[second]
        sizes[first] += sizes[second]
        sums, sizes = np.delete(sums, second, axis=0), np.delete(sizes, second)
        of_cluster[of_cluster == second] = first
        of_cluster[of_cluster > second] -= 1
    joined[kept] = of_cluster[joined[kept]]
    return joined


def join_repeated(labels: np.ndarray, distinct: np.ndarray, smallest: int = 1) -> np.ndarray:
    """Join each cluster of `smallest` sentences or more that says only one thing again and again,
    as in a log, to the largest that says it too.

    `labels` are the cluster of each sentence, (n,), negative for those without one; `distinct` what
    each says, from 0, (n,). Returns labels from 0 without gaps, negative for the same sentences."""
    joined = np.array(labels)
    kept = labels >= 0
    clusters, sizes = np.unique(labels[kept], return_counts=True)
    largest_first = clusters[np.argsort(-sizes, kind="stable")].tolist()
    said = {cluster: {*distinct[labels == cluster].tolist()} for cluster in largest_first}
    for place, cluster in enumerate(largest_first[: np.count_nonzero(sizes >= smallest)]):
        others = (one for one in largest_first[:place] if said[cluster] <= said[one])
        if len(said[cluster]) == 1:
            joined[joined == cluster] = next(others, cluster)
    joined[kept] = np.unique(joined[kept], return_inverse=True)[1]
    return joined
