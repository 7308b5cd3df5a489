"""What every clustering algorithm does with its rows before and after: check, centre, normalise,
and number the clusters."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

Clusterer = Callable[[Any, int, int], np.ndarray]
"""`(vectors, k, seed) -> labels`: rows (n, width) to n integers, 0 to at most k - 1."""

_NEGLIGIBLE = 1e-5


def check_vectors(vectors: Any) -> np.ndarray:
    """The vectors as a float32 array of shape (n, width).

    Raises ValueError if they are not two-dimensional or hold NaN or infinity.
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


def centre_of(vectors: Any) -> np.ndarray:
    """The mean of the rows that are not zero, (width,); zeros if all are."""
    rows = check_vectors(vectors)
    known = rows.any(axis=1)
    return rows[known].mean(axis=0) if known.any() else np.zeros(rows.shape[1], np.float32)


def unit_rows(vectors: Any, centre: bool | np.ndarray = True) -> np.ndarray:
    """Rows of length one, so that inner products are cosines.

    vectors: (n, width). centre: subtract the mean of the rows first, which brings out what the
    sentences of one text do not share; or the origin to subtract, (width,). Rows of zeros
    (sentences without a known word) are left out of the mean and stay zero; so do rows that
    centring leaves empty, as when all are equal. Returns (n, width), float32.
    """
    rows = check_vectors(vectors)
    norms = np.linalg.norm(rows, axis=1)
    known = norms > 0
    if centre is True:
        centre = centre_of(rows)
    if isinstance(centre, np.ndarray):
        scale = norms.max(initial=0)
        rows = np.where(known[:, None], rows - centre, np.float32(0))
        norms = np.linalg.norm(rows, axis=1)
        known = norms > _NEGLIGIBLE * scale
    return np.divide(rows, norms[:, None], where=known[:, None], out=np.zeros_like(rows))


def possible_k(rows: np.ndarray, k: int) -> int:
    """k, or the number of distinct rows if that is smaller. Raises ValueError if k < 1.

    Rows are compared by their bytes; adding zero makes -0.0 and 0.0 the same."""
    if k < 1:
        raise ValueError(f"Expected a number of clusters of at least 1, found {k}.")
    distinct: set[bytes] = set()
    for row in rows + rows.dtype.type(0):
        distinct.add(row.tobytes())
        if len(distinct) == k:
            break
    return len(distinct)


def renumber(labels: Any) -> np.ndarray:
    """The same clusters, numbered 0, 1, 2, ... in the order of their first sentence. (n,), int."""
    labels = np.asarray(labels)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def cluster_sums(rows: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sum of each cluster's rows, (k, width), and its size, (k,). Labels run from 0."""
    sizes = np.bincount(labels)
    sums = np.zeros((len(sizes), rows.shape[1]))
    for cluster in range(len(sizes)):
        rows[labels == cluster].sum(axis=0, dtype=np.float64, out=sums[cluster])
    return sums, sizes
