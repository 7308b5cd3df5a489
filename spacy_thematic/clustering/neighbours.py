"""Iclust that prefers runs of neighbouring sentences."""

from __future__ import annotations

from functools import partial

import numpy as np
from spacy.util import registry
from thinc.types import Floats2d

from spacy_thematic.clustering.iclust import maximise
from spacy_thematic.clustering.vectors import Clusterer, possible_k, unit_rows


def neighbour_iclust(
    vectors: Floats2d,
    k: int,
    seed: int = 0,
    *,
    weight: float = 0.2,
    window: int = 5,
    n_init: int = 10,
    centre: bool = True,
) -> np.ndarray:
    """Cluster rows of shape (n, width), in the order of the text, into at most k clusters.

    Iclust on the similarity `cos(i, j) + weight max(0, 1 - |i - j| / window)`: sentences less than
    `window` apart attract each other, whatever they say. weight 0 is Iclust, which ignores order.
    Of more than 400 sentences, i and j are numbers of equally long runs, at most 400 of them.
    Returns n labels from 0; fewer than k clusters when there are fewer than k distinct vectors.
    Raises ValueError for NaN, k < 1, weight < 0 and window < 1.
    """
    if weight < 0 or window < 1:
        raise ValueError(
            f"Expected a weight of at least 0 and a window of at least 1, found {weight} and "
            f"{window}."
        )
    rows = unit_rows(vectors, centre)
    k = max(1, possible_k(rows, k))
    if weight > 0:
        rows = np.hstack([rows, np.sqrt(weight) * position_rows(len(rows), window)])
    return maximise(rows, k, seed, n_init=n_init, annealed=False)


def position_rows(n: int, window: int, most: int = 400) -> np.ndarray:
    """Rows whose inner products are `max(0, 1 - |i - j| / window)`: row i is constant on the
    columns i to i + window - 1. Above `most` rows, i counts runs of rows, at most `most` of them.
    (n, columns), float32."""
    positions = np.arange(n) // max(1, -(-n // most))
    columns = np.arange(positions.max(initial=0) + window)
    offsets = columns - positions[:, None]
    return ((offsets >= 0) & (offsets < window)).astype(np.float32) / np.float32(window) ** 0.5


@registry.misc("spacy-thematic.NeighbourIclust.v1")
def create_neighbour_iclust(
    weight: float = 0.2, window: int = 5, n_init: int = 10, centre: bool = True
) -> Clusterer:
    """Iclust in which sentences less than `window` apart attract each other with `weight`."""
    return partial(neighbour_iclust, weight=weight, window=window, n_init=n_init, centre=centre)
