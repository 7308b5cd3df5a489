import numpy as np
import pytest

from spacy_thematic.clustering.hierarchy import group_clusters

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])


def test_near_clusters_are_together():
    labels = np.array([0, 1, 2, 0, 2])
    groups = group_clusters(CENTRES[labels], labels, 2)
    assert groups[0] == groups[2] != groups[1]


@pytest.mark.parametrize("n_broader", [0, 3, 9])
def test_no_groups_where_there_is_nothing_to_group(n_broader):
    assert group_clusters(CENTRES, np.arange(3), n_broader) is None


def test_nothing_has_no_group():
    assert group_clusters(np.zeros((0, 3)), np.zeros(0, dtype=int), 2) is None
