"""Means of word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.api import NumpyOps

from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.weighted_mean import sum_spans
from spacy_thematic.models.word_vectors import look_up_vectors


def mean_vectors(vocab: Vocab) -> Encoder:
    """The mean of a sentence's word vectors, as they are (the paper's baseline); words without a
    vector do not count."""
    return partial(_mean_vectors, vocab)


def _mean_vectors(vocab: Vocab, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    words, _, lengths = look_up(vocab, doc, spans)
    return weighted_mean(words, np.ones(len(words), "f"), lengths)


def look_up(
    vocab: Vocab, doc: Doc, spans: Sequence[Span]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vectors and the lower forms of the words of spans, (words, width) and (words,), and how
    many words each span has."""
    orth, lower, lengths = make_doc_spans(NumpyOps(), [doc], [spans]).words
    return look_up_vectors(vocab, orth, lower, normalize=False), lower, lengths


def weighted_mean(words: np.ndarray, weights: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The weighted sum of each span's words over the number that have a vector."""
    ops = NumpyOps()
    known = np.any(words != 0, axis=1)[:, None].astype("f")
    counts = np.maximum(sum_spans(ops, known, lengths), 1)
    return sum_spans(ops, words * weights[:, None], lengths) / counts
