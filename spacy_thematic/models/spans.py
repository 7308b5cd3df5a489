"""What the encoders read: the words of sentences."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from spacy.attrs import IDX, IS_SPACE, LIKE_EMAIL, LIKE_URL, LOWER, ORTH
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.api import Ops
from thinc.types import Ragged
from thinc.util import to_numpy

from spacy_thematic.layout.lines import REDACTION
from spacy_thematic.rows import count_from
from spacy_thematic.span_keys import get_text

_OF_ADDRESS = frozenset("/@")


class Words(NamedTuple):
    """The words of spans, one after the other, without white space, redactions, and the addresses
    of pages and mail, which say little of a theme: their exact forms and their lower-case forms as
    lexeme hashes, uint64 (words), and the number of words of each span, int32 (spans). What is only
    like an address is a word ("Booking.com")."""

    orth: np.ndarray
    lower: np.ndarray
    lengths: np.ndarray


class DocSpans:
    """Docs and their spans, or the words of spans without Docs. Each is made from the other when an
    encoder first asks for it."""

    def __init__(
        self,
        vocab: Vocab | None,
        make_docs: Callable[[], tuple[list[Doc], Ragged]],
        words: Words | None = None,
    ):
        self.vocab = vocab
        self._make_docs = make_docs
        if words is not None:
            self.words = words

    @cached_property
    def docs(self) -> tuple[list[Doc], Ragged]:
        """The Docs, and the token offsets of their spans, as of spaCy's `spancat`: `dataXd` is an
        Ints2d (spans, 2) of starts and ends, `lengths` the number of spans of each Doc."""
        return self._make_docs()

    @cached_property
    def words(self) -> Words:
        """The words of all spans."""
        return _extract_words(*self.docs)


def make_doc_spans(ops: Ops, docs: Sequence[Doc], spans: Sequence[Sequence[Span]]) -> DocSpans:
    """Docs and their spans in the shape that the encoders read."""
    offsets = [(span.start, span.end) for group in spans for span in group]
    ragged = Ragged(
        ops.asarray2i(offsets or np.zeros((0, 2), "i"), dtype="i"),
        ops.asarray1i([len(group) for group in spans], dtype="i"),
    )
    return DocSpans(docs[0].vocab if len(docs) else None, lambda: (list(docs), ragged))


def _extract_words(docs: list[Doc], spans: Ragged) -> Words:
    offsets = to_numpy(spans.dataXd).reshape(-1, 2)
    ends = np.cumsum(to_numpy(spans.lengths))
    orth, lower, lengths = [np.zeros(0, "uint64")], [np.zeros(0, "uint64")], [np.zeros(0, "int32")]
    for doc, doc_offsets in zip(docs, np.split(offsets, ends[:-1])):
        tokens = doc.to_array([ORTH, LOWER, IS_SPACE, LIKE_URL, LIKE_EMAIL])
        is_word = tokens[:, 2] == 0
        is_like = tokens[:, 3:].any(axis=1)
        addresses = [n for n in np.flatnonzero(is_like).tolist() if _OF_ADDRESS & {*doc[n].text}]
        is_word[addresses] = False
        if redacted := [one.span() for one in REDACTION.finditer(get_text(doc))]:
            bounds = np.searchsorted(doc.to_array(IDX), redacted)
            for first, after in bounds.tolist():
                is_word[first:after] = False
        sizes = doc_offsets[:, 1] - doc_offsets[:, 0]
        index = count_from(doc_offsets[:, 0], sizes)
        solid = is_word[index]
        orth.append(tokens[index, 0][solid])
        lower.append(tokens[index, 1][solid])
        span_of = np.repeat(np.arange(len(sizes)), sizes)[solid]
        lengths.append(np.bincount(span_of, minlength=len(sizes)))
    return Words(
        np.concatenate(orth), np.concatenate(lower), np.concatenate(lengths).astype("int32")
    )


def not_initialized() -> ValueError:
    """The error of an encoder that has no weights yet."""
    return ValueError(
        "This encoder has not been trained: load a trained pipeline with spacy.load, or train one "
        'with "python -m spacy thematic train".'
    )
