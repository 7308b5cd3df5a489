"""The word vectors of the pipeline's vocabulary as a layer."""

from collections.abc import Callable

import numpy as np
from spacy.strings import get_string_id
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Ragged
from thinc.util import to_numpy

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.rows import to_unit


@registry.architectures("spacy-thematic.StaticVectors.v1")
def build_static_vectors(
    normalize: bool = True, unknown: str | None = None
) -> Model[DocSpans, Ragged]:
    """The word vectors of the pipeline's vocabulary, as they are: nothing is learned, and nothing
    is stored in the model. A form without a vector takes that of its lower-case form, else zeros.
    Returns a model with the output Ragged of (tokens, width of the vectors). Raises ValueError if
    the vocabulary has no vectors, or none of `unknown`.

    Args:
        normalize: whether each vector is scaled to unit length, since tables differ 50-fold in
            scale.
        unknown: a word, such as "UNK", whose vector a form without one takes instead.
    """
    return Model(
        "static_word_vectors",
        _static_forward,
        init=_static_init,
        dims={"nO": None},
        attrs={"normalize": normalize, "unknown": unknown, "frozen": True},
    )


def _static_init(model: Model, X: DocSpans | None = None, Y=None) -> None:
    if X is not None and X.vocab is not None:
        model.set_dim("nO", _vectors_width(X.vocab))


def _vectors_width(vocab: Vocab) -> int:
    if not vocab.vectors.size:
        raise ValueError(
            "The pipeline has no word vectors, and spacy-thematic.StaticVectors.v1 needs them. "
            'Set "vectors" in the [initialize] block of the config, or --paths.vectors, to a '
            "pipeline that has some, such as en_core_web_lg, or to a table such as GloVe's, or "
            "use spacy-thematic.LearnedVectors.v1."
        )
    return vocab.vectors.shape[1]


def _static_forward(
    model: Model[DocSpans, Ragged], X: DocSpans, is_train: bool
) -> tuple[Ragged, Callable]:
    ops, vocab = model.ops, X.vocab
    if vocab is None:  # There is no Doc.
        width = model.get_dim("nO") if model.has_dim("nO") else 0
        return Ragged(ops.alloc2f(0, width), ops.alloc1i(0)), lambda dY: X
    _vectors_width(vocab)
    orth, lower, lengths = X.words
    forms, first, inverse = np.unique(orth, return_index=True, return_inverse=True)
    fallbacks = _choose_fallbacks(vocab, lower[first], model.attrs["unknown"])
    table = look_up_vectors(vocab, forms, fallbacks, model.attrs["normalize"])
    return Ragged(ops.asarray2f(table[inverse]), ops.asarray1i(lengths)), lambda dY: X


def _choose_fallbacks(vocab: Vocab, lower: np.ndarray, unknown: str | None) -> np.ndarray:
    """The words that stand in for forms without a vector: their lower-case forms, or `unknown`."""
    if unknown is None:
        return lower
    key = get_string_id(unknown)
    if key not in vocab.vectors:
        raise ValueError(
            f"The pipeline has no word vector of {unknown!r}, which unknown words are to take: set "
            '"unknown" of spacy-thematic.StaticVectors.v1 to a word that has one, or to null.'
        )
    return np.full_like(lower, key)


def look_up_vectors(
    vocab: Vocab, orth: np.ndarray, fallbacks: np.ndarray, normalize: bool
) -> np.ndarray:
    """The vectors of word forms, else of their fallbacks, such as lower-case forms, else zeros,
    float32 (n, width). Both are lexeme hashes, uint64 (n). `normalize` scales each vector to unit
    length."""
    vectors = vocab.vectors
    if vectors.mode == "floret":
        table = np.asarray(vectors.get_batch([int(key) for key in orth]), dtype="f")
    else:
        rows = vectors.find(keys=orth)
        missing = rows < 0
        if missing.any():
            rows[missing] = vectors.find(keys=fallbacks[missing])
        table = np.where((rows >= 0)[:, None], to_numpy(vectors.data)[rows], 0).astype("f")
    return to_unit(table)[0] if normalize else table
