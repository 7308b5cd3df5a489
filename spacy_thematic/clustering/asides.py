"""Sentences that say nothing of a theme: they belong to none, and are not clustered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.content import is_content_word
from spacy_thematic.doc_layout import SentenceLayout

SET_ASIDE = -1
"""The label of a sentence without a cluster."""


def find_kept(doc: Doc, sentences: Sequence[Span]) -> np.ndarray:
    """Return the sentences to cluster, by their numbers, where each is clustered by itself: those
    that `find_said` and `find_content` keep."""
    said = find_said(doc, sentences)
    return said[find_content([sentences[row] for row in said])]


def find_said(doc: Doc, sentences: Sequence[Span]) -> np.ndarray:
    """Return the sentences, by their numbers, that are no asides of the layout; all, if all are."""
    said = np.flatnonzero(~SentenceLayout(doc, sentences).asides)
    return said if len(said) else np.arange(len(sentences))


def find_content(sentences: Sequence[Span]) -> np.ndarray:
    """Return the sentences, by their numbers, that have two words or more, and a content word among
    them, whoever speaks; all, if fewer than half have, as in a list of words."""
    found: list[int] = []
    for doc, group in groupby(enumerate(sentences), key=lambda pair: pair[1].doc):
        numbers, of_doc = zip(*group)
        starts = SentenceLayout(doc, of_doc).said
        found += [n for n, s, start in zip(numbers, of_doc, starts) if _has_content(s, start)]
    return np.array(found if len(found) >= len(sentences) / 2 else range(len(sentences)), int)


def _has_content(sentence: Span, start: int) -> bool:
    words = [
        token for token in sentence if token.idx >= start and any(map(str.isalpha, token.text))
    ]
    return len(words) > 1 and any(map(is_content_word, words))
