"""Information-based clustering (Slonim, Atwal, Tkacik & Bialek 2005) on cosines, hard limit.

Maximises `J = sum_C W_C / n_C`, with W_C the sum of the cosines of all pairs in cluster C (each row
with itself counted) and n_C its size. W_C is the squared length of the sum of the cluster's rows,
so nothing of size n x n is needed; and J = n minus the inertia of k-means on unit rows. So this is
a k-means whose local optima are those of single moves (Hartigan 1975): fewer, and better.
"""

from functools import partial

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.retired import warn_of
from spacy_thematic.rows import cluster_sums, possible_k, renumber, unit_rows

_TOLERANCE = 1e-6


def iclust(
    vectors: np.ndarray,
    k: int,
    seed: int = 0,
    *,
    n_init: int = 10,
    centre: bool = True,
    weight: float = 0.0,
    window: int = 5,
) -> np.ndarray:
    """Cluster rows by information-based clustering: a `Clusterer`.

    The best of `n_init` restarts, each improved until no single move raises J, and then of as many
    more from solutions next to the best, in which one cluster is dissolved and another split.
    `centre` subtracts the mean row first. With a weight rows are sentences in the order of a text,
    whose similarity is `cos(i, j) + weight max(0, 1 - |i - j| / window)`."""
    check_attraction(weight, window)
    rows = unit_rows(vectors, centre)
    k = max(1, possible_k(rows, k))
    if weight > 0:
        rows = np.hstack([rows, np.sqrt(weight) * position_features(len(rows), window)])
    return maximise_objective(rows, k, seed, n_init=n_init)


def check_attraction(weight: float, window: int) -> None:
    """Raise ValueError for a weight below 0, or a window below 1."""
    if weight < 0 or window < 1:
        raise ValueError(
            f"Expected a weight of at least 0 and a window of at least 1, found {weight} and "
            f"{window}."
        )


def position_features(n: int, window: int, most: int = 400) -> np.ndarray:
    """Return n rows whose inner products are `max(0, 1 - |i - j| / window)`, float32 (n, columns).

    Row i is constant on the columns i to i + window - 1. Of more than `most` rows, i counts equally
    long runs of rows, at most `most` of them.
    """
    positions = np.arange(n) // max(1, -(-n // most))
    columns = np.arange(positions.max(initial=0) + window)
    offsets = columns - positions[:, None]
    return ((offsets >= 0) & (offsets < window)).astype(np.float32) / np.float32(window) ** 0.5


def maximise_objective(rows: np.ndarray, k: int, seed: int, *, n_init: int = 10) -> np.ndarray:
    """Cluster rows, (n, width), whose inner products are the similarities; else as `iclust`."""
    if n_init < 1:
        raise ValueError(
            f"Expected n_init, the number of restarts, to be at least 1, found {n_init}."
        )
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    rng = np.random.default_rng(seed)
    with single_thread():
        rows = rotate(rows)
        starts = kmeans_plusplus(rows, k, n_init, rng)
        labels, scores = local_search(rows, starts, k)
        best, score = labels[scores.argmax()], scores.max()
        if k > 2:
            sums, sizes = cluster_sums(rows, best)
            cosines = rows @ (sums / sizes[:, None]).T.astype(rows.dtype)
            shaken = np.stack([_split_and_merge(rows, best, cosines, rng) for _ in range(n_init)])
            labels, scores = local_search(rows, shaken, k)
            if scores.max() > score:
                best = labels[scores.argmax()]
    return renumber(best)


def rotate(rows: np.ndarray) -> np.ndarray:
    """Return rows with the same inner products, in no more dimensions than there are rows."""
    n, width = rows.shape
    return np.transpose(np.linalg.qr(rows.T, mode="r")) if width > n else rows


