"""The vectors of sentences that are clustered together, whether their order tells which belong
together, and what a clustering algorithm is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from spacy_thematic.rows import check_vectors, mean_row, unit_rows

Clusterer = Callable[[np.ndarray, int, int], np.ndarray]
"""`(vectors, k, seed) -> labels`: rows, (n, width), to clusters numbered from 0 in the order of
their first row, (n,); at most k, and fewer where fewer rows differ. ValueError for NaN or k < 1. It
may have a method `cluster_list` with the same arguments, for sentences that have nothing to do with
their neighbours, such as headlines and reviews; a method `cluster_few`, with the arguments of
`hierarchy.cluster_few`, which finds the number of clusters of a few sentences as well; and a method
`cluster_in_order`, which is given an `OrderedText` of n sentences, and the fewest and the most
clusters, and returns the labels, (n,)."""

SET_ASIDE = -1
"""The label of a sentence without a cluster."""

NEIGHBOURHOOD = 3
"""How far apart sentences are that are compared as neighbours."""

ORDERED = 2.0
"""A text of a higher `order_score` is taken to be in order, as one shuffled text in fifty is."""

TextEncoder = Callable[[list[str]], np.ndarray]
"""Strings to vectors, float32 (strings, width), as sentences are encoded."""


class KChoice(NamedTuple):
    """The number of clusters that was chosen, and the score of each number that was tried; no
    scores where it was found in another way."""

    k: int
    scores: dict[int, float]


class SentenceVectors:
    """The vectors of sentences that are clustered together, float32 (n, width), and what is derived
    from them."""

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


def order_score(rows: np.ndarray) -> float:
    """Return how much more alike neighbours, at most 3 sentences apart, are than any two sentences,
    in standard errors: about normal, with mean 0 and deviation 1, for sentences in random order.
    Rows are unit rows, centred, (n, width)."""
    n = len(rows)
    if n < 3:
        return 0.0
    rows = rows.astype(np.float64)
    near = [
        np.einsum("ij,ij->i", rows[gap:], rows[:-gap])
        for gap in range(1, min(NEIGHBOURHOOD, n - 1) + 1)
    ]
    cosines = np.concatenate(near)
    every = (np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / (n * (n - 1))
    error = cosines.std() / len(cosines) ** 0.5
    return float((cosines.mean() - every) / error) if error > 0 else 0.0


def measure_order(rows: np.ndarray) -> float:
    """Return how much more alike neighbours are than any two sentences, in standard deviations of
    the cosines of two: about 0 in random order, however many there are. Rows as of
    `order_score`."""
    n = len(rows)
    n_near = sum(n - gap for gap in range(1, min(NEIGHBOURHOOD, n - 1) + 1))
    return order_score(rows) / n_near**0.5 if n_near else 0.0


def show_order(rows: np.ndarray) -> float:
    """Return how far sentences show that they are in order, from 0, as in random order, to 1. Rows
    as of `order_score`."""
    return float(np.clip(order_score(rows) / ORDERED, 0, 1))
