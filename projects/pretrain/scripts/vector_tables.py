"""Rows of words in public tables of vectors."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from spacy.strings import get_string_id

from spacy_thematic.models.vector_tables import load_word_vectors

Rows = tuple[np.ndarray, np.ndarray]
"""The rows of words, float32 (words, width), zeros where there is none; and which have one."""


def read_word_vectors(path: Path, words: Sequence[str]) -> Rows:
    """One of these: a spaCy pipeline, .npz, GloVe or word2vec text."""
    vectors = load_word_vectors(path).vectors
    rows = {key: row for key, row in vectors.key2row.items() if row >= 0}
    return _look_up({w: rows.get(get_string_id(w), -1) for w in _forms(words)}, vectors.data, words)


def read_word2vec(path: Path, words: Sequence[str]) -> Rows:
    """Of a binary word2vec file, by gensim."""
    from gensim.models import KeyedVectors

    table = KeyedVectors.load_word2vec_format(str(path), binary=True)
    return _look_up(table.key_to_index, table.vectors, words)


def read_token_vectors(path: Path, words: Sequence[str]) -> Rows:
    """Of a table of tokens, such as WordLlama's: the sum of the rows of a word's tokens.

    path: a package's folder with weights/*_256.safetensors and tokenizers/*.json.
    """
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    (weights,) = path.glob("weights/*_256.safetensors")
    (definition,) = path.glob("tokenizers/*.json")
    (table,) = load_file(weights).values()
    table = table.astype("f")
    tokenizer = Tokenizer.from_file(str(definition))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    cut = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return np.stack([table[word.ids].sum(axis=0) for word in cut]), np.ones(len(words), bool)


READERS: dict[str, Callable[[Path, Sequence[str]], Rows]] = {
    "word_vectors": read_word_vectors,
    "word2vec": read_word2vec,
    "token_vectors": read_token_vectors,
}


def _forms(words: Sequence[str]) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


def _look_up(rows: Mapping[str, int], table: np.ndarray, words: Sequence[str]) -> Rows:
    """The row of each word, or of it capitalised, or in upper case."""
    found = np.array(
        [
            next((rows[form] for form in _forms([word]) if rows.get(form, -1) >= 0), -1)
            for word in words
        ]
    )
    known = found >= 0
    taken = np.zeros((len(words), table.shape[1]), "f")
    taken[known] = table[found[known]]
    return taken, known
