"""What is grouped in a collection, texts or the sentences of long ones, and by which vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from spacy_thematic.clustering.context import put_in_context
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import unit_rows

Units = Literal["texts", "sentences"]
UNITS = "texts", "sentences"

_FEWEST_TEXTS = 10
_SHORT = 25
"""Sentences. Chosen on collections of news, posts, abstracts, and encyclopedia articles."""

_OF_WORDS = 0.5
"""How much the words of a unit count beside its vector."""

_DIMENSIONS = 100


def choose_units(lengths: np.ndarray) -> Units:
    """Return what to group in texts of so many sentences, (texts,): whole texts where half of them
    are short, and where there are ten or more; otherwise sentences."""
    lengths = lengths[lengths > 0]
    is_short = len(lengths) >= _FEWEST_TEXTS and np.median(lengths) <= _SHORT
    return "texts" if is_short else "sentences"


def find_units(rows: np.ndarray, starts: np.ndarray, units: Units) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of units, (units, width), and the unit of each sentence, (n,).

    A text has the mean of the rows of its sentences, and a sentence that of itself and its
    neighbours, as `put_in_context` weighs them. Texts without sentences are no units.

    Args:
        rows: Of the sentences of all texts, (n, width).
        starts: The number of the first sentence of each text but the first, (texts - 1,).
        units: What to group.
    """
    if units == "sentences":
        return put_in_context(rows, starts), np.arange(len(rows))
    texts = np.searchsorted(starts, np.arange(len(rows)), side="right")
    _, of_each = np.unique(texts, return_inverse=True)
    sums = np.zeros((int(of_each.max(initial=-1)) + 1, rows.shape[1]), np.float32)
    np.add.at(sums, of_each, rows)
    return sums / np.bincount(of_each)[:, None], of_each


def combine(vectors: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return the rows by which units are grouped, of length one, from their vectors, (n, width),
    and the latent dimensions of their words, (n, dimensions)."""
    means = unit_rows(unit_rows(vectors, centre=False))
    return unit_rows(np.hstack([means, _OF_WORDS * unit_rows(words, centre=False)]), centre=False)


def find_word_dimensions(texts: Sequence[Iterable[str]]) -> np.ndarray:
    """Return 100 latent dimensions of the words of texts, or fewer where there are fewer words, by
    the singular values of their tf-idf (Deerwester et al. 1990), float32 (texts, dimensions). Words
    of a single text do not count."""
    from scipy.sparse import csr_array
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    counted = [*map(list, texts)]
    try:
        counts = TfidfVectorizer(analyzer=list, sublinear_tf=True, min_df=2)
        weights = counts.fit_transform(counted)
    except ValueError:  # No word is left.
        weights = csr_array((len(counted), 1))
    if min(weights.shape) < 3:
        return weights.toarray().astype(np.float32)
    most = min(_DIMENSIONS, min(weights.shape) - 1)
    with single_thread():
        return TruncatedSVD(most, random_state=0).fit_transform(weights).astype(np.float32)
