"""The words of a corpus, and the rows that they have in a table with shared rows for parts."""

from collections.abc import Sequence

import numpy as np

from spacy_thematic.models.word_tables import hash_subwords
from spacy_thematic.triplets.compiled import CompiledCorpus


def count_words(corpus: CompiledCorpus) -> tuple[list[str], np.ndarray]:
    """The lower-case words of a corpus, the most frequent first, and how often each occurs."""
    counts = corpus.count_words(range(len(corpus)), others=True)
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(form.lower(), len(numbers)) for form in corpus.forms]
    totals = np.bincount(places, counts, len(numbers)).astype("int64")
    order = np.argsort(-totals, kind="stable")
    words = list(numbers)
    return [words[number] for number in order], totals[order]


def find_rows(
    vocabulary: Sequence[str], words: Sequence[str], n_subwords: int
) -> tuple[np.ndarray, np.ndarray]:
    """The row of each word in a table with a row for each word of a vocabulary and then
    `n_subwords` rows of parts; of another word the four rows of its parts. Returns rows, int
    (entries), one word after the other; and how many each word has, int (words)."""
    known = {word: [row] for row, word in enumerate(vocabulary)}
    unknown = [word for word in words if word not in known]
    parts = dict(zip(unknown, (hash_subwords(unknown, n_subwords) + len(vocabulary)).tolist()))
    found = [known[word] if word in known else parts[word] for word in words]
    sizes = np.array([len(rows) for rows in found])
    return np.array([row for rows in found for row in rows], "int64"), sizes
