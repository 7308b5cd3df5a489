import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from spacy.util import registry

from spacy_thematic.clustering.agglomerative import agglomerative


@pytest.mark.parametrize("linkage", ["ward", "average", "complete"])
def test_finds_well_separated_clusters(blobs, linkage):
    rows, truth = blobs
    cluster = registry.misc.get("spacy-thematic.Agglomerative.v1")(linkage)
    assert adjusted_rand_score(truth, cluster(rows, 3, 0)) == 1.0


@pytest.mark.parametrize("linkage", ["ward", "average"])
@pytest.mark.parametrize(
    "rows, expected",
    [
        (np.zeros((0, 4)), []),
        (np.ones((1, 4)), [0]),
        (np.eye(2), [0, 1]),
        (np.full((3, 4), 0.1), [0, 0, 0]),
        ([[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 2, 3]),
    ],
)
def test_few_equal_and_zero_rows(linkage, rows, expected):
    assert agglomerative(rows, 9, linkage=linkage).tolist() == expected


def test_nan_is_an_error():
    with pytest.raises(ValueError, match="NaN"):
        agglomerative([[1, np.nan]], 1)
