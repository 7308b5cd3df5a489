"""What the encoder of a pipeline has learned of headings."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
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
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pipeline.embedder import ThematicEmbedder

_FOR, _AGAINST = 0.3, 0.7
"""Weights of leanings, chosen as those of `clustering.headings` were."""

_LEAST_FIRST, _LEAST_LAST = -2.0, -1.5
"""Leanings below which a word neither begins nor ends a phrase: "suffered", "many"."""

_NEVER = 10.0
"""What such a phrase loses, in nats: it is no heading."""

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
        docs = [nlp.make_doc(heading) for heading in bank]
        _BANKS[embedder] = state, _embed(embedder, net, docs)
    docs = [nlp.make_doc(phrase) for phrase in phrases]
    vectors = np.concatenate([_BANKS[embedder][1], _embed(embedder, net, docs)])
    sections, _ = embed_sections(net, features)
    return HeadingScores(
        [*bank, *phrases],
        net.get_param("log_shares"),
        vectors,
        get_scale(net) * sections,
        _weigh_leanings(get_leanings(net, docs), np.array([len(doc) > 1 for doc in docs], bool)),
    )


def _weigh_leanings(leanings: np.ndarray, several: np.ndarray) -> np.ndarray:
    """What leanings, (n, 3), say for phrases, (n,): most that a word is none of headings. several:
    which phrases have several words."""
    weights = (_FOR * np.maximum(leanings, 0) + _AGAINST * np.minimum(leanings, 0)).sum(axis=1)
    is_cut = (leanings[:, 0] < _LEAST_FIRST) | (leanings[:, 2] < _LEAST_LAST)
    return weights - _NEVER * (several & is_cut)


def _embed(embedder: ThematicEmbedder, net: Model, headings: list[Doc]) -> np.ndarray:
    """Unit vectors of headings, (n, width of the net's space)."""
    if not headings:
        return np.zeros((0, net.layers[1].get_dim("nO")), "f")
    spans = [[doc[:]] for doc in headings]
    vectors = np.concatenate(embedder.encode(headings, spans))
    return embed_headings(net, vectors, make_doc_spans(net.ops, headings, spans))[0]
