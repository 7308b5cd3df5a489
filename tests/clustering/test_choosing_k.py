import numpy as np
import pytest
from sklearn.metrics import silhouette_score

from spacy_thematic.clustering.choosing_k import (
    create_silhouette,
    create_silhouette_with_prior,
    silhouette,
    usual_k,
)
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.clustering.vectors import unit_rows


def test_silhouette_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    rows = unit_rows(rng.normal(size=(40, 6)))
    labels = np.append(rng.integers(0, 4, 39), 4)
    expected = silhouette_score(rows, labels, metric="cosine")
    assert silhouette(rows, labels) == pytest.approx(expected, abs=1e-5)


def test_silhouette_of_one_cluster_is_zero():
    assert silhouette(np.eye(3), np.zeros(3, dtype=int)) == 0.0


def test_finds_the_number_of_blobs(blobs):
    assert create_silhouette()(blobs[0], kmeans, 10, 0) == 3


def test_prior_decides_where_the_rows_say_little():
    rows = np.random.default_rng(2).normal(size=(64, 50))
    assert create_silhouette()(rows, kmeans, 12, 0) not in (8, 9)
    assert create_silhouette_with_prior(weight=1.0)(rows, kmeans, 12, 0) in (8, 9)


def test_maximum_is_kept():
    rows = np.eye(30)
    assert create_silhouette_with_prior()(rows, kmeans, 4, 0) <= 4


@pytest.mark.parametrize("n, expected", [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_few_rows(n, expected):
    assert create_silhouette_with_prior()(np.eye(3)[:n].reshape(n, 3), kmeans, 12, 0) == expected


def test_equal_rows_are_one_theme():
    assert create_silhouette_with_prior()(np.ones((9, 3)), kmeans, 12, 0) == 1


def test_usual_k_stays_within_three_and_twelve():
    assert [usual_k(n) for n in (1, 100_000)] == [3, 12]
    assert usual_k(64) == pytest.approx(8.48)
