"""Sentence encoders of every kind behind one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.text_encoder import Encoder as PipelineEncoder

Encoder = Callable[[Doc, Sequence[Span]], np.ndarray]
"""The spans of a Doc to vectors, float32 (spans, width)."""

ArticleSpans = tuple[Doc, Sequence[Span]]
"""An article's Doc, and those of its spans that are to be encoded."""

EncoderFactory = Callable[[Iterable[ArticleSpans]], Encoder]
"""An encoder for the spans of some articles, from which a baseline takes its word frequencies."""


def pipeline_encoder(nlp: Language) -> Encoder:
    """The encoder of a pipeline's `thematic_embedder`, for Docs of any vocabulary."""
    return partial(_encode_with, PipelineEncoder(find_embedder(nlp), nlp, nlp.vocab))


def _encode_with(encoder: PipelineEncoder, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    # Static word vectors are those of the Doc's vocabulary.
    words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
    doc = Doc(encoder.vocab, words=words, spaces=spaces)
    return encoder.encode([doc], [[doc[span.start : span.end] for span in spans]])


def text_encoder(encode: TextEncoder) -> Encoder:
    """An encoder of spans from one of strings."""
    return partial(_encode_texts, encode)


def _encode_texts(encode: TextEncoder, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    return np.asarray(encode([span.text for span in spans]), dtype="f")


def same_for_all(encoder: Encoder) -> EncoderFactory:
    """The factory of an encoder that is the same for all articles."""
    return partial(_ignore_articles, encoder)


def _ignore_articles(encoder: Encoder, articles: Iterable[ArticleSpans]) -> Encoder:
    return encoder
