import numpy as np
import pytest

from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.segmentation.kernel_change_points import create_kernel_change_points
from spacy_thematic.segmentation.units import find_runs, mean_vectors, order_score


def test_order_scores_of_random_order_are_standard_normal():
    rng = np.random.default_rng(0)
    themes = np.repeat(np.eye(8, 32), 10, axis=0) + rng.normal(0, 0.2, (80, 32))
    scores = [order_score(SentenceVectors(themes[rng.permutation(80)]).centred) for _ in range(300)]
    assert abs(np.mean(scores)) < 0.2 and 0.6 < np.std(scores) < 1.2
    assert order_score(SentenceVectors(themes).centred) > 10


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_or_equal_sentences_are_in_no_order(n):
    assert order_score(np.zeros((n, 4), "f")) == 0
    assert order_score(np.ones((n, 4), "f")) == 0


def test_runs_of_a_text_in_order_and_of_the_same_sentences_shuffled(blocks):
    segment, weights = create_kernel_change_points(), np.ones(40)
    runs = find_runs(SentenceVectors(blocks), weights, segment, 4)
    assert runs.tolist() == np.repeat(range(4), 10).tolist()
    shuffled = blocks[np.random.default_rng(1).permutation(40)]
    assert find_runs(SentenceVectors(shuffled), weights, segment, 4).tolist() == list(range(40))


def test_mean_vectors():
    vectors = SentenceVectors(np.array([[2, 0], [0, 4], [6, 6]]))
    assert mean_vectors(vectors, np.array([0, 0, 1])).raw.tolist() == [[1, 2], [6, 6]]
    assert mean_vectors(vectors, np.arange(3)).raw.tolist() == vectors.raw.tolist()
    assert len(mean_vectors(SentenceVectors(np.zeros((0, 2))), np.zeros(0, int)).raw) == 0
