"""Clustering of many rows: a sample is clustered, and the others join its clusters."""

from typing import NamedTuple

import numpy as np

from spacy_thematic.clustering.diffusion import diffuse, vote
from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import cluster_centres, renumber

SAMPLE = 5_000


class SampleClusters(NamedTuple):
    """The clusters of a sample.

    Attributes:
        sample: Rows of length one or zero, (s, width).
        votes: How near each is to each cluster after diffusion, (s, k).
    """

    sample: np.ndarray
    votes: np.ndarray

    @property
    def k(self) -> int:
        """The number of clusters."""
        return self.votes.shape[1]

    def label(self, rows: np.ndarray) -> np.ndarray:
        """Return the cluster of each row, of length one or zero, (n, width), by its nearest
        neighbours in the sample, (n,)."""
        return vote(rows, self.sample, self.votes)


def cluster_sample(sample: np.ndarray, k: int, seed: int) -> SampleClusters:
    """Cluster at most 5,000 rows of length one or zero, (s, width), by Iclust after diffusion. k
    may become smaller."""
    with single_thread():
        moved = diffuse(sample)
        labels = maximise_objective(moved, k, seed)
        return SampleClusters(sample, moved @ cluster_centres(moved, labels).T)


def draw_sample(n: int, seed: int) -> np.ndarray:
    """Return the numbers of the rows to sample of n rows, sorted; all, if they are few enough."""
    if n <= SAMPLE:
        return np.arange(n)
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n, SAMPLE, replace=False, shuffle=False))


def cluster_rows(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster rows of length one or zero, (n, width): a `Clusterer`. Each belongs to the cluster of
    its nearest neighbours in a random sample of 5,000, which Iclust clusters after diffusion."""
    clusters = cluster_sample(rows[draw_sample(len(rows), seed)], k, seed)
    with single_thread():
        return renumber(clusters.label(rows))
