"""Iclust that prefers runs of neighbouring sentences."""

from functools import partial

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.rows import possible_k, unit_rows


def neighbour_iclust(
    vectors: np.ndarray,
    k: int,
    seed: int = 0,
    *,
    weight: float = 0.2,
    window: int = 5,
    n_init: int = 10,
    centre: bool = True,
) -> np.ndarray:
    """Cluster sentences, in the order of the text, by Iclust on `cos(i, j) + weight max(0, 1 - |i -
    j| / window)`: a `Clusterer`. Of more than 400 sentences, i and j count equally long runs, at
    most 400 of them. A weight of 0 is Iclust."""
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


@registry.misc("spacy-thematic.NeighbourIclust.v1")
def create_neighbour_iclust(
    weight: float = 0.2, window: int = 5, n_init: int = 10, centre: bool = True
) -> Clusterer:
    """Create Iclust in which sentences less than `window` apart attract each other by `weight`."""
    return partial(neighbour_iclust, weight=weight, window=window, n_init=n_init, centre=centre)