def kmeans_plusplus(rows: np.ndarray, k: int, n_init: int, rng: np.random.Generator) -> np.ndarray:
    """Draw k of the rows, (n, width), as centres by k-means++ (Arthur & Vassilvitskii 2007). Each
    step takes the best of a few draws. Returns the nearest centre of each row for each start,
    (n_init, n); no cluster is empty."""
    n = len(rows)
    tries = 2 + int(np.log(k))
    squares = np.einsum("ij,ij->i", rows, rows)
    starts = np.arange(n_init)
    centres = rng.integers(n, size=n_init)
    nearest = _squared_distances(rows, squares, centres)
    labels = np.zeros((n_init, n), dtype=np.int64)
    for cluster in range(1, k):
        cumulated = np.cumsum(nearest, axis=1, dtype=np.float64)
        drawn = rng.random((n_init, tries)) * cumulated[:, -1:]
        candidates = np.stack([c.searchsorted(d, "right") for c, d in zip(cumulated, drawn)])
        candidates = np.minimum(candidates, n - 1)
        distances = _squared_distances(rows, squares, candidates.ravel())
        distances = distances.reshape(n_init, tries, n)
        best = np.minimum(distances, nearest[:, None]).sum(axis=2).argmin(axis=1)
        centre, to_centre = candidates[starts, best], distances[starts, best]
        labels = np.where(to_centre < nearest, cluster, labels)
        labels[starts, centre] = cluster
        nearest = np.minimum(to_centre, nearest)
        nearest[starts, centre] = 0
    # Where all rows are as good as drawn, the last one is drawn again.
    return np.stack([fill_empty(start, k) for start in labels])


def _squared_distances(rows: np.ndarray, squares: np.ndarray, centres: np.ndarray) -> np.ndarray:
    products = rows[centres] @ rows.T
    return np.maximum(squares[centres, None] + squares - 2 * products, 0)


