"""From the vectors of sentences to themes, the same for a Doc and for a collection: which sentences
belong together, and what their themes are called."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Span

from spacy_thematic.clustering.headings import Heading, HeadingScorer, choose_headings
from spacy_thematic.clustering.hierarchy import group_clusters
from spacy_thematic.clustering.keywords import find_keywords, find_terms, make_labels
from spacy_thematic.clustering.n_clusters import KChooser
from spacy_thematic.clustering.seed_themes import cluster_around_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import find_mixed
from spacy_thematic.clustering.themes import ThemeDescription
from spacy_thematic.clustering.vectors import Clusterer, SentenceVectors


def find_clusters(
    vectors: SentenceVectors,
    algorithm: Clusterer,
    choose_k: KChooser,
    settings: ThemeSettings,
    directions: np.ndarray | None,
) -> np.ndarray:
    """Cluster sentences, around seed themes if there are some.

    Args:
        vectors: Of n sentences.
        algorithm: Clusters vectors.
        choose_k: Chooses the number of clusters where it is "auto".
        settings: Of the themes.
        directions: Of the seed themes, as `encode_seed_themes` returns them.

    Returns:
        Labels from 0, (n,). The first ones are the seed themes; there may be gaps.
    """
    k, seed = settings.k, settings.seed
    if k == "auto":
        k = choose_k(vectors.raw, algorithm, settings.max_k, seed)
    if directions is None:
        return algorithm(vectors.raw, max(1, min(k, len(vectors.raw))), seed)
    return cluster_around_seed_themes(vectors, directions, algorithm, k, seed)


def describe_themes(
    sentences: Sequence[Span],
    vectors: SentenceVectors,
    labels: np.ndarray,
    settings: ThemeSettings,
    score_headings: HeadingScorer | None = None,
) -> tuple[list[ThemeDescription], np.ndarray]:
    """Name clusters, order them by size, and describe them as themes.

    Args:
        sentences: That were clustered.
        vectors: Of the sentences.
        labels: As `find_clusters` returns them, (n,).
        settings: Of the themes.
        score_headings: Says how well headings fit. None: there are no headings.

    Returns:
        The themes, largest first, and for each sentence the index of its theme, (n,). No two
        labels are the same.
    """
    clusters, labels = np.unique(labels, return_inverse=True)
    groups: list[list[Span]] = [[] for _ in clusters]
    for sentence, label in zip(sentences, labels.tolist()):
        groups[label].append(sentence)
    terms = find_terms(groups)
    keywords = find_keywords(terms, settings.n_keywords)
    mixed = find_mixed(vectors, labels)
    score = score_headings if settings.headings else None
    headings = choose_headings(groups, vectors, labels, score)
    names = dict(enumerate(settings.seed_themes))
    order = np.argsort(-np.bincount(labels), kind="stable").tolist()
    found = make_labels([keywords[position] for position in order])
    parents = _name_parents(
        groups,
        terms,
        vectors,
        labels,
        settings,
        score,
        [*found, *names.values(), *_texts(headings)],
    )
    themes = []
    for number, (position, label) in enumerate(zip(order, found), 1):
        name = names.get(clusters[position])
        heading = None if name else headings[position]
        if name is None and label in names.values():
            label = f"{label} ({number})"
        themes.append(
            ThemeDescription(
                number=number,
                label=name or label,
                keywords=keywords[position],
                parent=parents[position],
                heading=heading and heading.text,
                heading_score=heading and heading.score,
                mixed=mixed[position],
            )
        )
    return themes, np.argsort(order)[labels]


def _name_parents(
    groups: Sequence[Sequence[Span]],
    terms: Sequence[Sequence[str]],
    vectors: SentenceVectors,
    labels: np.ndarray,
    settings: ThemeSettings,
    score_headings: HeadingScorer | None,
    taken: Sequence[str],
) -> list[str | None]:
    """The name of the broader theme of each cluster, none of which is in `taken`; None if none is
    asked for."""
    broader = group_clusters(vectors.centred, labels, settings.n_broader)
    if broader is None:
        return [None] * len(groups)
    members = [np.flatnonzero(broader == number).tolist() for number in range(broader.max() + 1)]
    headings = choose_headings(
        [[sentence for child in children for sentence in groups[child]] for children in members],
        vectors,
        broader[labels],
        score_headings,
        taken,
    )
    words = [[word for child in children for word in terms[child]] for children in members]
    found = make_labels(find_keywords(words, n_keywords=8), taken=taken)
    names = [heading.text if heading else label for heading, label in zip(headings, found)]
    return [names[number] for number in broader.tolist()]


def _texts(headings: Sequence[Heading | None]) -> list[str]:
    return [heading.text for heading in headings if heading]
