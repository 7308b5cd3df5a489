import pickle
import warnings
from itertools import product

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from spacy.util import registry

from spacy_thematic.clustering.iclust import (
    create_iclust,
    fill_empty,
    iclust,
    kmeans_plusplus,
    local_search,
    maximise_objective,
)
from spacy_thematic.rows import unit_rows


def objective(rows, labels):
    """J from its definition: the similarities within each cluster over its size."""
    similarities = rows.astype(float) @ rows.T.astype(float)
    return sum(
        similarities[np.ix_(labels == c, labels == c)].sum() / (labels == c).sum()
        for c in np.unique(labels)
    )


@pytest.fixture
def noise():
    return unit_rows(np.random.default_rng(3).normal(size=(80, 12)))


@pytest.mark.parametrize("options", [{}, {"centre": False}, {"n_init": 1}])
def test_finds_well_separated_clusters(blobs, options):
    rows, truth = blobs
    assert adjusted_rand_score(truth, iclust(rows, 3, **options)) == 1.0


def test_finds_the_best_of_all_clusterings_of_few_rows():
    rows = unit_rows(np.random.default_rng(0).normal(size=(8, 3)))
    best = max(
        objective(rows, np.array(labels))
        for labels in product(range(3), repeat=8)
        if len(set(labels)) == 3
    )
    assert objective(rows, iclust(rows, 3, centre=False)) == pytest.approx(best, abs=1e-5)


def test_no_single_move_raises_the_objective(noise):
    start = np.random.default_rng(0).integers(0, 6, (4, len(noise)))
    labels, scores = local_search(noise, start, 6)
    for solution, score in zip(labels, scores):
        assert score == pytest.approx(objective(noise, solution), abs=1e-4)
        for row in range(len(noise)):
            for cluster in range(6):
                moved = solution.copy()
                moved[row] = cluster
                if len(set(moved)) == 6:
                    assert objective(noise, moved) < score + 1e-3


def test_improving_starts_together_or_alone_is_the_same(noise):
    start = np.random.default_rng(0).integers(0, 5, (3, len(noise)))
    together, _ = local_search(noise, start, 5)
    alone = [local_search(noise, start[i : i + 1], 5)[0][0] for i in range(3)]
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("seed", range(5))
def test_objective_is_at_least_that_of_k_means(seed):
    rows = unit_rows(np.random.default_rng(seed).normal(size=(150, 20)))
    model = KMeans(8, n_init=10, random_state=seed).fit(rows)
    ours = objective(rows, iclust(rows, 8, seed, centre=False))
    assert len(rows) - model.inertia_ == pytest.approx(objective(rows, model.labels_), abs=1e-3)
    assert ours >= objective(rows, model.labels_)


def test_every_cluster_is_used(noise):
    assert len(set(iclust(noise, 40))) == 40


def test_rows_wider_than_many_are_the_same_as_narrow(blobs):
    rows = blobs[0][:15]
    wide = np.hstack([rows, np.zeros((15, 200), dtype=np.float32)])
    assert iclust(wide, 3).tolist() == iclust(rows, 3).tolist()


@pytest.mark.parametrize(
    "rows, expected",
    [
        (np.zeros((0, 4)), []),
        (np.ones((1, 4)), [0]),
        (np.eye(2), [0, 1]),
        (np.eye(4), [0, 1, 2, 3]),
        (np.full((3, 4), 0.1), [0, 0, 0]),
        (np.zeros((3, 4)), [0, 0, 0]),
        ([[1, 0], [1, 0], [0, 1]], [0, 0, 1]),
        ([[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 2, 3]),
    ],
)
def test_few_or_equal_rows_give_few_clusters_without_a_warning(rows, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert iclust(rows, 9).tolist() == expected


def test_nan_is_an_error(blobs):
    rows = blobs[0].copy()
    rows[3] = np.nan
    with pytest.raises(ValueError, match="row 3"):
        iclust(rows, 3)


def test_no_restart_is_an_error(blobs):
    with pytest.raises(ValueError, match="n_init"):
        iclust(blobs[0], 3, n_init=0)


def test_every_run_gives_the_same_labels(noise):
    first, *others = (iclust(noise, 7, 1).tolist() for _ in range(5))
    assert all(labels == first for labels in others)


def test_is_registered_and_picklable(blobs):
    algorithm = registry.misc.get("spacy-thematic.Iclust.v1")(n_init=2)
    assert algorithm.keywords == create_iclust(n_init=2).keywords
    again = pickle.loads(pickle.dumps(algorithm))
    assert again(blobs[0], 3, 0).tolist() == algorithm(blobs[0], 3, 0).tolist()


def test_empty_clusters_are_filled_from_the_largest():
    assert fill_empty(np.array([0, 0, 0, 2]), 4).tolist() == [1, 3, 0, 2]


@pytest.mark.filterwarnings("error")
def test_no_start_has_an_empty_cluster_where_rows_differ_in_the_last_bit():
    rows = np.repeat(np.eye(3, dtype="f"), 4, axis=0)
    rows[::2] = np.nextafter(rows[::2], np.float32(2))
    starts = kmeans_plusplus(rows, 6, 10, np.random.default_rng(0))
    assert all(set(start) == set(range(6)) for start in starts.tolist())
    assert len(set(maximise_objective(rows, 6, 0))) == 6
