"""Which sentences belong together, the same for a Doc and for a collection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spacy_thematic.clustering.n_clusters import KChoice, KChooser, find_most
from spacy_thematic.clustering.seed_themes import cluster_around_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import Clusterer, SentenceVectors


class Clustering(NamedTuple):
    """Labels from 0, (n,), with gaps perhaps, and negative for sentences without a cluster; and the
    score of each number of clusters that was tried."""

    labels: np.ndarray
    k_scores: dict[int, float]


def find_clusters(
    vectors: SentenceVectors,
    algorithm: Clusterer,
    choose_k: KChooser,
    settings: ThemeSettings,
    directions: np.ndarray | None,
    n_sentences: int | None = None,
    in_list: bool = False,
) -> Clustering:
    """Cluster sentences, around seed themes if there are some.

    With seed themes, "auto" leaves room for sentences that are like none of them.

    Args:
        vectors: Of n sentences.
        algorithm: Clusters vectors.
        choose_k: Chooses the number of clusters where it is "auto".
        settings: Of the themes.
        directions: Of the seed themes, as `encode_seed_themes` returns them.
        n_sentences: Of the text, where the vectors are those of its segments; None: n.
        in_list: Whether the sentences are lines in no order.

    Returns:
        The clusters. The first ones are the seed themes; there may be gaps.
    """
    rows, seed = vectors.raw, settings.seed
    most = find_most(settings.max_k, len(rows), in_list)
    k, scores = (
        choose_k(rows, algorithm, most, seed) if settings.k == "auto" else KChoice(settings.k, {})
    )
    if directions is None:
        return Clustering(algorithm(rows, max(1, min(k, len(rows))), seed), scores)
    fewest = min(len(directions) + 1, most)
    if settings.k == "auto" and k < fewest:
        k, scores = fewest, {}
    labels = cluster_around_seed_themes(
        vectors, directions, algorithm, k, seed, n_sentences=n_sentences
    )
    return Clustering(labels, scores)
