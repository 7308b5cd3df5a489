import numpy as np
import pytest

from spacy_thematic.clustering.hierarchy import cut_outline, merge_nearest, merge_parts

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])


def test_near_clusters_have_one_parent():
    assert merge_nearest(CENTRES, 2).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "places, k, expected",
    [
        ([0, 9, 0.1, 9.1], 2, [0, 1, 0, 1]),
        ([0, 1.2, -1], 2, [0, 0, 1]),  # The second stands next to the first.
        ([0, 1.2, -1], 3, [0, 1, 2]),
        ([0, 1.2, -1], 9, [0, 1, 2]),
    ],
)
def test_parts_are_merged_whole(places, k, expected):
    parts = np.repeat(np.arange(len(places)), 2)
    rows = np.array(places)[parts, None] * np.ones((1, 3))
    assert merge_parts(rows, parts, k)[::2].tolist() == expected
    assert merge_parts(rows, parts, k)[1::2].tolist() == expected


def test_no_merged_part_is_larger_than_the_limit():
    rows, parts = np.ones((12, 3)), np.repeat(np.arange(6), 2)
    assert np.bincount(merge_parts(rows, parts, 2, 4)).tolist() == [4, 4, 4]
    assert merge_parts(rows, parts, 2, 3).tolist() == parts.tolist()


def test_large_parts_are_divided_by_the_next_level_that_can():
    levels = [
        np.array([0, 0, 0, 0, 0, 1, 1, 2, 2]),
        np.array([0, 0, 0, 0, 0, 1, 2, 3, 3]),
        np.array([0, 0, 1, 1, 2, 3, 4, 5, 6]),
    ]
    assert cut_outline(levels, 5).tolist() == levels[0].tolist()
    assert cut_outline(levels, 4).tolist() == [0, 0, 1, 1, 2, 3, 3, 4, 4]
    assert cut_outline(levels, 1).tolist() == levels[2].tolist()
    assert cut_outline(levels[:2], 4).tolist() == levels[0].tolist()
