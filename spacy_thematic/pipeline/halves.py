"""How like each other the halves of a sentence are to the encoder of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.pipeline.embedder import ThematicEmbedder

_SHORTEST = 4
"""Tokens of a sentence that has two halves."""


def compare_halves(nlp: Language, sentences: Sequence[Span], width: int) -> float | None:
    """Return the mean cosine of the two halves of each sentence: its first words and its last, and
    every other word and the words between.

    Args:
        nlp: The pipeline, whose `thematic_embedder` made the vectors of the sentences.
        sentences: Of one Doc.
        width: Of their vectors.

    Returns:
        None where no sentence is long enough, or no encoder makes vectors of this width.
    """
    embedder = next((pipe for _, pipe in nlp.pipeline if isinstance(pipe, ThematicEmbedder)), None)
    halves: list[Doc] = []
    for sentence in sentences:
        words = [token.text for token in sentence if not token.is_space]
        if len(words) >= _SHORTEST:
            middle = len(words) // 2
            parts = words[:middle], words[middle:], words[::2], words[1::2]
            halves += (Doc(sentence.doc.vocab, part) for part in parts)
    if embedder is None or not halves:
        return None
    rows = np.concatenate(embedder.encode(halves, [[half[:]] for half in halves]))
    if rows.shape[1] != width:
        return None
    rows = unit_rows(rows, centre=False)
    return float(np.einsum("ij,ij->i", rows[::2], rows[1::2]).mean())
