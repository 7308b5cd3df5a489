"""Clustering of many rows: a sample is clustered, and the others join its clusters."""

import numpy as np

from spacy_thematic.clustering.diffusion import diffuse, vote
from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import cluster_centres, renumber

SAMPLE = 5_000


def draw_sample(n: int, seed: int) -> np.ndarray:
    """Return the numbers of the rows to sample of n rows, sorted; all, if they are few enough."""
    if n <= SAMPLE:
        return np.arange(n)
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n, SAMPLE, replace=False, shuffle=False))


def cluster_rows(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster rows of length one or zero, (n, width): a `Clusterer`. Each belongs to the cluster of
    its nearest neighbours in a random sample of 5,000, which Iclust clusters after diffusion."""
    sample = rows[draw_sample(len(rows), seed)]
    with single_thread():
        moved = diffuse(sample)
        labels = maximise_objective(moved, k, seed)
        return renumber(vote(rows, sample, moved @ cluster_centres(moved, labels).T))
