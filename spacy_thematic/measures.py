"""The thematic distance comparison (Ein Dor et al. 2018, section 5.1, Table 3)."""

from __future__ import annotations

import numpy as np

from spacy_thematic.losses.distances import distance, normalize_rows


def is_ordered(vectors: np.ndarray, triplets: np.ndarray, metric: str = "cosine") -> np.ndarray:
    """For each triplet whether the anchor is closer to the positive than to the negative.

    vectors: (n, width). triplets: (m, 3) row numbers. metric: "cosine", "L1" or "L2".
    Returns bool (m,). A tie counts as wrong; so does a triplet with a vector that is not finite.
    """
    if not len(triplets):
        return np.zeros(0, bool)
    anchor, positive, negative = (vectors[triplets[:, i]] for i in range(3))
    near, _ = distance(metric, anchor, positive)
    far, _ = distance(metric, anchor, negative)
    return np.asarray(near < far)


def mean_pairwise_distance(vectors: np.ndarray, seed: int = 0, n_pairs: int = 10_000) -> float:
    """The mean L2 distance between rows scaled to unit length, over random pairs; it vanishes when
    a metric collapses to one point."""
    if len(vectors) < 2:
        return 0.0
    vectors, _ = normalize_rows(vectors)
    rng = np.random.default_rng(seed)
    first = rng.integers(len(vectors), size=n_pairs)
    second = (first + rng.integers(1, len(vectors), size=n_pairs)) % len(vectors)
    return float(np.linalg.norm(vectors[first] - vectors[second], axis=1).mean())
