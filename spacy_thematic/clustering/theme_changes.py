"""Themes over time: what new documents change in the themes of a collection."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spacy_thematic.clustering.diffusion_iclust import cluster_rows
from spacy_thematic.rows import cluster_centres, cluster_sums, renumber, unit_rows

LIKE = 0.2
"""The cosine with a centre from which on a sentence is like a theme, as of seed themes."""
_MOST = 12
_FEW = 5
_SHARE = 0.25
_COHERENT = 0.3
_DEAD = 0.1

_FEWEST_OF_KIND, _IN_COMMON = 10, 0.35
"""Sentences or texts from which it is told of what kind they are, and how much they may have in
common that those of the themes have not. Of twelve collections new texts of the same one had .33 at
most, and ten texts of another .23 to .85, few of them less than .35."""


@dataclass
class ThemeChanges:
    """What an update changed.

    Attributes:
        died: Of those that had sentences before, and now have less than a tenth of the share that
            they had; where so few sentences are new that fewer than five would be theirs, a theme
            is not said to have died. A theme that died keeps its number, and may return.
        growth: Of each theme that was there before, its share of the new sentences, divided by its
            share before.
    """

    born: list[int]
    died: list[int]
    growth: dict[int, float]


def find_births(
    vectors: np.ndarray, origin: np.ndarray, centres: np.ndarray, seed: int
) -> np.ndarray:
    """Give new sentences to themes, or to new ones.

    Sentences that are like no theme are clustered by Iclust into the number of new themes, none
    among others, with the largest mean silhouette of these sentences, in the simplified form that
    looks at centres (Hruschka et al. 2004), where old themes count beside the new. A new theme
    needs sentences that are nearer to each other than to any old theme: at least five, and a
    quarter of what a theme has on average, with a mean cosine of .3 with the centre of the others.

    `vectors` are those of the new sentences, (n, width); `origin`, (width,), and `centres`, (k,
    width), those of the themes. Returns the index of each sentence's theme, (n,), from k on for new
    ones, in the order of their first sentence.
    """
    rows = unit_rows(vectors, origin)
    cosines = rows @ centres.T
    found = cosines.argmax(axis=1)
    unlike = np.flatnonzero((cosines.max(axis=1) <= LIKE) & rows.any(axis=1))
    rest, to_old = rows[unlike], cosines[unlike]
    fewest = max(_FEW, _SHARE * len(rows) / (len(centres) + 1))
    best_labels = np.full(len(rest), -1)
    best = _silhouette(rest, best_labels, to_old)
    for n_new in range(1, min(_MOST, int(len(rest) / fewest)) + 1):
        labels = _keep_own(rest, cluster_rows(rest, n_new, seed), to_old, fewest)
        score = _silhouette(rest, labels, to_old)
        if score > best:
            best_labels, best = labels, score
    is_born = best_labels >= 0
    if is_born.any():
        found[unlike[is_born]] = len(centres) + renumber(best_labels[is_born])
    return found


def are_of_another_kind(vectors: np.ndarray, origin: np.ndarray) -> bool:
    """Tell whether new sentences or texts differ from those of the themes in one direction, as
    those of another collection do: by the root of the mean cosine of two of them about the origin.
    vectors, origin: as above."""
    n = len(vectors)
    total = unit_rows(vectors, origin).sum(axis=0)
    return n >= _FEWEST_OF_KIND and bool(total @ total - n > _IN_COMMON**2 * n * (n - 1))


def _keep_own(
    rows: np.ndarray, labels: np.ndarray, to_old: np.ndarray, fewest: float
) -> np.ndarray:
    """The labels of new clusters, (n,), -1 for those that are no theme, and for sentences that are
    nearer to an old theme than to their own cluster."""
    to_own = _to_own(rows, labels)
    labels = np.where(to_own > to_old.max(axis=1), labels, -1)
    for cluster in np.unique(labels[labels >= 0]).tolist():
        members = labels == cluster
        if members.sum() < fewest or to_own[members].mean() < _COHERENT:
            labels[members] = -1
    return labels


def _to_own(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The cosine of each row with the centre of the others of its cluster, (n,)."""
    sums, _ = cluster_sums(rows, labels)
    others = unit_rows(sums[labels] - rows, centre=False)
    return np.einsum("ij,ij->i", rows, others)


def _silhouette(rows: np.ndarray, labels: np.ndarray, to_old: np.ndarray) -> float:
    """The mean simplified silhouette of rows, in new clusters from 0 or, -1, in the nearest old."""
    if not len(rows):
        return 0.0
    ordered = np.sort(np.pad(to_old, ((0, 0), (1, 0)), constant_values=-1.0), axis=1)
    own, next_best = ordered[:, -1].copy(), ordered[:, -2].copy()
    new = np.flatnonzero(labels >= 0)
    if len(new):
        numbers = renumber(labels[new])
        to_new = rows @ cluster_centres(rows[new], numbers).T
        old = labels < 0
        next_best[old] = np.maximum(next_best[old], np.minimum(to_new[old].max(axis=1), own[old]))
        to_new[new, numbers] = -1.0
        next_best[new] = np.maximum(to_old[new].max(axis=1), to_new[new].max(axis=1))
        own[new] = _to_own(rows[new], numbers)
    within, following = 1 - own, 1 - next_best
    return float(((following - within) / np.maximum(within, following)).mean())


def compare_sizes(before: Mapping[int, int], new: Mapping[int, int]) -> ThemeChanges:
    """Compare the numbers of sentences that themes had before and have in what is new."""
    n_before, n_new = sum(before.values()), sum(new.values())
    growth, died = {}, []
    for number, size in before.items():
        expected = n_new * size / n_before if n_before else 0.0
        if not expected:
            continue
        growth[number] = new.get(number, 0) / expected
        if expected >= _FEW and growth[number] < _DEAD:
            died.append(number)
    return ThemeChanges(sorted(set(new) - set(before)), died, growth)
