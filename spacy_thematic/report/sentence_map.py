"""A map of sentences: near each other where their vectors are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.rows import unit_rows
from spacy_thematic.span_keys import CLUSTERS_KEY

SIZE = (480, 360)
_MARGIN = 16
_FEWEST = 10


class Point(NamedTuple):
    """The place of a sentence on a map of `SIZE`, from the upper left corner; the number and the
    label of its theme; and its text."""

    x: float
    y: float
    number: int
    label: str
    text: str


def project(vectors: np.ndarray) -> np.ndarray:
    """Project vectors on the two principal components of their directions from the common mean.

    Args:
        vectors: Of shape (n, width).

    Returns:
        Shape (n, 2): the plane in which the directions differ most. Each axis points so that its
        largest entry is positive.
    """
    points = np.zeros((len(vectors), 2))
    if len(vectors) < 2:
        return points
    rows = unit_rows(vectors)
    rows = rows - rows.mean(axis=0)
    _, _, axes = np.linalg.svd(rows, full_matrices=False)
    points[:, : len(axes[:2])] = rows @ axes[:2].T
    return points * np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)


def map_sentences(doc: Doc) -> list[Point]:
    """Place the sentences of a Doc with themes on a map.

    Returns:
        A point for each sentence; none if the Doc has no vectors, as when it comes from a DocBin
        without user data, or has so few sentences that a map says nothing.
    """
    vectors = doc._.thematic_vectors
    sentences = list(doc.spans[CLUSTERS_KEY])
    if vectors is None or len(vectors) != len(sentences) or len(sentences) < _FEWEST:
        return []
    points = project(vectors) * (1, -1)
    low, high = points.min(axis=0), points.max(axis=0)
    shares = (points - low) / np.where(high > low, high - low, 1)
    places = _MARGIN + shares * (np.array(SIZE) - 2 * _MARGIN)
    return [
        Point(x, y, sentence.id, sentence.label_, sentence.text)
        for sentence, (x, y) in zip(sentences, places.tolist())
    ]
