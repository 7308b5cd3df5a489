"""What can go wrong in training, and what is looked at before, since a late failure costs hours."""

import numpy as np
from spacy.vocab import Vocab
from thinc.api import get_array_module


class TrainingError(ValueError):
    """Training cannot start or continue; what was saved before stands."""


def check_word_vectors(vocab: Vocab, orth: np.ndarray, lower: np.ndarray) -> None:
    """Look at the word vectors before training, for the words of the corpus and their lower-case
    forms, lexeme hashes. A vocabulary without vectors passes. Raises ValueError if the vectors
    are not finite, or there is none for any word."""
    vectors = vocab.vectors
    if not vectors.size:
        return
    bad = ~get_array_module(vectors.data).isfinite(vectors.data).all(axis=1)
    if bad.any():
        row = int(bad.argmax())
        word = next((vocab.strings[key] for key, at in vectors.key2row.items() if at == row), "")
        raise ValueError(
            f"{int(bad.sum())} of {len(bad)} word vectors of the pipeline hold NaN or infinity, "
            f"the first that of {word!r}. Remove these words from the table."
        )
    if not any(vocab.has_vector(int(key)) for keys in (orth, lower) for key in keys):
        raise ValueError(
            "None of the words of the training corpus has a vector among the "
            f"{vectors.n_keys} keys of the pipeline: the table is of another language or in "
            'another encoding. Choose another --paths.vectors, or set it to "null".'
        )