def _split_and_merge(
    rows: np.ndarray, labels: np.ndarray, cosines: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """A neighbouring solution: the rows of a random cluster go to the nearest of the others, by
    their products with the means, (n, k), and another random cluster is split between two of its
    rows. (n,); no cluster is empty."""
    dissolved, split = rng.permutation(cosines.shape[1])[:2]
    if np.count_nonzero(labels == split) < 2:
        return labels
    own = np.flatnonzero(labels == dissolved)
    others = cosines[own]
    others[:, dissolved] = -np.inf
    labels = labels.copy()
    labels[own] = others.argmax(axis=1)
    members = np.flatnonzero(labels == split)
    first, second = rng.choice(members, 2, replace=False)
    towards = rows[members] @ (rows[second] - rows[first])
    labels[members[towards > 0]] = dissolved
    labels[first], labels[second] = split, dissolved
    return labels


def fill_empty(labels: np.ndarray, k: int) -> np.ndarray:
    """Give each empty cluster a row of the largest one. Returns the labels, (n,)."""
    labels = labels.copy()
    for cluster in np.flatnonzero(np.bincount(labels, minlength=k) == 0):
        largest = np.bincount(labels, minlength=k).argmax()
        labels[np.flatnonzero(labels == largest)[0]] = cluster
    return labels


def local_search(rows: np.ndarray, labels: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Move single rows, of length one or zero, (n, width), between clusters while that raises J
    (Hartigan 1975). Returns the labels, (starts, n), and J, (starts,).

    All starts, whose labels use each of the k clusters, are improved together: a round takes the
    gains of all moves from one matrix product, and makes those that gain, best first, up to a
    limit. A move changes the gains of others, so a round may lower J; then it is undone and the
    limit halved, down to one move, whose gain is exact. No cluster becomes empty."""
    labels = labels.copy()
    n = len(rows)
    squares = np.einsum("ij,ij->i", rows, rows)
    numbers = np.arange(k)[:, None]
    sums = np.stack([(numbers == start).astype(np.float32) @ rows for start in labels])
    sizes = np.stack([np.bincount(start, minlength=k) for start in labels])
    scores = _objective(sums, sizes)
    limits = np.full(len(labels), n)
    active = np.arange(len(labels))
    while len(active):
        gains, targets = _best_moves(rows, squares, sums[active], sizes[active], labels[active])
        movable = gains > _TOLERANCE * n
        moving = movable.any(axis=1)
        active, movable = active[moving], movable[moving]
        gains, targets = gains[moving], targets[moving]
        if not len(active):
            break
        for gain, start_moves, limit in zip(gains, movable, limits[active]):
            if start_moves.sum() > limit:
                start_moves[np.argsort(-gain, kind="stable")[limit:]] = False
        which, row = np.nonzero(movable)
        source, target = labels[active[which], row], targets[which, row]
        new_sums, new_sizes = sums[active], sizes[active]
        moves = movable.any(axis=0)
        moved, position = np.flatnonzero(moves), (np.cumsum(moves) - 1)[row]
        change = np.zeros((len(active) * k, len(moved)), dtype=rows.dtype)
        change[which * k + target, position] = 1
        change[which * k + source, position] = -1
        new_sums += (change @ rows[moved]).reshape(new_sums.shape)
        new_sizes += change.sum(axis=1).astype(int).reshape(new_sizes.shape)
        new_scores = _objective(new_sums, new_sizes)
        better = new_scores > scores[active]
        accepted = active[better]
        sums[accepted], sizes[accepted] = new_sums[better], new_sizes[better]
        scores[accepted] = new_scores[better]
        kept = better[which]
        labels[active[which[kept]], row[kept]] = target[kept]
        single = movable.sum(axis=1) == 1
        limits[accepted] = np.minimum(limits[accepted] * 2, n)
        limits[active[~better]] = np.maximum(movable[~better].sum(axis=1) // 2, 1)
        active = active[better | ~single]
    return labels, scores


def _objective(sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """J of each start; -inf where a cluster is empty."""
    weights = np.einsum("rkd,rkd->rk", sums, sums, dtype=np.float64)
    return np.where((sizes > 0).all(axis=1), (weights / np.maximum(sizes, 1)).sum(axis=1), -np.inf)


def _best_moves(
    rows: np.ndarray, squares: np.ndarray, sums: np.ndarray, sizes: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each row, what J gains by its best move, and the cluster it would move to; both (r, n).
    Rows that are alone in their cluster stay: -inf."""
    starts, k, width = sums.shape
    which = np.arange(starts)[:, None]
    products = 2 * (sums.reshape(starts * k, width) @ rows.T).reshape(starts, k, len(rows))
    weights = np.einsum("rkd,rkd->rk", sums, sums)
    columns = np.arange(len(rows))
    own_weight, own_size = weights[which, labels], sizes[which, labels].astype(rows.dtype)
    left = own_weight - products[which, labels, columns] + squares
    loss = own_weight / own_size - left / np.maximum(own_size - 1, 1)
    loss[own_size == 1] = np.inf
    products[which, labels, columns] = -np.inf

    best = np.full(labels.shape, -np.inf, dtype=rows.dtype)
    targets = np.zeros_like(labels)
    for cluster in range(k):
        weight, size = weights[:, cluster, None], sizes[:, cluster, None].astype(rows.dtype)
        gain = (products[:, cluster] + (weight + squares)) / (size + 1) - weight / size
        targets[gain > best] = cluster
        np.maximum(best, gain, out=best)
    return best - loss, targets


@registry.misc("spacy-thematic.Iclust.v1")
def create_iclust(n_init: int = 10, centre: bool = True, annealed: bool = False) -> Clusterer:
    """Create Iclust, on vectors centred at the text's mean or as they are. `annealed` does
    nothing."""
    if annealed:
        warn_of("annealed", "n_init")
    return partial(iclust, n_init=n_init, centre=centre)


@registry.misc("spacy-thematic.NeighbourIclust.v1")
def create_neighbour_iclust(
    weight: float = 0.2, window: int = 5, n_init: int = 10, centre: bool = True
) -> Clusterer:
    """Create Iclust in which sentences less than `window` apart attract each other by `weight`."""
    return partial(iclust, weight=weight, window=window, n_init=n_init, centre=centre)
