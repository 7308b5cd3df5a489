"""What an encoder has learned of where sections begin."""

from collections.abc import Iterator

import numpy as np
from thinc.api import Model
from thinc.types import Floats1d

from spacy_thematic.models.section_boundaries import Texts, find_boundaries
from spacy_thematic.pipeline.embedder import ThematicEmbedder

PIECE, MARGIN = 4096, 48
"""The sentences of a long text that are scored together, and those on each side that are read
beside them: more than the net can see."""


def score_gaps(
    embedder: ThematicEmbedder, vectors: np.ndarray, lengths: np.ndarray
) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence of a text but the last, (n -
    1,), by the vectors and the characters of all; None if the encoder has not learned it for
    vectors of this width. A long text is scored in pieces, so that little memory is needed."""
    if len(vectors) < 2:
        return None
    embedder.fill()
    net = find_boundaries(embedder.model, vectors.shape[1])
    return None if net is None else np.concatenate(list(_predict(net, vectors, lengths)))[1:]


def _predict(
    net: Model[Texts, Floats1d], vectors: np.ndarray, lengths: np.ndarray
) -> Iterator[np.ndarray]:
    for start in range(0, len(vectors), PIECE):
        first = max(0, start - MARGIN)
        read = slice(first, start + PIECE + MARGIN)
        yield net.predict([(vectors[read], lengths[read])])[start - first :][:PIECE]
