"""What the encoder of a pipeline has learned of headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import IDX
from spacy.language import Language
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
    nlp: Language, means: np.ndarray, origin: np.ndarray, phrases: Sequence[str]
) -> HeadingScores | None:
    """Say how well phrases, and the headings that the encoder has met in training, fit some groups
    of sentences.

    Args:
        nlp: The pipeline, whose `thematic_embedder` made the vectors.
        means: The mean unit vector of each group, (k, width).
        origin: That of all their sentences, (width,).
        phrases: Of the text.

    Returns:
        None if no encoder of the pipeline has learned headings for vectors of this width.
    """
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, ThematicEmbedder):
            pipe.fill()
            net = find_heading_net(pipe.model, means.shape[1])
            if net is not None:
                return _score(nlp, pipe, net, describe_sections(means, origin), phrases)
    return None


def _score(
    nlp: Language,
    embedder: ThematicEmbedder,
    net: Model,
    features: np.ndarray,
    phrases: Sequence[str],
) -> HeadingScores:
    bank = net.attrs["bank"]
    state = float(net.layers[1].get_param("W").sum())
    if embedder not in _BANKS or _BANKS[embedder][0] != state:
        _BANKS[embedder] = state, _embed(nlp, embedder, net, bank)[0]
    vectors, words = _embed(nlp, embedder, net, phrases)
    sections, _ = embed_sections(net, features)
    return HeadingScores(
        [*bank, *phrases],
        net.get_param("log_shares"),
        np.concatenate([_BANKS[embedder][1], vectors]),
        get_scale(net) * sections,
        _weigh_leanings(get_leanings(net, words), words.lengths > 1),
    )


def _weigh_leanings(leanings: np.ndarray, several: np.ndarray) -> np.ndarray:
    """What leanings, (n, 3), say for phrases, (n,): most that a word is none of headings. several:
    which phrases have several words."""
    weights = (_FOR * np.maximum(leanings, 0) + _AGAINST * np.minimum(leanings, 0)).sum(axis=1)
    is_cut = (leanings[:, 0] < _LEAST_FIRST) | (leanings[:, 2] < _LEAST_LAST)
    return weights - _NEVER * (several & is_cut)


def _embed(
    nlp: Language, embedder: ThematicEmbedder, net: Model, headings: Sequence[str]
) -> tuple[np.ndarray, Words]:
    """Unit vectors of headings, (n, width of the net's space), and their words."""
    docs, spans = [], []
    for start in range(0, len(headings), _BATCH):
        doc, of_doc = _tokenize(nlp, headings[start : start + _BATCH])
        docs.append(doc)
        spans.append(of_doc)
    found = make_doc_spans(net.ops, docs, spans)
    if not docs:
        return np.zeros((0, net.layers[1].get_dim("nO")), "f"), found.words
    vectors = np.concatenate(embedder.encode(docs, spans))
    return embed_headings(net, vectors, found)[0], found.words


def _tokenize(nlp: Language, headings: Sequence[str]) -> tuple[Doc, list[Span]]:
    """One Doc of all headings, each on a line of its own: much faster than a Doc of each."""
    doc = nlp.make_doc("\n".join(headings))
    ends = np.cumsum([len(heading) + 1 for heading in headings])
    starts = doc.to_array([IDX]).astype(int)
    bounds = np.searchsorted(starts, np.append(0, ends)).tolist()
    return doc, [doc[first:after] for first, after in pairwise(bounds)]
