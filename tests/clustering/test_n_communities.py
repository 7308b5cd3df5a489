import numpy as np
import pytest

from spacy_thematic.clustering.n_communities import choose_middle, choose_number, explain_scores


@pytest.mark.parametrize(
    "holds, chosen",
    [
        ({3: 0.4, 10: 0.8, 30: 0.5}, 10),  # One holds.
        ({3: 0.6, 6: 0.63, 15: 0.65, 30: 0.655, 60: 0.66}, 30),  # Several hold nearly as well.
        ({60: 0.65, 20: 0.63, 40: 0.66}, 40),
        ({10: 0.65, 20: 0.5, 40: 0.66}, 40),  # Two hold, the second better.
        ({10: 0.65, 40: 0.65}, 10),
        ({7: -0.1}, 7),
    ],
)
def test_of_numbers_that_hold_as_well_the_middle_is_chosen(holds, chosen):
    assert choose_middle(holds) == chosen


def test_the_place_of_the_number_and_of_the_coarser_level_are_told():
    numbers, holds = [2, 6, 6, 14, 200], np.array([1, 0.9, 0.9, 0.95, 1])
    found = choose_number(numbers, holds, 250, "auto")
    assert (found.k, found.place) == (14, 3) and found.coarser in (1, 2)
    assert found.scores.keys() == {6, 14}  # Two always hold, and 200 of 250 are too many.
    assert choose_number(numbers, holds, 250, 9).k == 6
    assert choose_number(numbers, holds, 250, 4) == (4, {}, None, None)


def test_it_is_said_how_the_number_was_chosen():
    assert "within 0.04 of the best" in explain_scores({3: 0.5, 4: 0.4})
    assert explain_scores({3: 0.5}).endswith("No other number could be tried.")
