"""From the vectors of sentences to themes, the same for a Doc and for a collection: which sentences
belong together, and what their themes are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from spacy.tokens import Span

from spacy_thematic.clustering.content import Content, read_content
from spacy_thematic.clustering.headings import HeadingFinder, HeadingScorer
from spacy_thematic.clustering.hierarchy import find_parents
from spacy_thematic.clustering.keywords import find_keywords, find_terms, make_labels
from spacy_thematic.clustering.n_clusters import KChoice, KChooser, find_most
from spacy_thematic.clustering.seed_themes import cluster_around_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.themes import ThemeDescription
from spacy_thematic.clustering.vectors import (
    Clusterer,
    SentenceVectors,
    cluster_centres,
    renumber,
)


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


def describe_themes(
    sentences: Sequence[Span],
    vectors: SentenceVectors,
    labels: np.ndarray,
    settings: ThemeSettings,
    score_headings: HeadingScorer | None = None,
    broader: np.ndarray | None = None,
) -> tuple[list[ThemeDescription], np.ndarray]:
    """Name clusters, order them by size, and describe them as themes.

    Args:
        sentences: That were clustered.
        vectors: Of the sentences.
        labels: As `find_clusters` returns them, (n,); negative for sentences without a theme.
        settings: Of the themes.
        score_headings: Says how well headings fit, and keywords. None: there are no headings.
        broader: The broader group of each cluster, (clusters,), where `n_broader` is "auto". None:
            there are no broader themes then.

    Returns:
        The themes, largest first, and for each sentence the index of its theme, (n,), -1 without
        one. No two labels are the same.
    """
    of_each = np.array(labels)
    kept = np.flatnonzero(of_each >= 0)
    vectors = vectors.take(kept)
    clusters, labels = np.unique(of_each[kept], return_inverse=True)
    groups: list[list[Content]] = [[] for _ in clusters]
    for content, label in zip(
        read_content([sentences[row] for row in kept.tolist()]), labels.tolist()
    ):
        groups[label].append(content)
    names = dict(enumerate(settings.seed_themes))
    score = score_headings if settings.headings else None
    themes, order = describe_clusters(
        find_terms(groups),
        np.bincount(labels),
        cluster_centres(vectors.centred, labels),
        settings,
        [names.get(cluster) for cluster in clusters.tolist()],
        HeadingFinder(groups, vectors, labels, score),
        sentences[0].doc.lang_ if len(sentences) else "",
        None if broader is None else broader[clusters],
    )
    of_each[kept] = np.argsort(order)[labels]
    return themes, of_each


def describe_clusters(
    terms: Sequence[Iterable[str]],
    sizes: np.ndarray,
    centres: np.ndarray,
    settings: ThemeSettings,
    names: Sequence[str | None],
    finder: HeadingFinder | None = None,
    language: str = "",
    broader: np.ndarray | None = None,
) -> tuple[list[ThemeDescription], np.ndarray]:
    """Describe k clusters as themes, by what is known of them when their sentences were read.

    Args:
        terms: Of each cluster, or a Counter of them.
        sizes: Of the clusters, (k,).
        centres: Of the clusters, (k, width), of length one.
        settings: Of the themes.
        names: Of the clusters that are seed themes; None for the others.
        finder: Finds the headings of the clusters, and of groups of them, and says more of the
            candidates for keywords.
        language: Of the terms, as spaCy names it.
        broader: As for `describe_themes`.

    Returns:
        The themes, largest first, and of each the number of its cluster, (k,). No two labels are
        the same.
    """
    keywords = find_keywords(
        terms,
        sizes.tolist(),
        settings.n_keywords,
        finder.weigh_openings if finder else None,
        finder.weigh if finder else None,
        language,
    )
    namer = finder if settings.headings else None
    headings = namer.choose(list(settings.seed_themes)) if namer else [None] * len(sizes)
    order = np.argsort(-sizes, kind="stable")
    found = make_labels([keywords[position] for position in order])
    taken = [*found, *settings.seed_themes, *(heading.text for heading in headings if heading)]
    n_broader, groups = settings.n_broader, None
    if n_broader == "auto":
        n_broader, groups = 0, None if broader is None else renumber(broader)
    parents = find_parents(centres, terms, sizes, n_broader, namer, taken, language, groups)
    themes = []
    for number, (position, label) in enumerate(zip(order.tolist(), found), 1):
        name = names[position]
        heading = None if name else headings[position]
        if name is None and label in settings.seed_themes:
            label = f"{label} ({number})"
        themes.append(
            ThemeDescription(
                number=number,
                label=name or label,
                keywords=keywords[position],
                parent=parents[position],
                heading=heading and heading.text,
                heading_score=heading and heading.score,
            )
        )
    return themes, order
