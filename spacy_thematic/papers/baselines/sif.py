"""Means of word vectors, weighted by smooth inverse frequency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.api import NumpyOps

from spacy_thematic.evaluation.baselines.word_vectors import look_up, weighted_mean
from spacy_thematic.evaluation.encoders import ArticleSpans, Encoder
from spacy_thematic.models.spans import make_doc_spans

SAMPLE = 20_000


def sif_vectors(
    vocab: Vocab, docs: Iterable[ArticleSpans], a: float = 1e-3, seed: int = 0
) -> Encoder:
    """Means weighted by smooth inverse frequency, a / (a + p(word)), less their projection on the
    first singular vector (Arora, Liang & Ma 2017, algorithm 1).

    Word frequencies are those of the given sentences; the singular vector is that of 20,000 of
    them, drawn at random.
    """
    groups = list(docs)
    counts: dict[int, int] = {}
    for doc, spans in groups:
        for word in make_doc_spans(NumpyOps(), [doc], [spans]).words.lower.tolist():
            counts[word] = counts.get(word, 0) + 1
    total = max(sum(counts.values()), 1)
    weights = {word: a / (a + count / total) for word, count in counts.items()}
    plain = _Sif(vocab, weights, None)
    share = SAMPLE / max(sum(len(spans) for _, spans in groups), 1)
    rng = np.random.default_rng(seed)
    rows = [_sif_vectors(plain, doc, spans) for doc, spans in groups]
    sample = np.concatenate([part[rng.random(len(part)) < share] for part in rows])
    if not sample.any():
        return partial(_sif_vectors, plain)
    _, directions = np.linalg.eigh(sample.T @ sample)
    return partial(_sif_vectors, plain._replace(component=directions[:, -1]))


class _Sif(NamedTuple):
    vocab: Vocab
    weights: dict[int, float]
    component: np.ndarray | None


def _sif_vectors(sif: _Sif, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    words, lower, lengths = look_up(sif.vocab, doc, spans)
    weights = np.array([sif.weights.get(word, 1.0) for word in lower.tolist()], "f")
    rows = weighted_mean(words, weights, lengths)
    if sif.component is None:
        return rows
    return rows - np.outer(rows @ sif.component, sif.component)
