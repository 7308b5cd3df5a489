"""Tables with a row for each lower-case word, learned with the rest of the encoder."""

from typing import Callable, NamedTuple

import numpy as np
from spacy.tokens import Doc
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Floats2d, Ints2d, Ragged

from spacy_thematic.models.quantized import UNSCALED, open_table, sum_rows, take_rows
from spacy_thematic.models.spans import DocSpans, extract_tokens
from spacy_thematic.models.subwords import FEATURES, hash_subwords
from spacy_thematic.models.word_vectors import look_up_vectors


class Matched(NamedTuple):
    """rows: of each word in a word table, int32; 0 for one without. unknown: where the words
    without a row stand."""

    rows: np.ndarray
    unknown: np.ndarray


@registry.architectures("spacy-thematic.LearnedVectors.v1")
def build_learned_vectors(
    width: int = 100,
    min_count: int = 3,
    unknown_rows: int = 4096,
    from_static: bool = True,
) -> Model[DocSpans, Ragged]:
    """A table with a row for each lower-case word of the training corpus, learned with the rest.

    width: of a row. min_count: how often a word must occur to have a row of its own; any other
    word is the mean of four of `unknown_rows` shared rows, chosen by hashes of its form, its first
    four and six letters and its last four. from_static: where the pipeline has word vectors when
    the table is initialized, start from these, scaled to unit length and cut or padded with noise
    to `width`.
    Output: Ragged of (tokens, width).
    """
    return _word_table(
        "learned_word_vectors",
        width,
        {
            "min_count": min_count,
            "unknown_rows": unknown_rows,
            "from_static": from_static,
            "make_rows": _make_vector_rows,
        },
    )


def build_word_weights(min_count: int = 3, smoothing: float = 1e-3) -> Model[DocSpans, Ragged]:
    """The logarithm of a learned weight for each lower-case word, at first that of smooth inverse
    frequency, a / (a + p(word)), with a = smoothing (Arora et al. 2017). Words that are not in
    the training corpus share one weight.

    Output: Ragged of (tokens, 1).
    """
    return _word_table(
        "word_weights",
        1,
        {
            "min_count": min_count,
            "unknown_rows": 1,
            "smoothing": smoothing,
            "make_rows": _make_weight_rows,
        },
    )


def _word_table(name: str, width: int, attrs: dict) -> Model[DocSpans, Ragged]:
    if attrs["unknown_rows"] < 1:
        raise ValueError(f"unknown_rows is {attrs['unknown_rows']}, and must be at least 1.")
    return Model(
        name,
        _forward,
        params={"E": None},
        dims={"nO": width},
        attrs={
            **attrs,
            "keys": np.zeros(0, "uint64"),
            "scales": UNSCALED,
            "frozen": False,
            "set_vocabulary": set_vocabulary,
        },
    )


def is_word_table(model: Model) -> bool:
    """Whether a layer is one of this module's tables."""
    return "unknown_rows" in model.attrs


def set_vocabulary(model: Model, vocab: Vocab, words: np.ndarray, counts: np.ndarray) -> None:
    """Give a word table its rows.

    words: lexeme hashes of lower-case forms, sorted (uint64, n); counts: how often each occurs.
    """
    frequent = counts >= model.attrs["min_count"]
    model.attrs["keys"] = words[frequent]
    model.attrs["scales"] = UNSCALED
    table = model.attrs["make_rows"](model, vocab, words[frequent], counts[frequent], counts.sum())
    model.set_param("E", model.ops.asarray2f(table))


def _make_vector_rows(
    model: Model, vocab: Vocab, words: np.ndarray, counts: np.ndarray, total: int
) -> Floats2d:
    width = model.get_dim("nO")
    rows = len(words) + model.attrs["unknown_rows"]
    noise = np.random.default_rng(len(words)).standard_normal((rows, width)) / np.sqrt(width)
    table = noise.astype("f")
    if model.attrs["from_static"] and vocab.vectors.shape[0]:
        static = look_up_vectors(vocab, words, words, normalize=True)[:, :width]
        known = np.any(static != 0, axis=1).nonzero()[0]
        table *= 0.1
        table[known, : static.shape[1]] = static[known]
    return table


