"""The clustering algorithms that only the tables need."""

from itertools import product

import numpy as np
import pytest

from baselines import iclust_of_similarities, kmeans_of_cosines, kmedians
from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.rows import unit_rows


def absolute_error(rows, labels):
    """The sum of the L1 distances of rows to the medians of their clusters."""
    groups = [rows[np.asarray(labels) == label] for label in set(labels)]
    return sum(np.abs(group - np.median(group, axis=0)).sum() for group in groups)


def information(similarities, labels):
    """J of Iclust, from its definition."""
    total = 0.0
    for label in set(labels):
        members = np.flatnonzero(np.asarray(labels) == label)
        total += similarities[np.ix_(members, members)].sum() / len(members)
    return total


def test_kmedians_finds_the_least_absolute_error():
    rows = np.random.default_rng(0).normal(size=(8, 3)).astype("f")
    least = min(absolute_error(rows, labels) for labels in product(range(3), repeat=8))
    found = kmedians(rows, 3).tolist()
    assert absolute_error(rows, found) == pytest.approx(least)
    assert found[0] == 0
    assert kmedians(rows, 3).tolist() == found


def test_kmedians_is_not_drawn_by_an_outlier():
    """Its centre stays with the many; a mean would be drawn to the one."""
    rows = np.array([[0], [1], [2], [90], [10], [11], [12], [13], [14]], "f")
    assert kmedians(rows, 2).tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert kmedians(rows[[0, 1, 2, 4, 5, 6, 7, 8]], 2).tolist() == [0] * 3 + [1] * 5


def test_kmedians_of_few_or_equal_rows():
    assert kmedians(np.zeros((0, 3)), 2).tolist() == []
    assert kmedians(np.ones((4, 3)), 2).tolist() == [0] * 4
    assert kmedians(np.array([[0.0], [1], [0]]), 3).tolist() == [0, 1, 0]


def test_iclust_of_cosines_is_iclust():
    rng = np.random.default_rng(1)
    vectors = (rng.normal(size=(40, 6)) + 2 * rng.normal(size=(4, 6))[np.arange(40) % 4]).astype(
        "f"
    )
    rows = unit_rows(vectors, centre=False)
    found = iclust_of_similarities(rows @ rows.T, 4)
    assert found.tolist() == iclust(vectors, 4, centre=False).tolist()


def test_iclust_of_similarities_that_are_no_inner_products():
    values = np.random.default_rng(2).normal(size=(8, 8))
    similarities = values + values.T
    assert np.linalg.eigvalsh(similarities)[0] < -1
    splits = [labels for labels in product(range(3), repeat=8) if len(set(labels)) == 3]
    most = max(information(similarities, labels) for labels in splits)
    found = iclust_of_similarities(similarities, 3).tolist()
    assert information(similarities, found) == pytest.approx(most)


@pytest.mark.filterwarnings("error")
def test_iclust_of_equal_or_few_similarities():
    assert len(set(iclust_of_similarities(np.full((6, 6), 3.0), 3).tolist())) == 3
    assert iclust_of_similarities(np.full((1, 1), 4.0), 3).tolist() == [0]
    assert iclust_of_similarities(np.zeros((0, 0)), 1).tolist() == []


def test_kmeans_of_cosines_does_not_look_at_lengths():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(12, 5)) + 4 * np.eye(5)[np.arange(12) % 3]
    found = kmeans_of_cosines(vectors, 3)
    assert found.tolist() == [0, 1, 2] * 4
    assert kmeans_of_cosines(vectors * rng.uniform(0.1, 9, (12, 1)), 3).tolist() == found.tolist()
