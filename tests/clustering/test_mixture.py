import numpy as np

from spacy_thematic.clustering.communities import count_words, fit_mixture
from spacy_thematic.rows import unit_rows


def make_rows(n: int, seed: int = 0) -> np.ndarray:
    """Rows that are like each other whatever their cluster."""
    rng = np.random.default_rng(seed)
    return unit_rows((1 + 0.05 * rng.normal(size=(n, 8))).astype("f"), centre=False)


def test_words_move_a_unit_that_its_vector_does_not_place():
    words = [["ferry", "harbour"]] * 4 + [["invoice", "refund"]] * 4
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    found = fit_mixture(make_rows(8), count_words(words), labels)
    assert found.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_vectors_move_a_unit_without_words():
    rows = np.repeat(np.eye(2, dtype="f"), 4, axis=0)
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    found = fit_mixture(rows, count_words([[]] * 8), labels)
    assert found.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_no_cluster_is_empty():
    words = [["ferry", "harbour"]] * 8
    labels = np.array([0, 0, 0, 0, 0, 0, 1, 2])
    found = fit_mixture(make_rows(8), count_words(words), labels)
    assert np.unique(found).tolist() == [0, 1, 2]


def test_a_word_of_a_single_unit_says_nothing():
    counts = count_words([["ferry", "harbour", "ferry"], ["harbour", "pier"], []])
    assert counts.toarray().tolist() == [[1], [1], [0]]
