import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from spacy_thematic.clustering.communities import (
    cluster_communities,
    find_communities,
    find_equal,
)
from spacy_thematic.rows import unit_rows


def make_rows(n_groups, size, seed=0, noise=0.1):
    """Rows around as many directions, and the direction of each."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(n_groups), size)
    rows = np.eye(n_groups, n_groups + 8)[truth] + noise * rng.normal(size=(len(truth), 1))
    rows = rows + noise * rng.normal(size=(len(truth), n_groups + 8))
    return unit_rows(rows), truth


@pytest.mark.parametrize("n_groups", [4, 24])
def test_the_number_of_groups_is_found(n_groups):
    rows, truth = make_rows(n_groups, 20)
    found = find_communities(rows)
    assert found.k == n_groups
    assert adjusted_rand_score(truth, found.labels) > 0.95
    assert max(found.scores, key=found.scores.get) == n_groups


@pytest.mark.parametrize("k", [1, 2, 5, 6, 9, 40])
def test_k_is_the_number_of_clusters(k):
    rows, truth = make_rows(6, 12)
    labels = find_communities(rows, k).labels
    assert labels.max() + 1 == k
    if k <= 6:  # Whole groups are merged.
        assert all(len(set(labels[truth == group].tolist())) == 1 for group in range(6))


def test_max_k_is_the_most_that_is_found():
    rows, _ = make_rows(6, 12)
    assert find_communities(rows, max_k=4).k <= 4
    assert find_communities(rows, max_k=6).k == 6


def test_equal_rows_count_once():
    rows, _ = make_rows(5, 12)
    once = find_communities(rows)
    often = np.concatenate([rows, rows, np.repeat(rows[:1], 200, axis=0)])
    found = find_communities(often)
    assert found.scores == once.scores
    assert found.labels[: len(rows)].tolist() == once.labels.tolist()
    assert found.labels[len(rows) : 2 * len(rows)].tolist() == once.labels.tolist()
    assert set(found.labels[2 * len(rows) :].tolist()) == {once.labels[0]}


def test_nearly_equal_rows_are_one():
    rows = unit_rows(np.array([[1, 0, 0], [0, 1, 0], [1, 0.05, 0], [0, 1, 0.5]]), centre=False)
    assert find_equal(rows).tolist() == [0, 1, 0, 3]


def test_the_order_of_the_rows_does_not_matter():
    rows, _ = make_rows(9, 12, noise=0.3)
    order = np.random.default_rng(1).permutation(len(rows))
    one, other = find_communities(rows, seed=3), find_communities(rows[order], seed=3)
    assert adjusted_rand_score(one.labels[order], other.labels) == 1
    assert one.scores == other.scores


def test_the_same_seed_gives_the_same():
    rows, _ = make_rows(9, 12, noise=0.3)
    one, other = find_communities(rows, seed=5), find_communities(rows, seed=5)
    assert one.labels.tolist() == other.labels.tolist() and one.scores == other.scores


def test_rows_join_their_neighbours_in_the_sample():
    rows, truth = make_rows(6, 20)
    found = find_communities(rows[::2])
    assert adjusted_rand_score(truth, found.label(rows)) == 1
    assert found.label(rows[::2]).tolist() == found.labels.tolist()
    assert found.label(np.zeros((2, rows.shape[1]), "f")).tolist() == [0, 0]


def test_a_sample_of_many_rows_is_clustered(monkeypatch):
    monkeypatch.setattr("spacy_thematic.clustering.diffusion.SAMPLE", 40)
    rows, truth = make_rows(4, 40)
    assert adjusted_rand_score(truth, cluster_communities(rows, 4)) == 1


def test_rows_of_zeros_join_the_first_cluster():
    rows, _ = make_rows(4, 10)
    rows[[3, 25]] = 0
    found = find_communities(rows)
    assert found.k == 4 and found.labels[[3, 25]].tolist() == [0, 0]
    assert find_communities(np.zeros((5, 4), "f")).labels.tolist() == [0] * 5
    assert find_communities(np.zeros((0, 4), "f")).k == 0


def test_a_coarser_level_is_above():
    """Each of 20 groups is like the one before and the one after: they may be parted anywhere."""
    groups = np.repeat(np.arange(20), 8)
    rows = np.eye(20, 24)[groups] + 0.4 * np.eye(20, 24)[(groups + 1) % 20]
    rows = unit_rows(rows + 0.05 * np.random.default_rng(0).normal(size=rows.shape))
    found = find_communities(rows)
    assert found.k >= 18
    n_broader = len(set(found.broader.tolist()))
    assert n_broader in found.scores and n_broader <= found.k / 2
    assert find_communities(rows, 20).broader is None
