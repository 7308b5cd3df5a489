"""How far sentence vectors are from a teacher's, with analytic gradients."""

from __future__ import annotations

from thinc.api import get_array_module
from thinc.types import Floats2d


def match_cosines(vectors: Floats2d, targets: Floats2d) -> tuple[float, Floats2d]:
    """The mean cosine distance of vectors to targets, both unit rows (n, width).

    Returns:
        The distance, and its gradient with respect to the vectors.
    """
    return float(1 - (vectors * targets).sum(axis=1).mean()), targets / -max(len(targets), 1)


def match_relations(
    vectors: Floats2d, targets: Floats2d, temperature: float
) -> tuple[float, Floats2d]:
    """The mean cross-entropy, row by row, between the softmax over all other rows of the targets'
    cosines and of the vectors'.

    Args:
        vectors: unit rows, (n, width).
        targets: unit rows, (n, any width).
        temperature: of both softmaxes.

    Returns:
        The cross-entropy, and its gradient with respect to the vectors.
    """
    xp = get_array_module(vectors)
    wanted = _softmax(targets @ targets.T / temperature)
    scores = vectors @ vectors.T / temperature
    found = _softmax(scores)
    log_found = xp.log(xp.maximum(found, 1e-30))
    loss = -float((wanted * log_found).sum()) / max(len(vectors), 1)
    found -= wanted
    found /= temperature * max(len(vectors), 1)
    return loss, (found + found.T) @ vectors


def _softmax(scores: Floats2d) -> Floats2d:
    """The softmax of each row over all columns but its own; in place."""
    xp = get_array_module(scores)
    xp.fill_diagonal(scores, -xp.inf)
    scores -= scores.max(axis=1, keepdims=True)
    xp.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores
