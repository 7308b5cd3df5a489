"""Runs of sentences that stay together when sentences are clustered."""

from __future__ import annotations

import numpy as np

from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.segmentation.passage import Passage, Segmenter

_WINDOW = 3
_ORDERED = 2.0


def order_score(rows: np.ndarray) -> float:
    """Return how much more alike neighbours are than any two sentences, in standard errors: about
    normal, with mean 0 and deviation 1, for sentences in random order.

    Args:
        rows: Unit rows, centred, (n, width). Neighbours are at most 3 sentences apart.
    """
    n = len(rows)
    if n < 3:
        return 0.0
    rows = rows.astype(np.float64)
    near = [
        np.einsum("ij,ij->i", rows[gap:], rows[:-gap]) for gap in range(1, min(_WINDOW, n - 1) + 1)
    ]
    cosines = np.concatenate(near)
    every = (np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / (n * (n - 1))
    error = cosines.std() / len(cosines) ** 0.5
    return float((cosines.mean() - every) / error) if error > 0 else 0.0


def find_runs(
    vectors: SentenceVectors, weights: np.ndarray, segmenter: Segmenter, k: int
) -> np.ndarray:
    """Cut a text into k runs, or into its sentences where these are in no order.

    Where themes come one after the other, the best segmentation into as many segments as themes
    finds them far better than clustering does. Sentences are in no order if `order_score` is not
    above 2, as for one shuffled text in fifty it is.

    Args:
        vectors: Of n sentences.
        weights: How much each says, (n,).
        segmenter: Cuts passages.
        k: The number of runs.

    Returns:
        The run of each sentence, from 0, (n,).
    """
    if order_score(vectors.centred) <= _ORDERED:
        return np.arange(len(vectors.raw))
    starts = segmenter(Passage(vectors.raw, weights=weights), k, 0).starts
    return np.searchsorted(starts, np.arange(len(vectors.raw)), side="right") - 1


def mean_vectors(vectors: SentenceVectors, runs: np.ndarray) -> SentenceVectors:
    """Return the mean vector of each run, (runs, width), of runs numbered from 0 in order."""
    starts = np.flatnonzero(np.diff(runs, prepend=-1))
    if not len(starts):
        return vectors
    sums = np.add.reduceat(vectors.raw, starts, axis=0)
    return SentenceVectors(sums / np.diff(np.append(starts, len(runs)))[:, None])
