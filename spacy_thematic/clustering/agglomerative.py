"""Agglomerative clustering by scikit-learn."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from spacy.util import registry
from thinc.types import Floats2d

from spacy_thematic.clustering.vectors import Clusterer, possible_k, renumber, unit_rows

Linkage = Literal["average", "complete", "single", "ward"]


def agglomerative(
    vectors: Floats2d, k: int, seed: int = 0, *, linkage: Linkage = "ward", centre: bool = True
) -> np.ndarray:
    """Cluster rows of shape (n, width) into at most k clusters; returns n labels from 0.

    linkage: "ward" on unit rows; the others on cosine distances. Average linkage, the textbook
    choice with cosines, needs centred vectors: without, it chains nearly all sentences into one
    cluster and leaves the rest alone. The seed is not used: there is nothing random. Memory and
    time grow with n squared. Raises ValueError for NaN and for k < 1.
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
    """Agglomerative clustering; "ward" by default, the best of them on sentences."""
    return partial(agglomerative, linkage=linkage, centre=centre)
