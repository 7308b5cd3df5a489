"""Iclust of sentences that may be in order, or in none, after diffusion."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.communities import cluster_communities
from spacy_thematic.clustering.diffusion import SAMPLE, diffuse, draw_sample, vote
from spacy_thematic.clustering.hierarchy import cluster_few
from spacy_thematic.clustering.iclust import (
    check_attraction,
    maximise_objective,
    position_features,
    rotate,
)
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import show_order
from spacy_thematic.rows import cluster_centres, possible_k, renumber, unit_rows


def cluster_rows(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster rows of length one or zero, (n, width): a `Clusterer`. Each belongs to the cluster of
    its nearest neighbours in a random sample of 5,000, which Iclust clusters after diffusion."""
    sample = rows[draw_sample(len(rows), seed)]
    with single_thread():
        moved = diffuse(sample)
        labels = maximise_objective(moved, k, seed)
        return renumber(vote(rows, sample, moved @ cluster_centres(moved, labels).T))


@lru_cache(maxsize=1)
def _attract(data: bytes, shape: tuple[int, int], weight: float, window: int) -> np.ndarray:
    """Rows of a text in order, float32, whose inner products are what `DiffusionIclust` says: a
    text is clustered with many numbers of clusters, one after the other."""
    rows = np.frombuffer(data, "f").reshape(shape)
    weight *= show_order(rows)
    positions = np.float32(weight**0.5) * position_features(len(rows), window)
    with single_thread():
        return rotate(np.hstack([diffuse(rows), positions]) if weight > 0 else diffuse(rows))


@registry.misc("spacy-thematic.DiffusionIclust.v1")
@dataclass(frozen=True)
class DiffusionIclust:
    """A `Clusterer`: Iclust on `cos(i, j) + w max(0, 1 - |i - j| / window)`, with the cosines of
    vectors after diffusion over the graph of nearest neighbours.

    w is `weight` for texts that are in order, less where the vectors of neighbours hardly show it,
    and 0 where they do not.

    Attributes:
        weight: How much sentences that are less than `window` apart attract each other in a text in
            order, whatever they say; at least 0.
        window: In sentences, at least 1.
    """

    weight: float = 2.0
    window: int = 5

    def __call__(self, vectors: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
        """Cluster sentences in the order of the text. More than 5,000 are taken for a collection in
        no order."""
        check_attraction(self.weight, self.window)
        rows = unit_rows(vectors)
        k = max(1, possible_k(rows, k))
        if len(rows) > SAMPLE:
            return cluster_rows(rows, k, seed)
        moved = _attract(rows.tobytes(), rows.shape, self.weight, self.window)
        return maximise_objective(moved, k, seed)

    @staticmethod
    def cluster_in_order(text: Any, least: int, most: int) -> np.ndarray:
        """Cluster the sentences of an `OrderedText`."""
        return text.cluster(least, most)

    cluster_list = staticmethod(cluster_communities)
    cluster_few = staticmethod(cluster_few)
