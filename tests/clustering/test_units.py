import numpy as np
import pytest

from spacy_thematic.clustering.communities import find_communities
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.units import (
    UnitClusters,
    UnitSpace,
    choose_units,
    count_sizes,
    find_copies,
    find_units,
    join_words,
)

STARTS = np.array([2, 2, 5])
"""Of texts of 2, 0, 3 and 1 sentences."""


@pytest.mark.parametrize(
    ("sizes", "units"),
    [
        ([1] * 9, "sentences"),
        ([1] * 10, "texts"),
        ([25] * 100, "texts"),
        ([26] * 100, "sentences"),
        ([20] * 99 + [50_000], "texts"),  # Of which a hundred count.
        ([3] * 138 + [803, 803], "texts"),
        ([2] * 138 + [803, 803], "sentences"),
    ],
)
def test_many_short_texts_are_units_unless_most_sentences_are_in_long_ones(sizes, units):
    assert choose_units(count_sizes(np.array(sizes))) == units


def test_a_text_without_sentences_is_no_unit():
    vectors = np.ones((6, 2), np.float32)
    assert find_units(vectors, STARTS, "texts")[1].tolist() == [0, 0, 1, 1, 1, 2]
    assert find_units(vectors, STARTS, "sentences")[1].tolist() == [0, 1, 2, 3, 4, 5]


def test_a_text_has_the_mean_of_its_sentences():
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2)
    assert find_units(vectors, STARTS, "texts")[0].tolist() == [[1, 2], [6, 7], [10, 11]]
    # Three sentences show no order.
    assert find_units(vectors[:2], STARTS[:0], "sentences")[0].tolist() == [[0, 1], [2, 3]]


def test_words_of_the_sentences_of_a_unit_are_joined():
    words = [["a"], ["b", "a"], [], ["c"]]
    assert join_words(words, np.array([0, 0, 1, 2])) == [["a", "b", "a"], [], ["c"]]


TEXTS = [["bee", "hive"], ["bee", "honey"], ["hive", "honey"], ["ship", "sail"], ["ship", "sea"]]
TEXTS += [["sail", "sea"]]


def test_words_bring_together_what_vectors_do_not():
    vectors = np.eye(6, dtype=np.float32)
    space = UnitSpace.fit(vectors, TEXTS)
    rows = space.place(vectors, TEXTS)
    cosines = rows @ rows.T
    assert cosines[0, 1] > cosines[0, 4] + 0.1
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)


def test_words_of_one_text_do_not_count():
    space = UnitSpace.fit(np.eye(6, dtype=np.float32), [*TEXTS[:5], ["quince", "sail", "sea"]])
    assert space.words.tolist() == ["bee", "hive", "honey", "sail", "sea", "ship"]
    rows = [
        space.place(np.eye(6, dtype=np.float32)[:1], [words]) for words in (["bee"], ["bee", "x"])
    ]
    assert np.array_equal(*rows)


def test_texts_given_twice_change_nothing():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(6, 5)).astype("f")
    once = UnitSpace.fit(vectors, TEXTS)
    twice = UnitSpace.fit(np.concatenate([vectors, vectors]), TEXTS + TEXTS)
    assert np.allclose(once.place(vectors, TEXTS), twice.place(vectors, TEXTS), atol=1e-5)


@pytest.mark.parametrize("words", [[[], [], []], [["a"], ["a"], ["a"]], [["a"], ["b"], ["c"]]])
def test_without_words_vectors_alone_are_compared(words):
    vectors = np.eye(3, dtype=np.float32)
    rows = UnitSpace.fit(vectors, words).place(vectors, words)
    assert find_communities(rows, 3).k == 3


def test_texts_with_the_same_words_have_one_theme():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(12, 8)).astype(np.float32)
    words = [["bus", "late"]] * 6 + [["ship", "lost"]] * 6
    labels = UnitClusters.find(vectors, words, ThemeSettings(k=2)).label(vectors, words)
    assert labels.tolist() == [0] * 6 + [1] * 6
    sentences = UnitClusters.find(vectors, words, ThemeSettings(), units="sentences")
    assert len({*sentences.found.labels.tolist()}) > 2


def test_texts_with_nearly_the_same_words_are_copies():
    words = [*map(str.split, ["a b c d e", "b a d c", "a b c", "x y", "y y x", "z", "z", ""])]
    assert find_copies(words).tolist() == [1, 1, 2, 3, 3, 5, 6, 7]


def test_the_order_of_texts_does_not_matter():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(60, 16)).astype(np.float32)
    words = [[f"w{n}" for n in rng.integers(0, 30, 8).tolist()] for _ in range(55)]
    words += words[:5]  # Copies by their words, with vectors of their own.
    found = UnitClusters.find(vectors, words, ThemeSettings())
    order = rng.permutation(60)
    again = UnitClusters.find(vectors[order], [words[row] for row in order], ThemeSettings())
    assert found.found.scores == again.found.scores
    pairs = {*zip(found.found.labels[order].tolist(), again.found.labels.tolist())}
    assert len(pairs) == found.found.k == again.found.k
