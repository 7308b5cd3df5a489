from collections import Counter

import numpy as np
import pytest

from spacy_thematic.clustering.hierarchy import find_parents

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])
WORDS = [["bees", "wax"], ["ships"], ["wasps", "wax"]]


def test_near_clusters_have_one_parent():
    for words in (WORDS, [Counter(group) for group in WORDS]):
        parents = find_parents(CENTRES, words, 2)
        assert parents == ["wax, bees, wasps", "ships", "wax, bees, wasps"]


@pytest.mark.parametrize("n_broader", [0, 3, 9])
def test_no_parents_where_there_is_nothing_to_group(n_broader):
    assert find_parents(CENTRES, WORDS, n_broader) == [None] * 3


def test_nothing_has_no_parent():
    assert find_parents(np.zeros((0, 3)), [], 2) == []
