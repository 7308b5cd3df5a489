"""Tables with a row for each lower-case word, learned with the rest of the encoder."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.tables import UNSCALED, add_gradient, build_table, open_table, take_rows
from spacy_thematic.models.word_vectors import look_up_vectors

FEATURES = 4
"""Shared rows of a word without one of its own."""


@registry.architectures("spacy-thematic.LearnedVectors.v1")
def build_learned_vectors(
    width: int = 100,
    min_count: int = 3,
    unknown_rows: int = 4096,
    from_static: bool = True,
    row_rate: float | None = None,
) -> Model[DocSpans, Ragged]:
    """A table with a row for each lower-case word of the training corpus, learned with the rest.
    Returns a model with the output Ragged of (tokens, width).

    Args:
        min_count: how often a word must occur to have a row of its own. Any other word is the mean
            of four of `unknown_rows` shared rows, chosen by hashes of its form, its first four and
            six letters and its last four.
        unknown_rows: the number of shared rows, at least 1.
        from_static: where the pipeline has word vectors when the table is initialized, start from
            these, scaled to unit length and cut or padded with noise to `width`.
        row_rate: None: the optimizer updates the whole table at each step. A number: only the rows
            that a batch has read are updated, by RMSprop at this many times the optimizer's
            learning rate, which is faster for a large table.
    """
    attrs = {"min_count": min_count, "unknown_rows": unknown_rows, "from_static": from_static}
    return _word_table("learned_word_vectors", width, row_rate, _make_vector_rows, **attrs)


def build_word_weights(
    min_count: int = 3, smoothing: float = 1e-3, row_rate: float | None = None
) -> Model[DocSpans, Ragged]:
    """The logarithm of a learned weight for each lower-case word, at first that of smooth inverse
    frequency, a / (a + p(word)), with a = smoothing (Arora et al. 2017). Words that are not in the
    training corpus share one weight. Returns a model with the output Ragged of (tokens, 1)."""
    attrs = {"min_count": min_count, "unknown_rows": 1, "smoothing": smoothing}
    return _word_table("word_weights", 1, row_rate, _make_weight_rows, **attrs)


def _word_table(
    name: str, width: int, row_rate: float | None, make_rows: Callable, **attrs: Any
) -> Model[DocSpans, Ragged]:
    if attrs["unknown_rows"] < 1:
        raise ValueError(f"unknown_rows is {attrs['unknown_rows']}, and must be at least 1.")
    keys = np.zeros(0, "uint64")
    attrs |= {"make_rows": make_rows, "keys": keys, "set_vocabulary": set_vocabulary}
    return build_table(name, _forward, width, row_rate, **attrs)


def is_word_table(model: Model) -> bool:
    """Whether a layer is one of this module's tables."""
    return "unknown_rows" in model.attrs


def set_vocabulary(model: Model, vocab: Vocab, words: np.ndarray, counts: np.ndarray) -> None:
    """Give a word table its rows, for lower-case forms by their lexeme hashes, sorted, uint64 (n),
    and how often each occurs. `vocab` has the word vectors to start from."""
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
    ops, words = model.ops, X.words.lower
    entries = find_entries(model, X.vocab, words, match_words(model, words))
    places, shares = ops.asarray1i(entries.words), ops.asarray2f(entries.shares[:, None])
    Y = ops.alloc2f(len(words), model.get_dim("nO"))
    ops.scatter_add(Y, places, take_rows(model, entries.rows) * shares)

    def backprop(dY: Ragged) -> DocSpans:
        add_gradient(model, entries.rows, dY.dataXd[places] * shares)
        return X

    return Ragged(Y, ops.asarray1i(X.words.lengths)), backprop


def match_words(model: Model, words: np.ndarray) -> np.ndarray:
    """Find the rows of words, lexeme hashes of lower-case forms, uint64 (words), in a word table:
    int32 (words), -1 for one without."""
    open_table(model, is_train=False)
    keys = model.attrs["keys"]
    if not len(keys):
        return np.full(len(words), -1, "i")
    rows = np.minimum(np.searchsorted(keys, words), len(keys) - 1).astype("i")
    rows[keys[rows] != words] = -1
    return rows


class Entries(NamedTuple):
    """The rows of a table that words take, one word after the other, int32 (entries); the number of
    the word of each; and the share of each in its word's vector. A known word takes one row, an
    unknown one the `FEATURES` shared rows."""

    rows: np.ndarray
    words: np.ndarray
    shares: np.ndarray


def find_entries(
    model: Model, vocab: Vocab | None, words: np.ndarray, matched: np.ndarray
) -> Entries:
    """The rows of words, lexeme hashes of lower-case forms, uint64 (words), from those that
    `match_words` found."""
    unknown = np.flatnonzero(matched < 0)
    n_rows = np.ones(len(words), "i")
    n_rows[unknown] = FEATURES
    numbers = np.repeat(np.arange(len(words)), n_rows)
    rows = matched[numbers]
    parts = np.cumsum(n_rows)[unknown][:, None] - np.arange(FEATURES, 0, -1)
    if vocab is not None and len(unknown):
        distinct, inverse = np.unique(words[unknown], return_inverse=True)
        forms = [vocab.strings[int(word)] for word in distinct]
        shared = hash_subwords(forms, model.attrs["unknown_rows"])
        rows[parts] = (len(model.attrs["keys"]) + shared)[inverse]
    return Entries(rows, numbers, (1 / n_rows)[numbers])


def hash_subwords(words: Sequence[str], n_rows: int) -> np.ndarray:
    """The rows of words, lower-case forms, in a table of hashed parts, int32 (words, 4): the whole
    word has one of the first quarter of the rows, its first four letters, its first six and its
    last four have others. The hash is CRC-32 of the UTF-8 bytes, so that it is the same on every
    machine."""
    if n_rows == 1:
        return np.zeros((len(words), FEATURES), dtype="int32")
    whole = n_rows // 4
    rows = [
        (
            crc32(b"w" + word.encode("utf8", "replace")) % max(whole, 1),
            whole + crc32(b"p" + word[:4].encode("utf8", "replace")) % (n_rows - whole),
            whole + crc32(b"q" + word[:6].encode("utf8", "replace")) % (n_rows - whole),
            whole + crc32(b"s" + word[-4:].encode("utf8", "replace")) % (n_rows - whole),
        )
        for word in words
    ]
    return np.asarray(rows, dtype="int32").reshape(-1, FEATURES)
