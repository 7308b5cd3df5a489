import warnings

import numpy as np
import pytest
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score

from spacy_thematic.clustering import sampled
from spacy_thematic.clustering.sampled import iclust_of_sample
from spacy_thematic.clustering.vectors import cluster_sums, unit_rows


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(sampled, "SAMPLE", 20)


def test_finds_well_separated_clusters_from_a_sample(blobs, small_sample):
    rows, truth = blobs
    assert adjusted_rand_score(truth, iclust_of_sample(unit_rows(rows), 3, 0)) == 1.0


def test_objective_is_above_that_of_mini_batches():
    rows = unit_rows(np.random.default_rng(0).normal(size=(6000, 8)))
    scores = []
    for labels in (
        iclust_of_sample(rows, 6, 0),
        MiniBatchKMeans(6, n_init=3, random_state=0).fit_predict(rows),
    ):
        sums, sizes = cluster_sums(rows, labels)
        scores.append((np.einsum("ij,ij->i", sums, sums) / sizes).sum())
    assert scores[0] > scores[1]


@pytest.mark.parametrize("rows", [np.zeros((50, 4)), np.repeat(np.eye(4)[:1], 50, axis=0)])
def test_equal_rows_are_one_cluster_without_a_warning(small_sample, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert iclust_of_sample(rows.astype("f"), 3, 0).tolist() == [0] * 50
