"""Few, equal, empty and broken rows, for every registered algorithm and way of choosing k."""

import warnings

import numpy as np
import pytest
from spacy.util import registry

from spacy_thematic.clustering.communities import cluster_communities
from spacy_thematic.clustering.hierarchy import merge_nearest
from spacy_thematic.clustering.n_clusters import SilhouetteWithPrior

ALGORITHMS = {
    name: registry.get("misc", f"spacy-thematic.{name}.v1")()
    for name in ("Iclust", "KMeans", "DiffusionIclust", "NeighbourIclust")
}
ALGORITHMS["Ward's method"] = lambda rows, k, seed: merge_nearest(rows, k)
ALGORITHMS["communities"] = cluster_communities
CASES = {
    "no row": (np.zeros((0, 4)), []),
    "one row": (np.ones((1, 4)), [0]),
    "one row of zeros": (np.zeros((1, 4)), [0]),
    "two rows": (np.eye(4)[:2], [0, 1]),
    "two equal rows": (np.ones((2, 4)), [0, 0]),
    "equal rows": (np.full((6, 4), 0.1), [0] * 6),
    "rows of zeros": (np.zeros((6, 4)), [0] * 6),
    "fewer rows than k": (np.eye(4), [0, 1, 2, 3]),
    "a row of zeros among others": (np.eye(4)[[0, 1, 2]] * [1, 0, 1, 1], [0, 1, 2]),
}


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels(algorithm, case):
    rows, expected = CASES[case]
    if algorithm == "communities" and case == "a row of zeros among others":
        expected = [0, 0, 1]  # It has no neighbours, and joins the first cluster.
    labels = ALGORITHMS[algorithm](rows.astype("f"), 9, 0)
    assert labels.dtype == np.int64
    assert labels.tolist() == expected


@pytest.mark.parametrize("case", CASES)
def test_chosen_k_is_possible(case):
    rows, _ = CASES[case]
    choice = SilhouetteWithPrior()(rows.astype("f"), ALGORITHMS["DiffusionIclust"], 12, 0)
    assert min(len(rows), 1) <= choice.k <= len(rows)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("function", [*ALGORITHMS, "a chooser"])
def test_broken_rows_are_named(function, bad):
    rows = np.random.default_rng(0).normal(size=(20, 4)).astype("f")
    rows[7, 1] = bad
    with pytest.raises(ValueError, match="the first is row 7"):
        if function in ALGORITHMS:
            ALGORITHMS[function](rows, 3, 0)
        else:
            SilhouetteWithPrior()(rows, ALGORITHMS["Iclust"], 12, 0)
