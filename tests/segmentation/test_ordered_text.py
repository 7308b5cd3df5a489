from itertools import product

import numpy as np
import pytest

from spacy_thematic.clustering.iclust import create_neighbour_iclust
from spacy_thematic.clustering.vectors import SentenceVectors, order_score
from spacy_thematic.rows import mean_rows
from spacy_thematic.segmentation import ordered_text
from spacy_thematic.segmentation.ordered_text import OrderedText, is_in_order
from spacy_thematic.segmentation.passage import Passage


def cluster(rows, k, segments=None):
    return OrderedText(Passage(rows), k, segments).cluster(create_neighbour_iclust(), k)


def test_a_text_is_in_order_and_the_same_sentences_shuffled_are_not(blocks):
    assert is_in_order(SentenceVectors(blocks))
    shuffled = blocks[np.random.default_rng(1).permutation(40)]
    assert not is_in_order(SentenceVectors(shuffled))
    # Of six sentences nearly all are neighbours.
    few = SentenceVectors(shuffled[:6])
    assert order_score(few.centred) > -1 and not is_in_order(few, has_paragraphs=True)


def test_in_a_text_with_paragraphs_less_has_to_be_seen(blocks):
    rng = np.random.default_rng(0)
    shuffled = [SentenceVectors(blocks[rng.permutation(40)]) for _ in range(50)]
    scores = [order_score(vectors.centred) for vectors in shuffled]
    assert min(scores) < -1 and max(scores) < 2
    assert not any(map(is_in_order, shuffled))
    found = [is_in_order(vectors, has_paragraphs=True) for vectors in shuffled]
    assert found == [score > -1 for score in scores]


@pytest.mark.parametrize("n_given", [None, 2, 5])
def test_themes_are_runs_where_none_comes_back(blocks, n_given):
    """Segments may be fewer than themes, or more."""
    segments = None if n_given is None else np.arange(40) * n_given // 40
    expected = np.repeat(range(4), 10) if n_given is None else None
    found = cluster(blocks, 4, segments)
    if expected is not None:
        assert found.tolist() == expected.tolist()
    else:
        assert len(set(found)) == min(4, n_given)
        assert all(len(set(found[segments == number])) == 1 for number in range(n_given))


def test_a_theme_that_comes_back_is_one(blocks):
    order = np.r_[0:5, 10:20, 5:10, 20:40]
    assert cluster(blocks[order], 4).tolist() == [0] * 5 + [1] * 10 + [0] * 5 + [2] * 10 + [3] * 10


def test_runs_are_those_of_the_best_segmentations(blocks):
    text = OrderedText(Passage(blocks), 6)
    assert text.cluster_into_runs(blocks, 4).tolist() == np.repeat(range(4), 10).tolist()
    for k in range(1, 7):
        assert text.cluster_into_runs(blocks, k).max() + 1 == k
    halves = OrderedText(Passage(blocks), 6, np.arange(40) // 20)
    assert halves.cluster_into_runs(blocks, 6).tolist() == np.repeat(range(2), 20).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_the_path_costs_least_of_all(seed):
    rng = np.random.default_rng(seed)
    rows, switches = rng.normal(size=(12, 3)), rng.normal(0.5, 1, 5)
    parts = ordered_text._Parts.make(rows, np.array([0, 2, 3, 7, 9, 11]), switches)
    sums, counts = rng.normal(size=(3, 3)), np.array([2.0, 3.0, 1.0])
    means = sums / counts[:, None]

    def cost(labels):
        scatter = np.square(rows - means[np.repeat(labels, parts.counts)]).sum()
        return scatter + switches[np.diff(labels) != 0].sum()

    best = min(map(np.array, product(range(3), repeat=6)), key=cost)
    assert parts._find_path(sums, counts).tolist() == best.tolist()


def test_improving_never_costs_more():
    rng = np.random.default_rng(4)
    parts = ordered_text._Parts.make(
        rng.normal(size=(200, 5)), np.arange(0, 200, 4), np.full(49, 0.5)
    )
    labels = rng.integers(0, 6, 50)
    assert parts.cost(parts.improve(labels)) < parts.cost(labels)


def test_of_the_themes_of_a_text_that_is_all_alike_two_thirds_stay():
    rows = np.random.default_rng(4).normal(0, 0.1, (60, 5)) + 1
    starts = np.arange(0, 60, 10)
    dear, cheap = (ordered_text._Parts.make(rows, starts, np.full(5, cost)) for cost in (9.0, -9.0))
    labels = np.arange(6)
    path = dear._find_path(*dear._add_up(labels))
    assert dear.cost(path) < dear.cost(labels) and len(set(path)) == 1
    assert dear.improve(labels).tolist() == labels.tolist()
    assert len(set(cheap.improve(labels))) > 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_sentences(n):
    assert len(cluster(np.eye(n, 4), 5)) == n
    assert set(cluster(np.ones((n, 4)), 1)) == {0}


def test_mean_rows():
    vectors = np.array([[2, 0], [0, 4], [6, 6]])
    assert mean_rows(vectors, np.array([0, 0, 1])).tolist() == [[1, 2], [6, 6]]
    assert mean_rows(vectors, np.arange(3)).tolist() == vectors.tolist()
