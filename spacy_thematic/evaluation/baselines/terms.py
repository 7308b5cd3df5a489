"""Bags of words: counts, and TF-IDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.evaluation.encoders import ArticleSpans, Encoder


def term_counts(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    """How often each word of these spans is in each, float32 (spans, words). Lower case; neither
    stop words nor punctuation, but for a sentence that has nothing else. The columns of two calls
    are not the same words."""
    rows = [Counter(_terms(span)) for span in spans]
    columns = {word: column for column, word in enumerate(sorted(set().union(*rows)))}
    counts = np.zeros((len(rows), max(len(columns), 1)), "f")
    for row, words in enumerate(rows):
        for word, count in words.items():
            counts[row, columns[word]] = count
    return counts


def tfidf_vectors(docs: Iterable[ArticleSpans]) -> Encoder:
    """Term counts times the inverse frequency of the words in the given sentences,
    `ln((1 + n) / (1 + n(word))) + 1`. The columns of two calls are not the same words."""
    frequencies: Counter[str] = Counter()
    n = 0
    for _, spans in docs:
        for span in spans:
            frequencies.update(set(_terms(span)))
            n += 1
    return partial(_tfidf_vectors, frequencies, n)


def _tfidf_vectors(
    frequencies: Mapping[str, int], n: int, doc: Doc, spans: Sequence[Span]
) -> np.ndarray:
    words = sorted({word for span in spans for word in _terms(span)})
    inverse = [np.log((1 + n) / (1 + frequencies.get(word, 0))) + 1 for word in words]
    return term_counts(doc, spans) * np.array(inverse or [1.0], "f")


def _terms(span: Span) -> list[str]:
    content = [token.lower_ for token in span if token.is_alpha and not token.is_stop]
    return content or [token.lower_ for token in span]
