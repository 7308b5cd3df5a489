"""Does the order of sentences say which of them belong together?"""

import numpy as np

NEIGHBOURHOOD = 3
"""How far apart sentences are that are compared as neighbours."""

ORDERED = 2.0
"""A text of a higher `order_score` is taken to be in order, as one shuffled text in fifty is."""


def order_score(rows: np.ndarray) -> float:
    """Return how much more alike neighbours, at most 3 sentences apart, are than any two sentences,
    in standard errors: about normal, with mean 0 and deviation 1, for sentences in random order.
    Rows are unit rows, centred, (n, width)."""
    n = len(rows)
    if n < 3:
        return 0.0
    rows = rows.astype(np.float64)
    near = [
        np.einsum("ij,ij->i", rows[gap:], rows[:-gap])
        for gap in range(1, min(NEIGHBOURHOOD, n - 1) + 1)
    ]
    cosines = np.concatenate(near)
    every = (np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / (n * (n - 1))
    error = cosines.std() / len(cosines) ** 0.5
    return float((cosines.mean() - every) / error) if error > 0 else 0.0


def measure_order(rows: np.ndarray) -> float:
    """Return how much more alike neighbours are than any two sentences, in standard deviations of
    the cosines of two: about 0 in random order, however many there are. Rows as of
    `order_score`."""
    n = len(rows)
    n_near = sum(n - gap for gap in range(1, min(NEIGHBOURHOOD, n - 1) + 1))
    return order_score(rows) / n_near**0.5 if n_near else 0.0


def show_order(rows: np.ndarray) -> float:
    """Return how far sentences show that they are in order, from 0, as in random order, to 1. Rows
    as of `order_score`."""
    return float(np.clip(order_score(rows) / ORDERED, 0, 1))
