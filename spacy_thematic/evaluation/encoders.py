"""Sentence encoders to compare: the trained one, and baselines that need no training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Callable

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.api import NumpyOps

from spacy_thematic.models.spans import extract_tokens, make_doc_spans
from spacy_thematic.models.weighted_mean import sum_spans
from spacy_thematic.models.word_vectors import look_up_vectors
from spacy_thematic.pipeline.embedder import ThematicEmbedder, find_embedder

Encoder = Callable[[Doc, Sequence[Span]], np.ndarray]
"""The spans of a Doc to vectors, float32 (spans, width)."""


def thematic_embedder(nlp: Language) -> Encoder:
    """The pipeline's own encoder."""
    return partial(_encode_with, find_embedder(nlp))


def _encode_with(embedder: ThematicEmbedder, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    return embedder.encode([doc], [list(spans)])[0]


def mean_vectors(vocab: Vocab) -> Encoder:
    """The mean of a sentence's word vectors, as they are (the paper's baseline); words without a
    vector do not count."""
    return partial(_mean_vectors, vocab)


def _mean_vectors(vocab: Vocab, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    ops = NumpyOps()
    orth, lower, lengths = extract_tokens(make_doc_spans(ops, [doc], [spans]))
    words = look_up_vectors(vocab, orth, lower, normalize=False)
    known = np.any(words != 0, axis=1)[:, None].astype("f")
    counts = np.maximum(sum_spans(ops, known, lengths), 1)
    return sum_spans(ops, words, lengths) / counts


def random_vectors(seed: int, width: int = 50) -> Encoder:
    """A random vector for each sentence, the same for the same text: what chance gives."""
    return partial(_random_vectors, seed, width)


def _random_vectors(seed: int, width: int, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    rows = [
        np.random.default_rng([seed, *span.text.encode()]).standard_normal(width) for span in spans
    ]
    return np.array(rows, dtype="f").reshape(len(rows), width)
