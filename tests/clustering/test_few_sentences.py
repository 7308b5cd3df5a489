import numpy as np
import pytest

from spacy_thematic.clustering.hierarchy import cluster_few
from spacy_thematic.rows import unit_rows

ROWS = unit_rows(np.array([[1, 0.1, 0], [0, 1, 0], [1, 0, 0.1], [0, 1, 0.6]]), centre=False)


@pytest.mark.parametrize(
    "halves, expected",
    [
        (0.9, [0, 1, 0, 1]),
        (1.05, [0, 1, 0, 2]),
        (1.3, [0, 1, 2, 3]),
        (0.04, [0, 0, 0, 0]),
        (-0.5, [0, 0, 0, 0]),
    ],
)
def test_sentences_are_merged_while_they_are_nearly_as_like_as_halves(halves, expected):
    assert cluster_few(ROWS, halves, 12).tolist() == expected


def test_there_are_at_most_as_many_as_asked_for():
    assert cluster_few(ROWS, 1.3, 2).tolist() == [0, 1, 0, 1]


def test_equal_rows_and_rows_of_zeros_are_one_theme():
    assert cluster_few(np.zeros((3, 2), "f"), 0.0, 12).tolist() == [0, 0, 0]
    assert cluster_few(ROWS[[0, 0, 1]], 1.3, 12).tolist() == [0, 0, 1]
    assert cluster_few(ROWS[:1], 0.5, 12).tolist() == [0]


def test_sentences_of_a_paragraph_are_merged_first():
    paragraphs = np.array([0, 0, 1, 1])
    assert cluster_few(ROWS, 1.3, 12, paragraphs).tolist() == [0, 0, 1, 1]
    # Of two paragraphs of both themes one is as like the other as it is within.
    assert cluster_few(ROWS, 0.5, 12, paragraphs).tolist() == [0, 0, 0, 0]
    assert cluster_few(ROWS, 1.3, 1, paragraphs).tolist() == [0, 0, 0, 0]
