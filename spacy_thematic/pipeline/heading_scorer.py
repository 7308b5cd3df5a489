"""What an encoder has learned of headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import IDX
from spacy.tokens import Doc, Span
from thinc.api import Model

from spacy_thematic.models.section_headings import (
    describe_sections,
    embed_headings,
    embed_sections,
    find_heading_net,
    get_leanings,
    get_scale,
)
from spacy_thematic.models.spans import Words, make_doc_spans
from spacy_thematic.naming.headings import HeadingScores
from spacy_thematic.pipeline.embedder import ThematicEmbedder

if TYPE_CHECKING:
    from spacy_thematic.pipeline.text_encoder import Encoder

_FOR, _AGAINST = 0.3, 0.7
"""Weights of leanings, chosen as those of `naming.headings` were."""

_LEAST_FIRST, _LEAST_LAST = -2.0, -1.5
"""Leanings below which a word neither begins nor ends a phrase: "suffered", "many"."""

_NEVER = 10.0
"""What such a phrase loses, in nats: it is no heading."""

_BATCH = 1000
"""Headings that are tokenized at once."""

_BANKS: WeakKeyDictionary[ThematicEmbedder, tuple[float, np.ndarray]] = WeakKeyDictionary()
"""The vectors of each embedder's bank, and what tells whether it has learned since."""


class _Scored(NamedTuple):
    """What an encoder says of a phrase: its vector in the space of headings, (width,), and what its
    words say for it, in nats."""

    vector: np.ndarray
    leaning: float


KnownPhrases = dict[tuple[int, float, str], _Scored]
"""By the embedder, what tells whether it has learned since, and the phrase."""


def score_headings(
    encoder: Encoder,
    means: np.ndarray,
    origin: np.ndarray,
    phrases: Sequence[str],
    known: KnownPhrases,
) -> HeadingScores | None:
    """`Encoder.score_headings`."""
    embedder = encoder.embedder
    embedder.fill()
    net = find_heading_net(embedder.model, means.shape[1])
    if net is None:
        return None
    bank = net.attrs["bank"]
    state = float(net.layers[1].get_param("W").sum())
    if embedder not in _BANKS or _BANKS[embedder][0] != state:
        _BANKS[embedder] = state, _embed(encoder, net, bank)[0]
    keys = [(id(embedder), state, phrase) for phrase in phrases]
    new = [phrase for key, phrase in zip(keys, phrases) if key not in known]
    vectors, words = _embed(encoder, net, new)
    leanings = _weigh_leanings(get_leanings(net, words), words.lengths > 1)
    for phrase, vector, leaning in zip(new, vectors, leanings.tolist()):
        known[id(embedder), state, phrase] = _Scored(vector, leaning)
    sections, _ = embed_sections(net, describe_sections(means, origin))
    of_bank = _BANKS[embedder][1]
    return HeadingScores(
        [*bank, *phrases],
        net.get_param("log_shares"),
        np.concatenate([of_bank, *(known[key].vector[None] for key in keys)]),
        get_scale(net) * sections,
        np.array([known[key].leaning for key in keys], leanings.dtype),
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
