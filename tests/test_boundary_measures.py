import numpy as np
import pytest

from spacy_thematic.boundary_measures import (
    boundary_similarity,
    find_window,
    mean_segmentation_error,
    pk,
    segmentation_error,
    window_diff,
)

HEARST = {
    1: [2, 3, 3, 1, 3, 6, 3],
    2: [2, 8, 2, 4, 2, 3],
    3: [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
}
"""Three readers' segments of the text "Stargazers" (Hearst 1997), as segeval has them."""
H1, H2 = [2, 6, 4, 2, 4, 3], [2, 1, 1, 1, 5, 8, 2, 1]


def segments(masses):
    return np.repeat(np.arange(len(masses)), masses)


@pytest.mark.parametrize(
    ("found", "reference", "value"),
    [
        ([2, 3, 6], [5, 6], 0.5),
        ([2, 3, 6], [2, 3, 3, 3], 2 / 3),
        ([2, 3, 6], [2, 2, 7], 0.75),
        ([2, 3, 6], [1, 1, 3, 1, 5], 0.5),
        ([11], [5, 6], 0),
        ([13], [13], 1),
        (H1, HEARST[1], 0.57142857),
        (H2, HEARST[1], 0.38888888),
        (H1, HEARST[2], 0.42857142),
        (H2, HEARST[2], 0.33333333),
    ],
)
def test_boundary_similarity_of_published_cases(found, reference, value):
    """The cases that segeval 2.0.11, Fournier's own package, is tested on."""
    assert boundary_similarity(segments(found), segments(reference)) == pytest.approx(value)
    assert boundary_similarity(segments(reference), segments(found)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("found", "reference", "value"),
    [
        ([2, 3, 6], [2, 2, 7], 2 / 9),
        ([13], [4, 4, 5], 4 / 11),
        ([1] * 13, [4, 4, 5], 7 / 11),
        ([5, 3, 5], [5, 3, 5], 0),
    ],
)
def test_pk_of_published_cases(found, reference, value):
    assert pk(segments(found), segments(reference)) == pytest.approx(value)


def test_golden_window_diff():
    """Windows of 2: the cuts in the windows of the reference are 0 1 1 1 1 0, of what was found
    1 2 1 0 1 1; four of six differ. Pk does not see the window with two cuts."""
    reference, found = segments([3, 2, 3]), segments([2, 1, 3, 2])
    assert find_window(reference) == 2
    assert window_diff(found, reference) == pytest.approx(4 / 6)
    assert pk(found, reference) == pytest.approx(3 / 6)


def test_topics_that_come_back_keep_their_number():
    assert pk([0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2]) == 0
    assert boundary_similarity([0, 0, 1, 1, 0, 0], [5, 5, 7, 7, 2, 2]) == 1


def test_no_more_sentences_than_the_window():
    assert segmentation_error([0, 1], [0, 0]) == {
        "pk": 0, "window_diff": 0, "boundary_similarity": 0,
    }  # fmt: skip
    assert segmentation_error([0], [0])["boundary_similarity"] == 1


@pytest.mark.parametrize("found", [[], [0, 1, 1]])
def test_segments_of_other_sentences_are_an_error(found):
    for measure in (pk, window_diff, boundary_similarity):
        with pytest.raises(ValueError, match="the same sentences, at least one, found"):
            measure(found, [] if not found else [0, 1])


def test_means():
    means = mean_segmentation_error([segmentation_error([0, 0, 1], [0, 0, 1])] * 2)
    assert means == {"pk": 0, "window_diff": 0, "boundary_similarity": 1}
    assert set(mean_segmentation_error([]).values()) == {None}
