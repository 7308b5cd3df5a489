import numpy as np
import pytest

from spacy_thematic.clustering.vectors import SentenceVectors, order_score


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
