"""Clusters that are merged from below: of a few sentences, of themes, and of the parts of an
outline."""

from collections.abc import Sequence

import numpy as np

from spacy_thematic.rows import possible_k, renumber, unit_rows

FEW = 7
"""The most sentences that `cluster_few` is for: how far apart they are says too little of how many
themes they have."""

_OF_HALVES = 0.85
"""Chosen, as `FEW`, on a few sentences of one section or several, or of several articles."""

_EQUAL = 1e-6  # The largest distance of rows that are the same.

_NEXT = 0.5
"""The cost of merging parts that stand next to each other, as a share of that of other parts."""


def cluster_few(
    rows: np.ndarray, halves: float, most: int, paragraphs: np.ndarray | None = None
) -> np.ndarray:
    """Cluster a few sentences, rows of length one or zero, not centred, (n, width), by average
    linkage, until no two clusters are nearly as like each other as `halves`, the mean cosine of the
    two halves of each sentence, which surely belong together. Sentences of one of the paragraphs,
    (n,), are merged first. Returns the cluster of each sentence, from 0, (n,).

    So it needs no number of clusters, and no threshold that would fit one encoder only."""
    if len(rows) < 2:
        return np.zeros(len(rows), np.int64)
    from scipy.cluster.hierarchy import fcluster, linkage

    distances = np.clip(1 - rows @ rows.T, 0, None)
    if paragraphs is not None:
        distances[paragraphs[:, None] == paragraphs] = 0
    tree = linkage(distances[np.triu_indices(len(rows), 1)], "average")
    highest = max(1 - _OF_HALVES * halves, _EQUAL)
    if most < len(rows):
        highest = max(highest, tree[-most, 2])
    return renumber(fcluster(tree, highest, "distance"))


def merge_nearest(rows: np.ndarray, k: int) -> np.ndarray:
    """Merge the nearest of rows, (n, width), by Ward's method until k clusters are left, at most.
    Memory and time grow with n squared."""
    rows = unit_rows(rows, centre=False)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from sklearn.cluster import AgglomerativeClustering

    return renumber(AgglomerativeClustering(k).fit_predict(rows))


def cut_outline(levels: Sequence[np.ndarray], large: float) -> np.ndarray:
    """Return the parts of an outline that are not large, as far as it can be: those of the highest
    level, and in place of a large one its own parts on the next level that divides it.

    Args:
        levels: The part of each sentence on each level, the highest first, (n,) each, from 0.
        large: A part of more sentences is divided.

    Returns:
        The part of each sentence, from 0, in the order of the text, (n,).
    """
    parts = levels[0]
    for finer in levels[1:]:
        is_large = (np.bincount(parts) > large)[parts]
        parts = renumber(np.where(is_large, parts.max() + 1 + finer, parts))
    return parts


def merge_parts(rows: np.ndarray, parts: np.ndarray, k: int, largest: float = np.inf) -> np.ndarray:
    """Merge the parts of a text by Ward's method until k are left; what stands next to each other
    is merged first where all else is equal.

    Args:
        rows: Of its sentences, centred, (n, width).
        parts: The part of each, from 0, without gaps, (n,).
        largest: No merged part has more sentences, so that more than k may be left.

    Returns:
        The merged part of each sentence, from 0, (n,). Time grows with the cube of the parts, and
        memory with their square.
    """
    counts = np.bincount(parts).astype(float)
    sums = np.zeros((len(counts), rows.shape[1]))
    np.add.at(sums, parts, rows)
    means = sums / np.maximum(counts, 1)[:, None]
    is_next = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts)))) == 1

    def find_costs(part: int) -> np.ndarray:
        weights = counts * counts[part] / np.maximum(counts + counts[part], 1)
        weights *= np.where(is_next[part], _NEXT, 1.0)
        costs = weights * np.square(means - means[part]).sum(axis=1)
        costs[(counts == 0) | (counts + counts[part] > largest)] = costs[part] = np.inf
        return costs

    costs = np.stack([find_costs(part) for part in range(len(counts))])
    merged = np.arange(len(counts))
    for _ in range(len(counts) - k):
        first, second = divmod(int(costs.argmin()), len(costs))
        if np.isinf(costs[first, second]):
            break
        sums[first] += sums[second]
        counts[first] += counts[second]
        counts[second] = 0
        means[first] = sums[first] / counts[first]
        is_next[first] |= is_next[second]
        is_next[:, first] |= is_next[:, second]
        merged[merged == second] = first
        costs[second] = costs[:, second] = np.inf
        costs[first] = costs[:, first] = find_costs(first)
    return renumber(merged[parts])
