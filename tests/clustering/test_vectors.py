import numpy as np
import pytest

from spacy_thematic.rows import possible_k, renumber, unit_rows


def test_rows_have_length_one_and_zero_rows_stay_zero():
    rows = unit_rows([[3, 4], [0, 0], [0, 2]], centre=False)
    assert rows.tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 0], [0, 1]]


def test_zero_rows_do_not_move_the_centre():
    with_zeros = unit_rows([[1, 0], [0, 1], [0, 0]])
    np.testing.assert_allclose(
        with_zeros, [[0.5**0.5, -(0.5**0.5)], [-(0.5**0.5), 0.5**0.5], [0, 0]], rtol=1e-6
    )


def test_centring_equal_rows_leaves_nothing_but_zeros():
    assert not unit_rows(np.full((7, 3), 0.1)).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_first_broken_row_is_named(bad):
    rows = np.ones((4, 3))
    rows[2, 1] = bad
    with pytest.raises(ValueError, match=r"1 of 4 .* row 2"):
        unit_rows(rows)


def test_a_flat_array_is_refused():
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        unit_rows([1, 2, 3])


def test_k_is_at_most_the_number_of_distinct_rows():
    rows = np.array([[1, 0], [1, 0], [0, 1]])
    assert [possible_k(rows, k) for k in (1, 2, 9)] == [1, 2, 2]
    assert possible_k(np.zeros((0, 2)), 4) == 0
    with pytest.raises(ValueError, match="at least 1, found 0"):
        possible_k(rows, 0)


def test_clusters_are_numbered_by_first_appearance():
    assert renumber([7, 7, 2, 9, 2]).tolist() == [0, 0, 1, 2, 1]
