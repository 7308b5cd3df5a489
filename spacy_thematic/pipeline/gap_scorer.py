"""What the encoder of a pipeline has learned of where sections begin."""

from __future__ import annotations

import numpy as np
from spacy.language import Language

from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.pipeline.embedder import ThematicEmbedder


def score_gaps(nlp: Language, vectors: np.ndarray, lengths: np.ndarray) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence of a text but the last.

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
                return net.predict([(vectors, lengths)])[1:]
    return None
