"""The fast encoder: a weighted mean of word vectors with learned weights."""

from typing import Callable

import numpy as np
from spacy.util import registry
from thinc.api import Model, NumpyOps, Ops
from thinc.types import Floats2d, Ints1d, Ragged

from spacy_thematic.models.spans import DocSpans, extract_tokens
from spacy_thematic.models.word_tables import (
    build_word_weights,
    have_same_words,
    is_word_table,
    match_words,
    sum_words,
    take_weights,
)


@registry.architectures("spacy-thematic.WeightedMean.v1")
def build_weighted_mean(
    embed: Model[DocSpans, Ragged], min_count: int = 3, smoothing: float = 1e-3
) -> Model[DocSpans, Floats2d]:
    """The mean of the word vectors of a sentence, each weighted by a learned weight of its word.

        s = sum_t w(t) v(t) / sum_t w(t)

    with w at first a / (a + p(word)), the smooth inverse frequency of Arora et al. (2017).

    embed: gives each token a vector, `spacy-thematic.LearnedVectors.v1` or `.StaticVectors.v1`.
    min_count: how often a word must occur in training to have a weight of its own.
    smoothing: the a of the initial weights.
    Output: Floats2d (spans, width of embed); zeros for a span without words.
    """
    weights = build_word_weights(min_count=min_count, smoothing=smoothing)
    return Model("weighted_mean", _forward, init=_init, layers=[embed, weights], dims={"nO": None})


def _init(model: Model, X=None, Y=None) -> None:
    for layer in model.layers:
        layer.initialize(X)
    embed = model.layers[0]
    if embed.has_dim("nO"):
        model.set_dim("nO", embed.get_dim("nO"))


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    if not is_train and is_word_table(model.layers[0]) and isinstance(model.ops, NumpyOps):
        return _predict(model, X), lambda dY: X
    ops = model.ops
    embed, word_weights = model.layers
    vectors, backprop_vectors = embed(X, is_train)
    log_weights, backprop_weights = word_weights(X, is_train)
    lengths = vectors.lengths
    weights = ops.xp.exp(log_weights.dataXd)
    totals = sum_spans(ops, weights, lengths)
    totals[totals == 0] = 1
    shares = weights / _spread(ops, totals, lengths)
    Y = sum_spans(ops, vectors.dataXd * shares, lengths)

    def backprop(dY: Floats2d) -> DocSpans:
        d_tokens = _spread(ops, dY, lengths)
        if not embed.attrs["frozen"]:
            backprop_vectors(Ragged(d_tokens * shares, lengths))
        # d s / d log w(t) = share(t) * (v(t) - s)
        d_log_weights = shares * (d_tokens * (vectors.dataXd - _spread(ops, Y, lengths))).sum(
            axis=1, keepdims=True
        )
        backprop_weights(Ragged(d_log_weights, lengths))
        return X

    return Y, backprop


def _predict(model: Model[DocSpans, Floats2d], X: DocSpans) -> Floats2d:
    """The same with no more than is needed: a vector for each span, and none for its words."""
    embed, word_weights = model.layers
    docs = X[0]
    _, lower, lengths = extract_tokens(X)
    matched = match_words(embed, lower)
    same = have_same_words(embed, word_weights)
    weights = np.exp(
        take_weights(word_weights, matched if same else match_words(word_weights, lower))
    )
    totals = sum_spans(model.ops, weights, lengths)
    totals[totals == 0] = 1
    shares = weights / _spread(model.ops, totals, lengths)
    return sum_words(embed, docs, lower, matched, shares[:, 0], lengths)


def sum_spans(ops: Ops, tokens: Floats2d, lengths: Ints1d) -> Floats2d:
    """The sum of each span's rows, (spans, width). Thinc's `reduce_sum` fails without any row."""
    if not len(tokens):
        return ops.alloc2f(len(lengths), tokens.shape[1])
    return ops.reduce_sum(tokens, lengths)


def _spread(ops, per_span: Floats2d, lengths) -> Floats2d:
    return ops.xp.repeat(per_span, _to_list(lengths), axis=0)


def _to_list(lengths):
    return lengths.tolist() if hasattr(lengths, "get") else lengths
