"""The fast encoder: a weighted mean of word vectors with learned weights."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from spacy.util import registry
from thinc.api import Model, NumpyOps, Ops
from thinc.types import Floats2d, Ints1d, Ragged

from spacy_thematic.models import word_tables
from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.tables import (
    add_gradient,
    get_row_updates,
    open_table,
    sum_rows,
    take_rows,
)


@registry.architectures("spacy-thematic.WeightedMean.v1")
def build_weighted_mean(
    embed: Model[DocSpans, Ragged], min_count: int = 3, smoothing: float = 1e-3
) -> Model[DocSpans, Floats2d]:
    """The mean of the word vectors of a sentence, each weighted by a learned weight of its word.

        s = sum_t w(t) v(t) / sum_t w(t)

    with w at first a / (a + p(word)), the smooth inverse frequency of Arora et al. (2017). Returns
    a model with the output Floats2d (spans, width of embed); zeros for a span without words.

    Args:
        embed: gives each token a vector, `spacy-thematic.LearnedVectors.v1` or `.StaticVectors.v1`.
            If it is updated by the rows that were read, so are the weights.
        min_count: how often a word must occur in training to have a weight of its own.
        smoothing: the a of the initial weights.
    """
    updates = get_row_updates(embed)
    weights = word_tables.build_word_weights(min_count, smoothing, updates and updates.rate)
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
    ops = model.ops
    embed, word_weights = model.layers
    if word_tables.is_word_table(embed) and isinstance(ops, NumpyOps):
        if not is_train:
            read = _read_tables(model, X)
            return sum_rows(embed, read.entries.rows, read.coefficients, read.lengths), lambda dY: X
        if get_row_updates(embed) is not None:
            return _learn_entries(model, X)
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


class _Read(NamedTuple):
    """What was read of the tables: entries, coefficients of these in their span's sum, (entries),
    entries of each span, (spans); rows of the weights, (words), and shares, (words, 1)."""

    entries: word_tables.Entries
    coefficients: np.ndarray
    lengths: np.ndarray
    weight_rows: np.ndarray
    shares: np.ndarray


def _read_tables(model: Model[DocSpans, Floats2d], X: DocSpans) -> _Read:
    embed, word_weights = model.layers
    lower, lengths = X.words.lower, X.words.lengths
    matched = weight_rows = word_tables.match_words(embed, lower)
    keys, others = embed.attrs["keys"], word_weights.attrs["keys"]
    if keys is not others and not np.array_equal(keys, others):
        weight_rows = word_tables.match_words(word_weights, lower)
    weight_rows = np.where(weight_rows < 0, len(others), weight_rows)
    weights = np.exp(take_rows(word_weights, weight_rows))
    totals = sum_spans(model.ops, weights, lengths)
    totals[totals == 0] = 1
    shares = weights / _spread(model.ops, totals, lengths)
    entries = word_tables.find_entries(embed, X.vocab, lower, matched)
    ends = np.append(0, np.cumsum(np.bincount(entries.words, minlength=len(lower))))
    n_entries = np.diff(ends[np.append(0, np.cumsum(lengths))])
    coefficients = shares[entries.words, 0] * entries.shares
    return _Read(entries, coefficients, n_entries, weight_rows, shares)


def _learn_entries(
    model: Model[DocSpans, Floats2d], X: DocSpans
) -> tuple[Floats2d, Callable[[Floats2d], DocSpans]]:
    """The mean as products of a sparse matrix with the distinct rows that were read."""
    from scipy.sparse import csr_matrix

    embed, word_weights = model.layers
    for table in (embed, word_weights):
        open_table(table, is_train=True)
    read = _read_tables(model, X)
    entries, lengths = read.entries, X.words.lengths
    distinct, places = np.unique(entries.rows, return_inverse=True)
    rows = take_rows(embed, distinct)
    bounds = np.append(0, np.cumsum(read.lengths))
    shape = (len(read.lengths), len(distinct))
    sums = csr_matrix((read.coefficients.astype("f"), places, bounds), shape)
    Y = sums @ rows

    def backprop(dY: Floats2d) -> DocSpans:
        add_gradient(embed, distinct, sums.T @ dY)
        # d s / d log w(t) = share(t) * (v(t) - s)
        d_entries = np.repeat(dY, read.lengths, axis=0)
        to_rows = np.einsum("ij,ij->i", d_entries, rows[places]) * entries.shares
        to_words = np.bincount(entries.words, to_rows, minlength=len(read.shares))
        to_spans = np.repeat((dY * Y).sum(axis=1), lengths)
        d_log_weights = read.shares * (to_words - to_spans)[:, None]
        add_gradient(word_weights, read.weight_rows, d_log_weights.astype("f"))
        return X

    return Y, backprop


def sum_spans(ops: Ops, tokens: Floats2d, lengths: Ints1d) -> Floats2d:
    """The sum of each span's rows, (spans, width). Thinc's `reduce_sum` fails without any row."""
    if not len(tokens):
        return ops.alloc2f(len(lengths), tokens.shape[1])
    return ops.reduce_sum(tokens, lengths)


def _spread(ops, per_span: Floats2d, lengths) -> Floats2d:
    counts = lengths.tolist() if hasattr(lengths, "get") else lengths
    return ops.xp.repeat(per_span, counts, axis=0)
