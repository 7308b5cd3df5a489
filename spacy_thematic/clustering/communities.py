"""Clustering of units, such as the texts of a collection, in no order: the communities in the graph
of their nearest neighbours, by the Leiden algorithm (Traag et al. 2019).

The graph sees words through few latent dimensions, where rare ones are lost. Where words are known,
each cluster is then a component of a mixture, of von Mises and Fisher's distribution for vectors
(Banerjee et al. 2005) and of naive Bayes for words (Nigam et al. 2000), and each unit moves to the
likeliest one, until none moves (classification EM, Celeux and Govaert 1992).

`n_communities.py` chooses how many clusters there are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.diffusion import draw_sample, join_nearest, vote
from spacy_thematic.clustering.hierarchy import merge_nearest
from spacy_thematic.clustering.n_communities import choose_number, measure_stability
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer, KChoice
from spacy_thematic.rows import cluster_centres, cluster_sums, possible_k, renumber, unit_rows

_NEIGHBOURS, _FEWEST_NEIGHBOURS, _UNITS_OF_A_NEIGHBOUR = 10, 3, 12
"""Among few units a theme has few, and more neighbours would join it to others."""

_RESOLUTIONS = (0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0, 16.0, 22.0)

_EQUAL = 0.98  # The cosine from which on two units say the same.
_SAME = 0.9999  # The cosine of two rows from which on they are one, but for rounding.

_BLOCK = 500

_CONCENTRATION = 30  # Of the vectors of a cluster. From 20 to 50 does as well.

_OF_BACKGROUND = 4
"""How many units' words a cluster has beside its own, such as all units have. With few of them one
cluster takes most of long units, since a small one lacks their words."""

_MOST_ROUNDS = 10


@dataclass(frozen=True)
class Communities:
    """Clusters of units, or of a sample of them."""

    sample: np.ndarray  # The rows that were clustered, of length one or zero, (s, width).
    labels: np.ndarray  # The clusters of the sample, from 0, (s,), in the order of their first row.
    # Of each number of clusters that was tried, how well they hold, at most 1.
    scores: dict[int, float]
    # The broader cluster of each cluster, from 0, (k,): the coarser level that holds best, of at
    # most half as many. None where there is none, or k was given.
    broader: np.ndarray | None = None

    @property
    def k(self) -> int:
        """The number of clusters."""
        return int(self.labels.max(initial=-1)) + 1

    def label(self, rows: np.ndarray) -> np.ndarray:
        """Return the cluster of each row, of length one or zero, (n, width): that of the row of the
        sample that it equals, or of its neighbours there; the first for rows of zeros. (n,)"""
        votes = np.eye(self.k, dtype=np.float32)[self.labels]
        with single_thread():
            found = vote(rows, self.sample, votes)
            for start in range(0, len(rows), _BLOCK):
                cosines = rows[start : start + _BLOCK] @ self.sample.T
                same = np.flatnonzero(cosines.max(axis=1, initial=0) > _SAME)
                found[start + same] = self.labels[cosines[same].argmax(axis=1)]
        return found


def find_communities(
    rows: np.ndarray,
    k: int | Literal["auto"] = "auto",
    max_k: int | Literal["auto"] = "auto",
    seed: int = 0,
    words: Any = None,
) -> Communities:
    """Cluster units. Those that are equal, or nearly, count once. The order of the rows does not
    matter. Time and memory grow with their square: of more than 5,000 give a sample.

    Args:
        rows: Of length one or zero, (n, width), centred.
        k: The number of clusters, or "auto": the one that holds best. There are fewer where fewer
            units differ.
        max_k: The most clusters that "auto" finds; "auto": there is no limit.
        words: Of the units, as `count_words` returns them; None: they are not known.
    """
    labels = np.zeros(len(rows), np.int64)
    known = np.flatnonzero(rows.any(axis=1))
    scores: dict[int, float] = {}
    broader = None
    if len(known):
        rng = np.random.default_rng(seed)
        with single_thread():
            # Leiden goes through the units in their order.
            order = known[np.argsort(rows[known] @ rng.normal(size=rows.shape[1]), kind="stable")]
            firsts, copy_of = np.unique(find_equal(rows[order]), return_inverse=True)
            distinct = order[firsts]
            own_words = None if words is None else words[distinct]
            found, scores, coarser = _cluster(rows[distinct], own_words, k, max_k, seed)
        labels[order] = found[copy_of]
        labels[known] = renumber(labels[known])
        if coarser is not None:
            broader = _find_broader(labels[order], coarser[copy_of])
    return Communities(rows, labels, scores, broader)


def cluster_communities(vectors: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
    """Cluster the vectors of units, (n, width): a `Clusterer`. Of more than 5,000 units a random
    sample is clustered, and the others join their neighbours in it."""
    rows = unit_rows(vectors)
    sample = rows[draw_sample(len(rows), seed)]
    return renumber(find_communities(sample, max(1, possible_k(rows, k)), seed=seed).label(rows))


def choose_by_communities(
    vectors: np.ndarray, cluster: Clusterer, max_k: int, seed: int = 0
) -> KChoice:
    """Choose the number of communities of vectors, (n, width), that holds best: a `KChooser`."""
    rows = unit_rows(vectors)
    found = find_communities(rows[draw_sample(len(rows), seed)], max_k=max_k, seed=seed)
    return KChoice(found.k, found.scores)


@registry.misc("spacy-thematic.Communities.v1")
def create_communities() -> Clusterer:
    """Create the clustering of units, in no order, by communities of their nearest neighbours."""
    return cluster_communities


def find_equal(rows: np.ndarray) -> np.ndarray:
    """Return for each row, of length one, (n, width), the number of the first one that is equal to
    it, or nearly, (n,)."""
    firsts = np.arange(len(rows))
    for start in range(0, len(rows), _BLOCK):
        stop = start + _BLOCK
        firsts[start:stop] = (rows[start:stop] @ rows[:stop].T > _EQUAL).argmax(axis=1)
    # The first one that a row equals may equal one before.
    while (firsts != firsts[firsts]).any():
        firsts = firsts[firsts]
    return firsts


def _cluster(
    rows: np.ndarray, words: Any, k: int | Literal["auto"], max_k: int | Literal["auto"], seed: int
) -> tuple[np.ndarray, dict[int, float], np.ndarray | None]:
    """The clusters of rows, the score of each number, and the clusters of a coarser level."""
    if k != "auto":
        return _cut(rows, words, k, seed), {}, None

    def find(sample: np.ndarray) -> list[list[np.ndarray]]:
        return _find_all(rows[sample], None if words is None else words[sample], seed)

    ways = _find_all(rows, words, seed)
    holds = measure_stability(ways, find, len(rows), seed)
    numbers = [int(labels.max()) + 1 for labels in ways[-1]]
    chosen = choose_number(numbers, holds, len(rows), max_k)
    if chosen.place is None:
        return _cut(rows, words, chosen.k, seed), {}, None
    coarser = None if chosen.coarser is None else ways[-1][chosen.coarser]
    return ways[-1][chosen.place], chosen.scores, coarser


def _find_broader(labels: np.ndarray, coarser: np.ndarray) -> np.ndarray:
    """The coarser cluster that most units of each cluster are in, numbered from 0, (k,)."""
    counts = np.zeros((int(labels.max()) + 1, int(coarser.max()) + 1))
    np.add.at(counts, (labels, coarser), 1)
    return renumber(counts.argmax(axis=1))


def _find_all(rows: np.ndarray, words: Any, seed: int) -> list[list[np.ndarray]]:
    """The communities of rows at each resolution; then, where words are known, the clusters that
    they make of them."""
    graph = _join(rows)
    plain = [_find(graph, resolution, seed) for resolution in _RESOLUTIONS]
    if words is None:
        return [plain]
    return [plain, [fit_mixture(rows, words, labels) for labels in plain]]


def _cut(rows: np.ndarray, words: Any, k: int, seed: int) -> np.ndarray:
    """k clusters, or fewer where there are fewer rows: the fewest communities that are at least k,
    with the nearest merged until k are left."""
    if k >= len(rows):
        return np.arange(len(rows))
    graph = _join(rows)
    low, high = -5.0, 10.0
    labels = np.arange(len(rows))
    for _ in range(12):
        middle = (low + high) / 2
        found = _find(graph, float(np.exp(middle)), seed)
        if found.max() + 1 >= k:
            labels, high = found, middle
        else:
            low = middle
        if labels.max() + 1 == k:
            break
    else:
        labels = merge_nearest(cluster_centres(rows, labels), k)[labels]
    return labels if words is None else fit_mixture(rows, words, labels)


def _join(rows: np.ndarray) -> Any:
    """The graph of the nearest neighbours of rows."""
    few = max(_FEWEST_NEIGHBOURS, len(rows) // _UNITS_OF_A_NEIGHBOUR)
    return join_nearest(rows, min(_NEIGHBOURS, few))


def _find(graph: Any, resolution: float, seed: int) -> np.ndarray:
    """The communities of a graph, from 0, (n,)."""
    from graspologic_native import leiden_csr

    n = graph.shape[0]
    labels = n + np.arange(n)
    if graph.nnz:
        _, found = leiden_csr(
            graph.indptr.astype(np.int64),
            graph.indices.astype(np.int32),
            graph.data.astype(np.float64),
            n,
            resolution=resolution,
            seed=seed,
        )
        labels[list(found)] = list(found.values())
        labels = _join_single(graph, renumber(labels))
    return renumber(labels)


def _join_single(graph: Any, labels: np.ndarray) -> np.ndarray:
    """The same communities, but a unit that is one by itself is in that of its neighbours, (n,)."""
    sizes = np.bincount(labels)
    joined = labels.copy()
    for unit in np.flatnonzero(sizes[labels] == 1).tolist():
        near = slice(*graph.indptr[unit : unit + 2])
        if sizes[joined[unit]] == 1 and near.start < near.stop:
            weights = np.bincount(joined[graph.indices[near]], graph.data[near])
            sizes[joined[unit]] -= 1
            joined[unit] = weights.argmax()
            sizes[joined[unit]] += 1
    return joined


def count_words(words: Iterable[Sequence[str]]) -> Any:
    """Return which units have which words that two have, or more: sparse float32 (n, words)."""
    from scipy.sparse import csr_array

    of_units = [sorted(set(own)) for own in words]
    flat = np.array([*chain.from_iterable(of_units)], dtype=np.str_)
    known, numbers = np.unique(flat, return_inverse=True)
    starts = np.cumsum([0, *map(len, of_units)])
    ones = np.ones(len(numbers), np.float32)
    found = csr_array((ones, numbers, starts), shape=(len(of_units), len(known)))
    return found[:, np.bincount(numbers, minlength=len(known)) > 1]


def fit_mixture(rows: np.ndarray, words: Any, labels: np.ndarray) -> np.ndarray:
    """Return clusters, from 0, (n,), that start from others: as many, none of them empty. No unit
    speaks for the cluster that it is in.

    Args:
        rows: Of the units, of length one or zero, (n, width).
        words: Of the units, sparse (n, words), as `count_words` returns them.
        labels: The cluster of each unit, from 0 without gaps, (n,).
    """
    if not labels.any():
        return labels
    for _ in range(_MOST_ROUNDS):
        fits = _CONCENTRATION * _compare_vectors(rows, labels)
        fits += _compare_words(words, labels)
        moved = fits.argmax(axis=1)
        # The unit that fits a cluster best stays, so that none is empty.
        own = np.take_along_axis(fits, labels[:, None], axis=1)[:, 0]
        order = np.lexsort((-own, labels))
        best = order[np.unique(labels[order], return_index=True)[1]]
        moved[best] = labels[best]
        if (moved == labels).all():
            break
        labels = moved
    return labels


def _compare_vectors(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The cosine of each unit with each cluster, of its own without the unit, (n, k)."""
    sums = cluster_sums(rows, labels)[0].astype(np.float32)
    cosines = rows @ (sums / np.maximum(np.linalg.norm(sums, axis=1), 1e-9)[:, None]).T
    others = sums[labels] - rows
    lengths = np.linalg.norm(others, axis=1)
    cosines[np.arange(len(rows)), labels] = (rows * others).sum(axis=1) / np.maximum(lengths, 1e-9)
    return cosines


def _compare_words(words: Any, labels: np.ndarray) -> np.ndarray:
    """How much likelier the words of each unit are in each cluster, in its own without the unit,
    than in all units; by the root of their number, since words of one unit say the same. (n, k)"""
    counts, lengths = words.sum(axis=0), words.sum(axis=1)
    shares = (counts + 1) / (counts.sum() + len(counts))
    added = np.float32(_OF_BACKGROUND * lengths.mean())
    found = words.T @ np.eye(int(labels.max()) + 1, dtype=np.float32)[labels]
    totals = found.sum(axis=0) + added
    fits = words @ (np.log((found / shares[:, None] + added) / totals))
    units, numbers = words.nonzero()
    own = labels[units]
    odds = (found[numbers, own] - 1) / shares[numbers] + added
    odds = np.log(odds / (totals[own] - lengths[units]))
    fits[np.arange(len(labels)), labels] = np.bincount(units, odds, minlength=len(labels))
    return fits / np.sqrt(np.maximum(lengths, 1))[:, None]
