import numpy as np
import pytest
from spacy.util import registry

from spacy_thematic.clustering.iclust import create_neighbour_iclust, iclust, position_features


def count_changes(labels):
    return int((np.diff(labels) != 0).sum())


def test_positions_have_the_documented_similarity():
    rows = position_features(6, 3)
    distances = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    np.testing.assert_allclose(rows @ rows.T, np.maximum(0, 1 - distances / 3), atol=1e-6)


def test_long_texts_are_counted_in_runs():
    rows = position_features(10, 2, most=5)
    assert rows.shape == (10, 6)
    np.testing.assert_allclose(rows[4] @ rows.T, [0, 0, 0.5, 0.5, 1, 1, 0.5, 0.5, 0, 0], atol=1e-6)


def test_weight_zero_is_iclust(blobs):
    assert create_neighbour_iclust(0)(blobs[0], 4).tolist() == iclust(blobs[0], 4).tolist()


def test_the_more_weight_the_longer_the_runs():
    rows = np.random.default_rng(0).normal(size=(60, 20))
    changes = [count_changes(create_neighbour_iclust(w)(rows, 4)) for w in (0, 1, 10)]
    assert changes[0] > changes[1] > changes[2]


def test_strong_themes_beat_a_weak_preference(blobs):
    rows, truth = blobs
    assert count_changes(create_neighbour_iclust(0.01)(rows, 3)) == count_changes(truth)


@pytest.mark.parametrize("n, expected", [(0, []), (1, [0]), (2, [0, 1])])
def test_few_rows(n, expected):
    assert create_neighbour_iclust()(np.eye(2)[:n].reshape(n, 2), 5).tolist() == expected


@pytest.mark.parametrize("options", [{"weight": -1}, {"window": 0}])
def test_settings_are_checked(options):
    with pytest.raises(ValueError, match="at least"):
        registry.misc.get("spacy-thematic.NeighbourIclust.v1")(**options)(np.eye(3), 2, 0)
