"""Rows of vectors, as every step of clustering needs them: checked, centred, of length one; and
sums over the rows of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

Clusterer = Callable[[np.ndarray, int, int], np.ndarray]
"""`(vectors, k, seed) -> labels`: rows, (n, width), to clusters numbered from 0 in the order of
their first row, (n,); at most k, and fewer where fewer rows differ. ValueError for NaN or k < 1. It
may have a method `cluster_list` with the same arguments, for sentences that have nothing to do with
their neighbours, such as headlines and reviews."""

TextEncoder = Callable[[list[str]], np.ndarray]
"""Strings to vectors, float32 (strings, width), as sentences are encoded."""

_NEGLIGIBLE = 1e-5


class SentenceVectors:
    """The vectors of sentences that are clustered together, and what is derived from them.

    Attributes:
        raw: The vectors as they are, float32 (n, width).
    """

    def __init__(self, vectors: Any) -> None:
        self.raw = check_vectors(vectors)

    @cached_property
    def unit(self) -> np.ndarray:
        """Rows of length one, (n, width); rows of zeros stay."""
        return unit_rows(self.raw, centre=False)

    @cached_property
    def origin(self) -> np.ndarray:
        """The mean of the rows that are not zero, (width,)."""
        return mean_row(self.raw)

    @cached_property
    def centred(self) -> np.ndarray:
        """Rows of length one after the origin was subtracted, (n, width)."""
        return unit_rows(self.raw, self.origin)

    def take(self, rows: np.ndarray) -> SentenceVectors:
        """Return some of the vectors, by their numbers in order; these themselves for all."""
        return self if len(rows) == len(self.raw) else SentenceVectors(self.raw[rows])

    def centre(self, directions: np.ndarray) -> np.ndarray:
        """Return rows to compare with `centred`, (m, width), for directions, (m, width), of length
        one. They are first scaled to the mean length of the sentences, to lie among them."""
        lengths = np.linalg.norm(self.raw, axis=1)
        length = lengths[lengths > 0].mean() if lengths.any() else 1.0
        return unit_rows(directions * length, self.origin)


def check_vectors(vectors: Any) -> np.ndarray:
    """Return the vectors as a float32 array of shape (n, width).

    Raises:
        ValueError: If they are not two-dimensional or hold NaN or infinity.
    """
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


def mean_row(rows: np.ndarray) -> np.ndarray:
    """Return the mean of the rows that are not zero, (width,); zeros if all are."""
    known = rows.any(axis=1)
    return rows[known].mean(axis=0) if known.any() else np.zeros(rows.shape[1], np.float32)


def unit_rows(vectors: Any, centre: bool | np.ndarray = True) -> np.ndarray:
    """Return rows of length one, so that inner products are cosines.

    Args:
        vectors: (n, width).
        centre: Whether to subtract the mean of the rows first, which brings out what the sentences
            of one text do not share; or the origin to subtract, (width,).

    Returns:
        Float32 (n, width). Rows of zeros (sentences without a known word) are left out of the mean
        and stay zero; rows that centring leaves empty, as when all are equal, become zero.
    """
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


def possible_k(rows: np.ndarray, k: int) -> int:
    """Return k, or the number of distinct rows if that is smaller.

    Raises:
        ValueError: If k < 1.
    """
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
    """Number clusters 0, 1, 2, ... in the order of their first sentence.

    Returns:
        The labels, (n,), int64.
    """
    labels = np.asarray(labels)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def cluster_sums(rows: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum of each cluster's rows, (k, width), and its size, (k,). Labels run from 0."""
    sizes = np.bincount(labels)
    sums = np.zeros((len(sizes), rows.shape[1]))
    for cluster in range(len(sizes)):
        rows[labels == cluster].sum(axis=0, dtype=np.float64, out=sums[cluster])
    return sums, sizes


def cluster_centres(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the direction of each cluster's rows, float32 (k, width), of length one or zero."""
    return unit_rows(cluster_sums(rows, labels)[0], centre=False)
