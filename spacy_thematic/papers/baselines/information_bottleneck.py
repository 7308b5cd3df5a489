"""IBM's sequential information bottleneck (Slonim, Friedman & Tishby 2002), of sib-clustering."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.rows import check_vectors, possible_k, renumber


def create_sib(n_init: int = 10) -> Clusterer:
    """sIB with `n_init` restarts. It clusters rows of term counts, not vectors.

    Raises:
        ImportError: If the package sib-clustering is not installed.
    """
    try:
        from sib import SIB
    except ImportError as error:
        raise ImportError(
            'The row "sib" needs the package sib-clustering: pip install "spacy-thematic[tables]".'
        ) from error
    return partial(_sib, SIB, n_init)


def _sib(SIB: Any, n_init: int, counts: Any, k: int, seed: int) -> np.ndarray:
    rows = check_vectors(counts)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from scipy.sparse import csr_matrix

    model = SIB(k, random_state=seed, n_init=n_init, n_jobs=1)
    return renumber(model.fit(csr_matrix(rows.astype("f8"))).labels_)