def _make_weight_rows(
    model: Model, vocab: Vocab, words: np.ndarray, counts: np.ndarray, total: int
) -> Floats2d:
    smoothing = model.attrs["smoothing"]
    log_weights = np.log(smoothing / (smoothing + counts / max(total, 1)))
    return np.append(log_weights, [0.0])[:, None].astype("f")


def _forward(
    model: Model[DocSpans, Ragged], X: DocSpans, is_train: bool
) -> tuple[Ragged, Callable]:
    open_table(model, is_train)
    _, lower, lengths = extract_tokens(X)
    rows, unknown = match_words(model, lower)
    parts = _find_parts(model, X[0], lower[unknown])
    Y = take_rows(model, rows)
    if len(unknown):
        vectors = take_rows(model, parts.ravel()).reshape(len(unknown), FEATURES, -1)
        Y[unknown] = vectors.mean(axis=1)

    def backprop(dY: Ragged) -> DocSpans:
        gradient = model.ops.alloc2f(*model.get_param("E").shape)
        d_rows = dY.dataXd
        if len(unknown):
            d_parts = model.ops.xp.repeat(d_rows[unknown] / FEATURES, FEATURES, axis=0)
            model.ops.scatter_add(gradient, model.ops.asarray1i(parts.ravel()), d_parts)
            d_rows = d_rows.copy()
            d_rows[unknown] = 0
        model.ops.scatter_add(gradient, model.ops.asarray1i(rows), d_rows)
        model.inc_grad("E", gradient)
        return X

    return Ragged(Y, model.ops.asarray1i(lengths)), backprop


def match_words(model: Model, words: np.ndarray) -> Matched:
    """Find the rows of words in a word table. words: lexeme hashes of lower-case forms, uint64."""
    open_table(model, is_train=False)
    keys = model.attrs["keys"]
    if not len(keys):
        return Matched(np.zeros(len(words), "i"), np.arange(len(words)))
    rows = np.minimum(np.searchsorted(keys, words), len(keys) - 1).astype("i")
    unknown = np.flatnonzero(keys[rows] != words)
    rows[unknown] = 0
    return Matched(rows, unknown)


def have_same_words(first: Model, second: Model) -> bool:
    """Whether what `match_words` finds in one word table holds in another."""
    keys, others = first.attrs["keys"], second.attrs["keys"]
    return keys is others or np.array_equal(keys, others)


def take_weights(model: Model, matched: Matched) -> Floats2d:
    """The logarithms of the weights of words, (words, 1). model: of `build_word_weights`."""
    rows = matched.rows.copy()
    rows[matched.unknown] = len(model.attrs["keys"])
    return take_rows(model, rows)


def sum_words(
    model: Model,
    docs: list[Doc],
    words: np.ndarray,
    matched: Matched,
    weights: np.ndarray,
    lengths: np.ndarray,
) -> Floats2d:
    """The weighted sum of the vectors of each span's words, (spans, width), on a CPU.

    words: lexeme hashes of lower-case forms, uint64 (words), and where they were found in this
    word table; weights of these. lengths: words of each span.
    """
    unknown = matched.unknown
    n_rows = np.ones(len(words), "i")
    n_rows[unknown] = FEATURES
    ends = np.cumsum(n_rows)
    rows = np.repeat(matched.rows, n_rows)
    rows[ends[unknown][:, None] - np.arange(FEATURES, 0, -1)] = _find_parts(
        model, docs, words[unknown]
    )
    spans = np.append(0, ends)[np.append(0, np.cumsum(lengths))]
    return sum_rows(model, rows, np.repeat(weights / n_rows, n_rows), np.diff(spans))


def _find_parts(model: Model, docs: list[Doc], words: np.ndarray) -> Ints2d:
    """The rows of the parts of words that a table does not have, int32 (words, 4)."""
    if not len(words):
        return np.zeros((0, FEATURES), "i")
    distinct, inverse = np.unique(words, return_inverse=True)
    strings = docs[0].vocab.strings
    parts = hash_subwords([strings[int(word)] for word in distinct], model.attrs["unknown_rows"])
    return (len(model.attrs["keys"]) + parts)[inverse]


def count_words(inputs: DocSpans) -> tuple[np.ndarray, np.ndarray]:
    """The distinct lower-case words of spans, sorted, and how often each occurs."""
    return np.unique(extract_tokens(inputs)[1], return_counts=True)
