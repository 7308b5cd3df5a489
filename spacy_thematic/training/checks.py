"""What can go wrong in training, and what is looked at before, since a late failure costs hours."""

import numpy as np
from spacy.vocab import Vocab

from spacy_thematic.models.vector_tables import check_finite


class TrainingError(ValueError):
    """Training cannot start or continue; what was saved before stands."""


def check_word_vectors(vocab: Vocab, orth: np.ndarray, lower: np.ndarray) -> None:
    """Look at the word vectors before training, for the words of the corpus and their lower-case
    forms, lexeme hashes. A vocabulary without vectors passes. Raises ValueError if the vectors
    are not finite, or there is none for any word."""
    vectors = vocab.vectors
    if not vectors.size:
        return
    check_finite(vocab, "of the pipeline")
    if not any(vocab.has_vector(int(key)) for keys in (orth, lower) for key in keys):
        raise ValueError(
            "None of the words of the training corpus has a vector among the "
            f"{vectors.n_keys} keys of the pipeline: the table is of another language or in "
            'another encoding. Choose another --paths.vectors, or set it to "null".'
        )
