import pickle
import warnings

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from spacy.util import registry

from spacy_thematic.clustering.kmeans import create_kmeans, kmeans


@pytest.mark.parametrize("centre", [True, False])
def test_finds_well_separated_clusters(blobs, centre):
    rows, truth = blobs
    assert adjusted_rand_score(truth, kmeans(rows, 3, centre=centre)) == 1.0


def test_same_seed_same_labels(blobs):
    rows, _ = blobs
    runs = [kmeans(rows, 7, seed=5, n_init=1).tolist() for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


def test_labels_are_numbered_in_the_order_of_the_text(blobs):
    labels = kmeans(blobs[0], 5)
    first_seen = list(dict.fromkeys(labels.tolist()))
    assert first_seen == [0, 1, 2, 3, 4]


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
    ],
)
def test_few_or_equal_rows_give_few_clusters_without_a_warning(rows, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kmeans(rows, 9).tolist() == expected


def test_nan_is_an_error(blobs):
    rows = blobs[0].copy()
    rows[3] = np.nan
    with pytest.raises(ValueError, match="row 3"):
        kmeans(rows, 3)


def test_is_registered_and_picklable(blobs):
    algorithm = registry.get("misc", "spacy-thematic.KMeans.v1")(n_init=2)
    assert algorithm.keywords == create_kmeans(n_init=2).keywords
    again = pickle.loads(pickle.dumps(algorithm))
    assert again(blobs[0], 3, 0).tolist() == algorithm(blobs[0], 3, 0).tolist()
