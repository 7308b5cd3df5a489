import numpy as np
import pytest

from spacy_thematic.clustering.hierarchy import find_broader

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])


def test_near_clusters_have_one_parent():
    assert find_broader(CENTRES, 2).tolist() == [0, 1, 0]


@pytest.mark.parametrize("n_broader", [0, 3, 9])
def test_no_parents_where_there_is_nothing_to_group(n_broader):
    assert find_broader(CENTRES, n_broader) is None
    assert find_broader(CENTRES[:0], n_broader) is None
