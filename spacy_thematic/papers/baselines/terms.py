"""Bags of words: counts, and tf-idf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.evaluation.encoders import ArticleSpans, Encoder

if TYPE_CHECKING:
    from sklearn.feature_extraction.text import TfidfVectorizer


def term_counts(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    """Count how often each word of some spans is in each of them.

    Words are in lower case, without stop words and punctuation unless a span has nothing else.

    Args:
        doc: The Doc of the spans.
        spans: The spans, n of them.

    Returns:
        Counts, float32, of shape (n, words). The columns of two calls are different words.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(analyzer=_find_terms, dtype=np.float32).fit_transform(spans).toarray()


def tfidf_vectors(docs: Iterable[ArticleSpans]) -> Encoder:
    """Make an encoder that multiplies term counts by their inverse frequency in some sentences.

    The inverse frequency of a word in k of n sentences is `ln((1 + n) / (1 + k)) + 1`. Words that
    are in none of them do not count.

    Args:
        docs: The sentences to take the frequencies of.

    Returns:
        The encoder. The columns of two of its arrays are different words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer=_find_terms, norm=None)
    return partial(_encode, vectorizer.fit(span for _, spans in docs for span in spans))


def _encode(vectorizer: TfidfVectorizer, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    rows = vectorizer.transform(spans)
    return rows[:, np.unique(rows.indices)].toarray().astype("f")


def _find_terms(span: Span) -> list[str]:
    content = [token.lower_ for token in span if token.is_alpha and not token.is_stop]
    return content or [token.lower_ for token in span]
