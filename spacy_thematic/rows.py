"""Rows of vectors: checked, of length one, centred; and sums and lists over the rows of a group, or
of batches."""

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from thinc.api import get_array_module

_NEGLIGIBLE = 1e-5
_CLOSE = 1e-3
T = TypeVar("T")


def check_vectors(vectors: Any) -> np.ndarray:
    """Return the vectors as a float32 array of shape (n, width). Raises ValueError if they are not
    two-dimensional or hold NaN or infinity."""
    rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim != 2:
        raise ValueError(
            f"Expected vectors of shape (sentences, width), found an array of shape {rows.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise ValueError(
            f"{len(bad)} of {len(rows)} sentence vectors hold NaN or infinity (the first is row "
            f"{bad[0]}): the encoder that made them is broken, or its word vectors are."
        )
    return rows


def round_to_half(rows: np.ndarray) -> np.ndarray | None:
    """Return rows in float16, as stores keep them, or None where entries lie too far apart for
    that."""
    with np.errstate(over="ignore"):
        rounded = rows.astype(np.float16)
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    return rounded if (np.abs(rounded - rows) <= _CLOSE * largest).all() else None


def mean_row(rows: np.ndarray) -> np.ndarray:
    """Return the mean of the rows that are not zero, (width,); zeros if all are."""
    known = rows.any(axis=1)
    return rows[known].mean(axis=0) if known.any() else np.zeros(rows.shape[1], np.float32)


def unit_rows(vectors: Any, centre: bool | np.ndarray = True) -> np.ndarray:
    """Return rows of vectors, (n, width), at length one, so that inner products are cosines:
    float32 (n, width). centre: whether to subtract the mean of the rows first, which brings out
    what the sentences of one text do not share; or the origin to subtract, (width,). Rows of zeros
    (sentences without a known word) are left out of the mean and stay zero; rows that centring
    leaves empty, as when all are equal, become zero."""
    rows = check_vectors(vectors)
    norms = np.linalg.norm(rows, axis=1)
    known = norms > 0
    if centre is True:
        centre = mean_row(rows)
    if isinstance(centre, np.ndarray):
        scale = norms.max(initial=0)
        rows = np.where(known[:, None], rows - centre, np.float32(0))
        norms = np.linalg.norm(rows, axis=1)
        known = norms > _NEGLIGIBLE * scale
    return np.divide(rows, norms[:, None], where=known[:, None], out=np.zeros_like(rows))


def divide_rows(rows: Any, norms: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Return rows, (n, width), over their norms, (n, 1), and the callback for the gradient."""
    units = rows / norms

    def backprop(d_units: Any) -> Any:
        return (d_units - units * (d_units * units).sum(axis=1, keepdims=True)) / norms

    return units, backprop


def to_unit(rows: Any, negligible: float = 0.0) -> tuple[Any, Callable[[Any], Any]]:
    """Return rows of length one, and the callback for the gradient. Rows that are no longer than
    `negligible` stay as they are."""
    xp = get_array_module(rows)
    norms = xp.linalg.norm(rows, axis=1, keepdims=True)
    return divide_rows(rows, xp.where(norms > negligible, norms, 1))


def possible_k(rows: np.ndarray, k: int) -> int:
    """Return k, or the number of distinct rows if that is smaller. Raises ValueError if k < 1."""
    if k < 1:
        raise ValueError(f"Expected a number of clusters of at least 1, found {k}.")
    distinct: set[bytes] = set()
    # Rows are compared by their bytes; adding zero makes -0.0 and 0.0 the same.
    for row in rows + rows.dtype.type(0):
        distinct.add(row.tobytes())
        if len(distinct) == k:
            break
    return len(distinct)


def renumber(labels: Any) -> np.ndarray:
    """Number clusters 0, 1, 2, ... in the order of their first sentence. Returns the labels, (n,),
    int64."""
    labels = np.asarray(labels)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def number_items(items: Iterable[T]) -> tuple[np.ndarray, dict[T, int]]:
    """Number different items 0, 1, 2, ... in the order in which they come. Returns the numbers of
    all, (n,), and that of each."""
    items = [*items]
    numbers = {item: number for number, item in enumerate(dict.fromkeys(items))}
    return np.array([*map(numbers.__getitem__, items)], int), numbers


def count_from(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return starts[0], starts[0] + 1, ..., sizes[0] numbers, then as many as sizes[1] from
    starts[1], and so on."""
    before = np.cumsum(sizes) - sizes
    return np.arange(sizes.sum()) + np.repeat(starts - before, sizes)


def cumulate(rows: np.ndarray) -> np.ndarray:
    """Return the sums of the first 0, 1, ..., n rows, float64 (n + 1, width)."""
    # Several times as fast as np.cumsum over the first axis.
    return np.array([*accumulate(rows.astype(np.float64), initial=np.zeros(rows.shape[1]))])


def cluster_sums(rows: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum of each cluster's rows, (k, width), and its size, (k,). Labels run from 0."""
    sizes = np.bincount(labels)
    sums = np.zeros((len(sizes), rows.shape[1]))
    some = np.flatnonzero(sizes)
    if len(some):
        order = np.argsort(labels, kind="stable")
        starts = (np.cumsum(sizes) - sizes)[some]
        sums[some] = np.add.reduceat(rows[order], starts, axis=0, dtype=np.float64)
    return sums, sizes


def cluster_centres(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the direction of each cluster's rows, float32 (k, width), of length one or zero."""
    return unit_rows(cluster_sums(rows, labels)[0], centre=False)


def mean_rows(rows: np.ndarray, labels: np.ndarray, n: int | None = None) -> np.ndarray:
    """Return the mean of the rows of each group, (groups, width), in their own type, by the group
    of each, from 0; zeros for a group without rows. n: the number of groups; None: up to the
    largest label."""
    if (labels[1:] < labels[:-1]).any():
        order = np.argsort(labels, kind="stable")
        rows, labels = rows[order], labels[order]
    present, starts, sizes = np.unique(labels, return_index=True, return_counts=True)
    n = int(labels.max(initial=-1)) + 1 if n is None else n
    means = np.zeros((n, rows.shape[1]), rows.dtype)
    if len(starts):
        means[present] = np.add.reduceat(rows, starts, axis=0) / sizes[:, None]
    return means


def group_by(
    items: Iterable[T], labels: Iterable[int] | np.ndarray, n: int | None = None
) -> list[list[T]]:
    """Return the items of each group, in order, by the group of each item, from 0. n: the number of
    groups; None: up to the largest label."""
    labels = np.asarray(labels, dtype=np.int64)
    groups: list[list[T]] = [[] for _ in range(int(labels.max(initial=-1)) + 1 if n is None else n)]
    for item, label in zip(items, labels.tolist()):
        groups[label].append(item)
    return groups


def batch_by_size(items: Iterable[T], measure: Callable[[T], int], least: int) -> Iterator[list[T]]:
    """Yield some items at a time, whose sizes add up to `least` or a little more."""
    batch: list[T] = []
    size = 0
    for item in items:
        batch.append(item)
        size += measure(item)
        if size >= least:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def softmax(logits: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return shares that add up to 1 along an axis."""
    found = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return found / found.sum(axis=axis, keepdims=True)
