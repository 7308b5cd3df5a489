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
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.naming.candidates import HeadingScores
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


class _Scored(NamedTuple):
    """What an encoder says of n phrases: their vectors in the space of headings, (n, width), what
    their words say for them, (n, 3), and their thematic vectors, (n, width of the encoder)."""

    vectors: np.ndarray
    leanings: np.ndarray
    rows: np.ndarray


_BANKS: WeakKeyDictionary[ThematicEmbedder, tuple[float, _Scored]] = WeakKeyDictionary()
"""What each embedder says of its bank, and what tells whether it has learned since."""

KnownPhrases = dict[tuple[int, float, str], _Scored]
"""The keys: the embedder, what tells whether it has learned since, and the phrase."""


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
        _BANKS[embedder] = state, _embed(encoder, net, bank)
    keys = [(id(embedder), state, phrase) for phrase in phrases]
    new = [phrase for key, phrase in zip(keys, phrases) if key not in known]
    scored = _embed(encoder, net, new)
    for place, phrase in enumerate(new):
        known[id(embedder), state, phrase] = _Scored(*(rows[place, None] for rows in scored))
    sections, _ = embed_sections(net, describe_sections(means, origin))
    of_all = [_BANKS[embedder][1], *(known[key] for key in keys)]
    vectors, leanings, rows = map(np.concatenate, zip(*of_all))
    shares, groups = net.get_param("log_shares"), get_scale(net) * sections
    return HeadingScores([*bank, *phrases], shares, vectors, groups, leanings, rows)


def _weigh_leanings(leanings: np.ndarray, several: np.ndarray) -> np.ndarray:
    """What leanings, (n, 3), say for phrases, (n,), and whether these have several words."""
    weights = (_FOR * np.maximum(leanings, 0) + _AGAINST * np.minimum(leanings, 0)).sum(axis=1)
    is_cut = (leanings[:, 0] < _LEAST_FIRST) | (leanings[:, 2] < _LEAST_LAST)
    return weights - _NEVER * (several & is_cut)


def _embed(encoder: Encoder, net: Model, headings: Sequence[str]) -> _Scored:
    docs, spans = [], []
    for start in range(0, len(headings), _BATCH):
        doc, of_doc = _tokenize(encoder, headings[start : start + _BATCH])
        docs.append(doc)
        spans.append(of_doc)
    found = make_doc_spans(net.ops, docs, spans)
    leanings = get_leanings(net, found.words)
    weight = _weigh_leanings(leanings, found.words.lengths > 1)
    rows = encoder.encode(docs, spans) if docs else np.zeros((0, net.layers[1].get_dim("nI")), "f")
    vectors = embed_headings(net, rows, found)[0]
    return _Scored(vectors, np.column_stack([weight, leanings[:, [0, 2]]]), rows)


def _tokenize(encoder: Encoder, headings: Sequence[str]) -> tuple[Doc, list[Span]]:
    """One Doc of all headings, each on a line of its own: much faster than a Doc of each."""
    doc = encoder.make_doc("\n".join(headings))
    ends = np.cumsum([len(heading) + 1 for heading in headings])
    starts = doc.to_array([IDX]).astype(int)
    bounds = np.searchsorted(starts, np.append(0, ends)).tolist()
    return doc, [doc[first:after] for first, after in pairwise(bounds)]
