"""Agglomerative clustering by scikit-learn."""

from functools import partial
from typing import Literal

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.rows import possible_k, renumber, unit_rows

Linkage = Literal["average", "complete", "single", "ward"]


def agglomerative(
    vectors: np.ndarray, k: int, seed: int = 0, *, linkage: Linkage = "ward", centre: bool = True
) -> np.ndarray:
    """Merge the nearest clusters until k are left: a `Clusterer`.

    Memory and time grow with n squared. Nothing is random, so the seed makes no difference.

    Args:
        vectors: (n, width).
        k: The most clusters.
        seed: Not used.
        linkage: "ward" on unit rows; the others on cosine distances. Average linkage, the textbook
            choice with cosines, chains nearly all sentences into one cluster if not centred.
        centre: Whether to subtract the mean row first.
    """
    rows = unit_rows(vectors, centre)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from sklearn.cluster import AgglomerativeClustering

    if linkage == "ward":
        model = AgglomerativeClustering(k, linkage="ward")
        return renumber(model.fit_predict(rows))
    distances = np.clip(1 - rows @ rows.T, 0, None)
    np.fill_diagonal(distances, 0)
    model = AgglomerativeClustering(k, metric="precomputed", linkage=linkage)
    return renumber(model.fit_predict(distances))


@registry.misc("spacy-thematic.Agglomerative.v1")
def create_agglomerative(linkage: Linkage = "ward", centre: bool = True) -> Clusterer:
    """Create agglomerative clustering, with Ward's linkage by default."""
    return partial(agglomerative, linkage=linkage, centre=centre)
