import numpy as np
import pytest
from sklearn.metrics import silhouette_score

from spacy_thematic.clustering.communities import choose_by_communities, cluster_communities
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.clustering.n_clusters import (
    KChoice,
    SilhouetteWithPrior,
    find_most,
    silhouette,
    usual_k,
)
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.unordered_text import cluster_unordered
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.rows import unit_rows


def test_silhouette_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    rows = unit_rows(rng.normal(size=(40, 6)))
    labels = np.append(rng.integers(0, 4, 39), 4)
    expected = silhouette_score(rows, labels, metric="cosine")
    assert silhouette(rows, labels) == pytest.approx(expected, abs=1e-5)


def test_silhouette_of_one_cluster_is_zero():
    assert silhouette(np.eye(3), np.zeros(3, dtype=int)) == 0.0


def test_finds_the_number_of_blobs(blobs):
    assert SilhouetteWithPrior(weight=0)(blobs[0], kmeans, 10, 0).k == 3


def test_prior_decides_where_the_rows_say_little():
    rows = np.random.default_rng(2).normal(size=(64, 50))
    assert SilhouetteWithPrior(weight=0)(rows, kmeans, 12, 0).k not in (6, 7, 8)
    assert SilhouetteWithPrior(weight=1.0)(rows, kmeans, 12, 0).k in (6, 7, 8)


def test_the_number_of_a_list_is_the_one_that_holds(blobs):
    chooser = SilhouetteWithPrior()
    found = chooser.choose_in_list(blobs[0], cluster_communities, 16, 0)
    assert found == choose_by_communities(blobs[0], cluster_communities, 16, 0) and found.k == 3
    assert [find_most("auto", n, True) for n in (9, 400)] == [12, 20]
    assert find_most(5, 400, True) == 5


def test_maximum_is_kept():
    rows = np.eye(30)
    assert SilhouetteWithPrior()(rows, kmeans, 4, 0).k <= 4


@pytest.mark.parametrize("n, expected", [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_few_rows(n, expected):
    assert SilhouetteWithPrior()(np.eye(3)[:n].reshape(n, 3), kmeans, 12, 0).k == expected


def test_the_number_of_clusters_of_many_rows_is_chosen_from_some():
    sizes = []

    def choose(rows, algorithm, most, seed):
        sizes.append(len(rows))
        return KChoice(2, {})

    def cluster(rows, k, seed):
        return np.arange(len(rows)) % k

    rows = np.random.default_rng(0).normal(size=(4_100, 3)).astype("f")
    args = SentenceVectors(rows), cluster, choose, ThemeSettings(), None, None, False, None
    assert len(cluster_unordered(*args).labels) == 4_100 and sizes == [1_367]


def test_equal_rows_are_one_theme():
    assert SilhouetteWithPrior()(np.ones((9, 3)), kmeans, 12, 0).k == 1


def test_usual_k_grows_with_the_text():
    assert [round(usual_k(n)) for n in (1, 1_000, 100_000)] == [3, 13, 33]
    assert usual_k(25) == pytest.approx(5.3)
    assert usual_k(100) == pytest.approx(3.3 * 100**0.2)


def test_the_score_of_each_number_that_was_tried_is_kept(blobs):
    k, scores = SilhouetteWithPrior(weight=0)(blobs[0], kmeans, 5, 0)
    assert list(scores) == [2, 3, 4, 5]
    assert k == max(scores, key=scores.get)
    rows = unit_rows(blobs[0])
    assert scores[4] == pytest.approx(silhouette(rows, kmeans(blobs[0], 4, 0)))


def test_the_most_themes_grow_with_the_text():
    assert [find_most("auto", n) for n in (0, 900, 10_000, 100_000)] == [12, 12, 20, 33]
    assert find_most(7, 100_000) == 7
