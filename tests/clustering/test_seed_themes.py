import numpy as np
import pytest

from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.clustering.seed_themes import (
    compare_words,
    encode_seed_themes,
    take_by_seed_themes,
)
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.unordered_text import cluster_unordered
from spacy_thematic.clustering.vectors import SentenceVectors


def cluster(rows, directions, k):
    settings = ThemeSettings(k=k)
    return cluster_unordered(SentenceVectors(rows), iclust, None, settings, directions).labels


def test_rows_go_to_the_nearest_seed_theme(blobs):
    rows, truth = blobs
    directions = np.eye(3, 20)[[2, 0, 1]]
    labels = cluster(rows, directions, 3)
    assert np.array([2, 0, 1])[labels].tolist() == truth.tolist()


def test_rows_like_no_seed_theme_are_clustered_among_themselves(blobs):
    rows, truth = blobs
    labels = cluster(rows, np.eye(1, 20), 3)
    assert ((labels == 0) == (truth == 0)).all()
    assert len({(label, kind) for label, kind in zip(labels, truth)}) == 3


def test_the_length_of_rows_makes_no_difference(blobs):
    rows, _ = blobs
    directions = np.eye(2, 20)
    expected = cluster(rows, directions, 3).tolist()
    assert cluster(100 * rows, directions, 3).tolist() == expected


def test_a_single_row_has_its_seed_theme():
    assert cluster(np.array([[0.1, 0.9, 0]]), np.eye(2, 3), 2).tolist() == [1]


@pytest.mark.parametrize("rows", [[[0.1, 0.9, 0]], [[0.1, 0.9, 0], [0, 1, 0]], [[0, 1, 0]] * 2])
def test_few_rows_have_a_seed_theme_that_they_are_like(rows):
    rows = np.array(rows)
    assert set(cluster(rows, np.eye(3)[[1]], 2).tolist()) == {0}
    assert 0 not in cluster(rows, np.eye(3)[[2]], 2)
    assert set(cluster(rows, np.eye(3)[[2]], 1).tolist()) == {0}


def test_a_seed_theme_without_sentences_takes_no_place_of_another(blobs):
    truth = blobs[1]
    labels = cluster(np.eye(3, 20)[truth], np.eye(4, 20)[[3]], 3)
    assert len({(label, kind) for label, kind in zip(labels, truth)}) == 3
    assert 0 not in labels


def test_what_is_like_a_seed_theme_shows_what_else_is():
    """The second row is like the first, which the seed theme names, more than like the theme."""
    rows = np.array([[1, 0.2, 0, 0], [0.4, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 1, -0.1]])
    direction = np.array([[1, -0.5, 0, 0]]) / 1.25**0.5
    assert cluster(rows, direction, 2).tolist() == [0, 0, 1, 1]


def test_a_few_rows_like_no_seed_theme_are_left_alone():
    rows = np.array([[0.1, 1, 0, 0], [0, 1, 0.1, 0], [0, 0, 1, 0], [0, 0.1, 1, 0]])
    assert 0 not in cluster(rows, np.eye(4)[[3]], 3)


@pytest.mark.parametrize("n_seed_themes", [1, 2, 5, 40])
def test_many_seed_themes_take_no_more_by_chance_than_a_few(n_seed_themes):
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(n_seed_themes, 60))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    near = np.repeat(directions, 4, axis=0) + rng.normal(0, 0.1, (4 * n_seed_themes, 60))
    rows = np.concatenate([near, rng.normal(size=(300, 60))])
    labels = take_by_seed_themes(SentenceVectors(rows), directions)
    assert (labels[: len(near)] == np.repeat(np.arange(n_seed_themes), 4)).all()
    assert (labels[len(near) :] >= 0).mean() < 0.15
    assert (take_by_seed_themes(SentenceVectors(rows), directions, take_all=True) >= 0).all()


@pytest.mark.parametrize("example", ["indemnify the", "indemnifying", "Indemnification by law"])
def test_what_has_the_words_of_a_seed_theme_is_in_it(example):
    """By its vector only the line of a form is like it."""
    clauses = [["party", "shall", "pay", "costs", "owed", "others", "month"]] * 60
    forms = [["exhibit", "a"], ["indemnifie"]]
    words = [["indemnifie", "party", "harmless", "claims", "costs", "losses"], *clauses, *forms]
    rows = np.random.default_rng(0).normal(size=(len(words), 10))
    rows[-2, 0] = 50
    compared = compare_words(words, {"indemnity": [example]})
    assert (compared[[0, -1]] > 3).all() and (compared[1:-2] == 0).all()
    labels = take_by_seed_themes(SentenceVectors(rows), np.eye(1, 10), compared=compared)
    assert labels[[0, -2, -1]].tolist() == [0, -1, 0]
    assert take_by_seed_themes(SentenceVectors(rows), np.eye(1, 10))[-2] == 0


def test_units_of_a_word_or_two_are_taken_as_others_are_short():
    compared = compare_words([["rate"], ["rate", "rise"], ["bee"]], {"a": ["bees"]})
    assert np.allclose(compared[:, 0], [0, 0, 4.5**0.5])


def test_rows_of_zeros_are_no_error():
    labels = cluster(np.zeros((3, 4)), np.eye(2, 4), 4)
    assert labels.shape == (3,)


def encode(texts):
    """The direction is the first letter, the length that of the text; x is unknown."""
    return np.array([[len(text) * (text[0] == letter) for letter in "ab"] for text in texts], "f")


def test_examples_of_a_seed_theme_count_alike():
    rows = encode_seed_themes(encode, {"one": ["a", "bbbbbb", "x"], "two": ["bb"]})
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5], [0, 1]])
    assert encode_seed_themes(encode, {}) is None


@pytest.mark.parametrize("examples", [[], ["x", "xx"]])
def test_a_seed_theme_without_known_words_is_named(examples):
    with pytest.raises(ValueError, match="'two' has no example"):
        encode_seed_themes(encode, {"one": ["a"], "two": examples})
