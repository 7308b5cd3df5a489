"""What an encoder has learned of headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import IDX
from spacy.tokens import Doc, Span
from thinc.api import Model

from spacy_thematic.clustering.headings import HeadingScores
from spacy_thematic.models.section_headings import (
    describe_sections,
    embed_headings,
    embed_sections,
    find_heading_net,
    get_leanings,
    get_scale,
)
from spacy_thematic.models.spans import Words, make_doc_spans
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.pipeline.text_encoder import Encoder

_FOR, _AGAINST = 0.3, 0.7
"""Weights of leanings, chosen as those of `clustering.headings` were."""

_LEAST_FIRST, _LEAST_LAST = -2.0, -1.5
"""Leanings below which a word neither begins nor ends a phrase: "suffered", "many"."""

_NEVER = 10.0
"""What such a phrase loses, in nats: it is no heading."""

_BATCH = 1000
"""Headings that are tokenized at once."""

_BANKS: WeakKeyDictionary[ThematicEmbedder, tuple[float, np.ndarray]] = WeakKeyDictionary()
"""The vectors of each embedder's bank, and what tells whether it has learned since."""


def score_headings(
    encoder: Encoder | None, means: np.ndarray, origin: np.ndarray, phrases: Sequence[str]
) -> HeadingScores | None:
    """Say how well phrases, and the headings that the encoder has met in training, fit some groups
    of sentences.

    Args:
        encoder: It made the vectors; None if that is not known.
        means: The mean unit vector of each group, (k, width).
        origin: That of all their sentences, (width,).
        phrases: Of the text.

    Returns:
        None if the encoder has not learned headings for vectors of this width.
    """
    if encoder is None:
        return None
    encoder.embedder.fill()
    net = find_heading_net(encoder.embedder.model, means.shape[1])
    if net is None:
        return None
    bank = net.attrs["bank"]
    state = float(net.layers[1].get_param("W").sum())
    if encoder.embedder not in _BANKS or _BANKS[encoder.embedder][0] != state:
        _BANKS[encoder.embedder] = state, _embed(encoder, net, bank)[0]
    vectors, words = _embed(encoder, net, phrases)
    sections, _ = embed_sections(net, describe_sections(means, origin))
    return HeadingScores(
        [*bank, *phrases],
        net.get_param("log_shares"),
        np.concatenate([_BANKS[encoder.embedder][1], vectors]),
        get_scale(net) * sections,
        _weigh_leanings(get_leanings(net, words), words.lengths > 1),
    )


def _weigh_leanings(leanings: np.ndarray, several: np.ndarray) -> np.ndarray:
    """What leanings, (n, 3), say for phrases, (n,): most that a word is none of headings. several:
    which phrases have several words."""
    weights = (_FOR * np.maximum(leanings, 0) + _AGAINST * np.minimum(leanings, 0)).sum(axis=1)
    is_cut = (leanings[:, 0] < _LEAST_FIRST) | (leanings[:, 2] < _LEAST_LAST)
    return weights - _NEVER * (several & is_cut)


def _embed(encoder: Encoder, net: Model, headings: Sequence[str]) -> tuple[np.ndarray, Words]:
    """Unit vectors of headings, (n, width of the net's space), and their words."""
    docs, spans = [], []
    for start in range(0, len(headings), _BATCH):
        doc, of_doc = _tokenize(encoder, headings[start : start + _BATCH])
        docs.append(doc)
        spans.append(of_doc)
    found = make_doc_spans(net.ops, docs, spans)
    if not docs:
        return np.zeros((0, net.layers[1].get_dim("nO")), "f"), found.words
    vectors = encoder.encode(docs, spans)
    return embed_headings(net, vectors, found)[0], found.words


def _tokenize(encoder: Encoder, headings: Sequence[str]) -> tuple[Doc, list[Span]]:
    """One Doc of all headings, each on a line of its own: much faster than a Doc of each."""
    doc = encoder.make_doc("\n".join(headings))
    ends = np.cumsum([len(heading) + 1 for heading in headings])
    starts = doc.to_array([IDX]).astype(int)
    bounds = np.searchsorted(starts, np.append(0, ends)).tolist()
    return doc, [doc[first:after] for first, after in pairwise(bounds)]
