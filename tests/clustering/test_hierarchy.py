from collections import Counter

import numpy as np
import pytest

from spacy_thematic.clustering.headings import Heading, choose_none
from spacy_thematic.clustering.hierarchy import find_parents

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])
TERMS = [["bees", "wax"], ["ships"], ["wasps", "wax"]]


def test_near_clusters_have_one_parent():
    for terms in (TERMS, [Counter(group) for group in TERMS]):
        parents = find_parents(CENTRES, terms, 2, choose_none)
        assert parents == ["wax, bees, wasps", "ships", "wax, bees, wasps"]


def test_parents_have_headings_and_no_name_of_a_theme():
    def choose(groups, taken):
        assert taken == ["ships"]
        return [Heading("Insects", 0.5) if group == groups[0] else None for group in range(2)]

    parents = find_parents(CENTRES, TERMS, 2, choose, taken=["ships"])
    assert parents == ["Insects", "ships (2)", "Insects"]


@pytest.mark.parametrize("n_broader", [0, 3, 9])
def test_no_parents_where_there_is_nothing_to_group(n_broader):
    assert find_parents(CENTRES, TERMS, n_broader, choose_none) == [None] * 3


def test_nothing_has_no_parent():
    assert find_parents(np.zeros((0, 3)), [], 2, choose_none) == []
