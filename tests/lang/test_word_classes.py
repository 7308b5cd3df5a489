import numpy as np
import pytest

from spacy_thematic.lang.word_classes import ADJECTIVE, NOUN, OTHER, load_word_classes


def classify(text):
    words = text.split(" ")
    forms, numbers = np.unique(words, return_inverse=True)
    starts = np.arange(len(words)) == 0
    return load_word_classes("en")(forms.tolist(), numbers, starts).tolist()


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("The army won the battle .", 1, NOUN),
        ("The army won the battle .", 2, OTHER),
        ("They report the results .", 1, OTHER),
        ("The report is long .", 1, NOUN),
        ("A beautiful valley .", 1, ADJECTIVE),
        ("We saw a blorfness there .", 3, NOUN),
        ("They blorfed it quickly .", 1, OTHER),
    ],
)
def test_a_word_has_the_class_that_it_has_beside_its_neighbours(text, place, expected):
    assert classify(text)[place] == expected


def test_a_language_without_a_table_tells_nothing():
    assert load_word_classes("fi") is None


def test_no_words_have_no_classes():
    assert load_word_classes("en")([], np.zeros(0, int), np.zeros(0, bool)).tolist() == []
