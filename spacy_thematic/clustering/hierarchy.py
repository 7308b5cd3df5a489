"""Broader themes: themes of themes."""

import numpy as np

from spacy_thematic.rows import possible_k, renumber, unit_rows


def merge_nearest(rows: np.ndarray, k: int) -> np.ndarray:
    """Merge the nearest of rows, (n, width), by Ward's method until k clusters are left, at most.
    Memory and time grow with n squared."""
    rows = unit_rows(rows, centre=False)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    from sklearn.cluster import AgglomerativeClustering

    return renumber(AgglomerativeClustering(k).fit_predict(rows))


def find_broader(centres: np.ndarray, n_broader: int) -> np.ndarray | None:
    """Merge clusters into broader ones, by their centres, (k, width), of length one. Returns the
    broader cluster of each, from 0, (k,); None if `n_broader` is 0, or not below k."""
    return merge_nearest(centres, n_broader) if 0 < n_broader < len(centres) else None
