"""Clusters of units, corrected by what the vector and the words of each unit say.

A graph of nearest neighbours sees words through few latent dimensions, where the rare ones are
lost. Here each cluster is a component of a mixture, of von Mises and Fisher's distribution for
vectors (Banerjee et al. 2005) and of naive Bayes for words (Nigam et al. 2000), and each unit moves
to the component that is likeliest, until none moves (classification EM, Celeux and Govaert 1992).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from spacy_thematic.rows import cluster_sums

_CONCENTRATION = 30
"""Of the vectors of a cluster. From 20 to 50 does as well."""

_OF_BACKGROUND = 4
"""How many units' words a cluster has beside its own, such as all units have. With few, as with a
share of the words that differ, one cluster takes most of long units, since a small one lacks their
words. With one lumps are left; with 16 themes agree as well with labels."""

_MOST_ROUNDS = 10


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
