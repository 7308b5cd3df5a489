"""What the encoders read: Docs, and in each the spans to encode."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from spacy.attrs import IS_SPACE, LOWER, ORTH
from spacy.tokens import Doc, Span
from thinc.api import Ops
from thinc.types import Ragged

DocSpans = tuple[list[Doc], Ragged]
"""Docs, and the token offsets of their spans: `dataXd` is an Ints2d (spans, 2) of starts and
ends, `lengths` the number of spans of each Doc. The convention of spaCy's `spancat`."""


def make_doc_spans(ops: Ops, docs: Sequence[Doc], spans: Sequence[Sequence[Span]]) -> DocSpans:
    """Docs and their spans in the shape that the encoders read."""
    offsets = [(span.start, span.end) for group in spans for span in group]
    return list(docs), Ragged(
        ops.asarray2i(offsets or np.zeros((0, 2), "i"), dtype="i"),
        ops.asarray1i([len(group) for group in spans], dtype="i"),
    )


def extract_tokens(inputs: DocSpans) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tokens of all spans, one after the other, without white space.

    Returns the exact forms and the lower-case forms as lexeme hashes (uint64, tokens), and the
    number of tokens of each span (int32, spans).
    """
    docs, spans = inputs
    offsets = np.asarray(_to_cpu(spans.dataXd)).reshape(-1, 2)
    ends = np.cumsum(np.asarray(_to_cpu(spans.lengths)))
    orth, lower, lengths = [], [], []
    start = 0
    for doc, end in zip(docs, ends):
        tokens = doc.to_array([ORTH, LOWER, IS_SPACE])
        doc_offsets = offsets[start:end]
        start = end
        sizes = doc_offsets[:, 1] - doc_offsets[:, 0]
        first = np.cumsum(sizes) - sizes
        index = np.arange(sizes.sum()) + np.repeat(doc_offsets[:, 0] - first, sizes)
        solid = tokens[index, 2] == 0
        orth.append(tokens[index, 0][solid])
        lower.append(tokens[index, 1][solid])
        span_of = np.repeat(np.arange(len(sizes)), sizes)[solid]
        lengths.append(np.bincount(span_of, minlength=len(sizes)))
    if not docs:
        return np.zeros(0, "uint64"), np.zeros(0, "uint64"), np.zeros(0, "int32")
    return np.concatenate(orth), np.concatenate(lower), np.concatenate(lengths).astype("int32")


def _to_cpu(array):
    return array.get() if hasattr(array, "get") else array


def not_initialized() -> ValueError:
    """The error of an encoder that has no weights yet."""
    return ValueError(
        "This encoder has not been trained: load a trained pipeline with spacy.load, or train one "
        'with "python -m spacy thematic train".'
    )
