"""Strings to vectors by a pipeline."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from spacy.language import Language

from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.sentences.tokenizing import make_doc


def encode_texts(nlp: Language, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
    """Encode texts, each as one sentence, by the `thematic_embedder` of a pipeline.

    Args:
        nlp: The pipeline.
        texts: One or more.
        batch_size: The number of texts that are encoded together.

    Returns:
        Float32 (texts, width).

    Raises:
        ValueError: If there is no text, or the pipeline has no `thematic_embedder`.
    """
    texts = list(texts)
    if not texts:
        raise ValueError("Expected one text or more to encode, found none.")
    embedder = find_embedder(nlp)
    rows = []
    for start in range(0, len(texts), batch_size):
        docs = [make_doc(nlp, text) for text in texts[start : start + batch_size]]
        rows += embedder.encode(docs, [[doc[:]] for doc in docs])
    return np.concatenate(rows)
