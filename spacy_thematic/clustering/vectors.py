"""The vectors of sentences that are clustered together, and what a clustering algorithm is."""

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
their neighbours, such as headlines and reviews; and a method `cluster_few`, with the arguments of
`few_sentences.cluster_few`, which finds the number of clusters of a few sentences as well."""

SET_ASIDE = -1
"""The label of a sentence without a cluster."""

TextEncoder = Callable[[list[str]], np.ndarray]
"""Strings to vectors, float32 (strings, width), as sentences are encoded."""


class KChoice(NamedTuple):
    """A number of clusters, and the score of each number that was tried, the largest for the one
    chosen; no scores where it was found in another way."""

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
