"""What the encoder of a pipeline has learned of where sections begin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from spacy.language import Language
from thinc.api import Model
from thinc.types import Floats1d

from spacy_thematic.models.section_boundaries import Texts, find_boundaries
from spacy_thematic.pipeline.embedder import ThematicEmbedder

PIECE, MARGIN = 4096, 48
"""The sentences of a long text that are scored together, and those on each side that are read
beside them: more than the net can see."""


def score_gaps(nlp: Language, vectors: np.ndarray, lengths: np.ndarray) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence of a text but the last. A long
    text is scored piece by piece, so that little memory is needed.

    Args:
        nlp: The pipeline, whose `thematic_embedder` made the vectors.
        vectors: Of the sentences, (n, width).
        lengths: Their characters, (n,).

    Returns:
        Float (n - 1,); None if no encoder of the pipeline has learned it for vectors of this width.
    """
    if len(vectors) < 2:
        return None
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, ThematicEmbedder):
            pipe.fill()
            net = find_boundaries(pipe.model, vectors.shape[1])
            if net is not None:
                return np.concatenate(list(_predict(net, vectors, lengths)))[1:]
    return None


def _predict(
    net: Model[Texts, Floats1d], vectors: np.ndarray, lengths: np.ndarray
) -> Iterator[np.ndarray]:
    for start in range(0, len(vectors), PIECE):
        first = max(0, start - MARGIN)
        read = slice(first, start + PIECE + MARGIN)
        yield net.predict([(vectors[read], lengths[read])])[start - first :][:PIECE]
