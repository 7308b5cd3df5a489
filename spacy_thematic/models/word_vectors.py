"""Layers that give each token of each span a vector: frozen ones, or a table that is learned."""

from typing import Callable, Optional

import numpy as np
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, extract_tokens, not_initialized


@registry.architectures("spacy-thematic.StaticVectors.v1")
def build_static_vectors(normalize: bool = True) -> Model[DocSpans, Ragged]:
    """The word vectors of the pipeline's vocabulary, as they are: nothing is learned, and nothing
    is stored in the model. A form without a vector takes that of its lower-case form, else zeros.

    normalize: scale each vector to unit length, since tables differ 50-fold in scale.
    Output: Ragged of (tokens, width of the vectors). Raises ValueError if the vocabulary has no
    vectors.
    """
    return Model(
        "static_word_vectors",
        _static_forward,
        init=_static_init,
        dims={"nO": None},
        attrs={"normalize": normalize, "frozen": True},
    )


def _static_init(model: Model, X: Optional[DocSpans] = None, Y=None) -> None:
    if X is not None and X[0]:
        model.set_dim("nO", _vectors_width(X[0][0].vocab))


def _vectors_width(vocab: Vocab) -> int:
    width = vocab.vectors.shape[1] if vocab.vectors.shape[0] else 0
    if not width:
        raise ValueError(
            "The pipeline has no word vectors, and spacy-thematic.StaticVectors.v1 needs them. "
            'Set "vectors" in the [initialize] block of the config, or --paths.vectors, to a '
            "pipeline that has some (en_core_web_lg, or a folder that "
            '"python -m spacy thematic vectors" writes), or use spacy-thematic.LearnedVectors.v1.'
        )
    return width


def _static_forward(
    model: Model[DocSpans, Ragged], X: DocSpans, is_train: bool
) -> tuple[Ragged, Callable]:
    ops = model.ops
    if X[0]:
        vocab = X[0][0].vocab
        width = _vectors_width(vocab)
        orth, lower, lengths = extract_tokens(X)
        forms, first, inverse = np.unique(orth, return_index=True, return_inverse=True)
        table = look_up_vectors(vocab, forms, lower[first], model.attrs["normalize"])
        Y = Ragged(ops.asarray2f(table[inverse]), ops.asarray1i(lengths))
    else:
        width = model.get_dim("nO") if model.has_dim("nO") else 0
        Y = Ragged(ops.alloc2f(0, width), ops.alloc1i(0))

    def backprop(dY: Ragged) -> DocSpans:
        return X

    return Y, backprop


def look_up_vectors(
    vocab: Vocab, orth: np.ndarray, lower: np.ndarray, normalize: bool
) -> np.ndarray:
    """The vectors of word forms, else of their lower-case forms, else zeros.

    orth, lower: lexeme hashes (uint64, n). Returns float32 (n, width).
    """
    vectors = vocab.vectors
    if vectors.mode == "floret":
        table = np.asarray(vectors.get_batch([int(key) for key in orth]), dtype="f")
    else:
        rows = vectors.find(keys=orth)
        missing = rows < 0
        if missing.any():
            rows[missing] = vectors.find(keys=lower[missing])
        data = vectors.data if isinstance(vectors.data, np.ndarray) else vectors.data.get()
        table = np.where((rows >= 0)[:, None], data[rows], 0).astype("f")
    if normalize:
        norms = np.linalg.norm(table, axis=1, keepdims=True)
        table /= np.where(norms > 0, norms, 1)
    return table


@registry.architectures("spacy-thematic.LearnedVectors.v1")
def build_learned_vectors(
    width: int = 100,
    min_count: int = 3,
    unknown_rows: int = 1000,
    from_static: bool = True,
) -> Model[DocSpans, Ragged]:
    """A table with a row for each lower-case word of the training corpus, learned with the rest.

    width: of a row. min_count: how often a word must occur to have a row of its own; the others
    share `unknown_rows` rows by their hash. from_static: where the pipeline has word vectors when
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
    return Model(
        name,
        _table_forward,
        params={"E": None},
        dims={"nO": width},
        attrs={
            **attrs,
            "keys": np.zeros(0, "uint64"),
            "frozen": False,
            "set_vocabulary": set_vocabulary,
        },
    )


def set_vocabulary(model: Model, vocab: Vocab, words: np.ndarray, counts: np.ndarray) -> None:
    """Give a word table its rows.

    words: lexeme hashes of lower-case forms, sorted (uint64, n); counts: how often each occurs.
    """
    frequent = counts >= model.attrs["min_count"]
    model.attrs["keys"] = words[frequent]
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


def _table_forward(
    model: Model[DocSpans, Ragged], X: DocSpans, is_train: bool
) -> tuple[Ragged, Callable]:
    if not model.has_param("E"):
        raise not_initialized()
    _, lower, lengths = extract_tokens(X)
    rows = model.ops.asarray1i(_find_rows(model.attrs["keys"], model.attrs["unknown_rows"], lower))
    table = model.get_param("E")
    lengths = model.ops.asarray1i(lengths)

    def backprop(dY: Ragged) -> DocSpans:
        gradient = model.ops.alloc2f(*table.shape)
        model.ops.scatter_add(gradient, rows, dY.dataXd)
        model.inc_grad("E", gradient)
        return X

    return Ragged(table[rows], lengths), backprop


def _find_rows(keys: np.ndarray, unknown_rows: int, words: np.ndarray) -> np.ndarray:
    """The row of each word: that of its key, else, behind those, one chosen by its hash."""
    unknown = len(keys) + (words % np.uint64(unknown_rows)).astype("i")
    if not len(keys):
        return unknown
    position = np.minimum(np.searchsorted(keys, words), len(keys) - 1)
    return np.where(keys[position] == words, position, unknown).astype("i")


def count_words(inputs: DocSpans) -> tuple[np.ndarray, np.ndarray]:
    """The distinct lower-case words of spans, sorted, and how often each occurs."""
    return np.unique(extract_tokens(inputs)[1], return_counts=True)
