"""Vectors of sentences in the context of those before and after them."""

import numpy as np

from spacy_thematic.clustering.order import NEIGHBOURHOOD, show_order
from spacy_thematic.rows import unit_rows

_WEIGHT = 0.25
"""Of the next sentence, chosen on collections of articles, and of texts that share themes. A larger
weight makes a theme of each text."""


def put_in_context(vectors: np.ndarray, starts: np.ndarray | tuple[()] = ()) -> np.ndarray:
    """Return vectors of sentences of one text or several, float32 (n, width), as means of
    themselves and, with less weight, of their neighbours in their text; of a text whose order shows
    nothing, as they are. `starts` are the numbers of the first sentences of all texts but the
    first."""
    return np.concatenate([_put_text_in_context(rows) for rows in np.split(vectors, starts)])


def _put_text_in_context(vectors: np.ndarray) -> np.ndarray:
    weight = _WEIGHT * show_order(unit_rows(vectors)) if len(vectors) > 2 else 0
    if not weight:
        return vectors
    sums = vectors.astype(np.float32)
    totals = np.ones((len(vectors), 1), np.float32)
    for gap in range(1, min(NEIGHBOURHOOD, len(vectors) - 1) + 1):
        share = np.float32(weight * (1 - (gap - 1) / NEIGHBOURHOOD))
        sums[gap:] += share * vectors[:-gap]
        sums[:-gap] += share * vectors[gap:]
        totals[gap:] += share
        totals[:-gap] += share
    return sums / totals
