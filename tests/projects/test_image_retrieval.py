import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from bigan_experiments.retrieval import (
    find_nearest,
    mean_average_precision,
    neighbour_accuracy,
)


def test_nearest_neighbours_weigh_by_their_distance():
    labelled, labels = np.array([[0.0], [3.0], [4.0]]), np.array([1, 0, 0])
    queries = np.array([[0.5], [2.9]])
    assert neighbour_accuracy(labelled, labels, queries, np.array([1, 0])) == 1
    assert neighbour_accuracy(labelled, labels, queries, np.array([0, 0])) == 0.5


def test_average_precision_by_hand_and_as_scikit_learn_has_it():
    labelled, labels = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    value = mean_average_precision(labelled, labels, np.zeros((1, 1)), np.array([0]))
    assert value == pytest.approx((1 + 2 / 3) / 2)
    rng = np.random.default_rng(0)
    labelled, queries = rng.standard_normal((40, 3)), rng.standard_normal((7, 3))
    labels, wanted = rng.integers(3, size=40), rng.integers(3, size=7)
    expected = np.mean(
        [
            average_precision_score(labels == name, -np.linalg.norm(labelled - query, axis=1))
            for query, name in zip(queries, wanted)
        ]
    )
    assert mean_average_precision(labelled, labels, queries, wanted) == pytest.approx(expected)


def test_a_class_without_labelled_items_counts_as_missed():
    assert mean_average_precision(np.ones((2, 1)), np.zeros(2), np.ones((1, 1)), np.ones(1)) == 0


def test_nearest_items_come_first():
    items = np.array([[0.0, 0.0], [5.0, 0.0], [1.0, 1.0]])
    queries = np.array([[0.9, 0.9], [4.0, 0.0]])
    assert find_nearest(items, queries).tolist() == [[2, 0, 1], [1, 2, 0]]
