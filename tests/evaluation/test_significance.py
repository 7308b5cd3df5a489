import numpy as np
import pytest

from spacy_thematic.evaluation.significance import draw, estimate_ratio, estimate_statistic
from spacy_thematic.papers.relatedness import correlate


def test_the_interval_of_a_mean_is_that_of_the_normal_approximation():
    values = np.random.default_rng(1).normal(2, 3, 400)
    found = estimate_ratio([values])
    assert found.value == pytest.approx(values.mean())
    low, high = found.interval
    half = 1.96 * values.std(ddof=1) / 20
    assert low == pytest.approx(values.mean() - half, abs=0.05)
    assert high == pytest.approx(values.mean() + half, abs=0.05)


def test_a_ratio_weighs_articles_by_their_triplets():
    found = estimate_ratio([[1, 30]], [2, 40])
    assert found.value == pytest.approx(31 / 42)
    assert set(np.round(found.resampled[0], 6)) == {0.5, 0.75, round(31 / 42, 6)}


def test_one_article_has_no_interval():
    first, second = estimate_ratio([[3]], [4]), estimate_ratio([[1]], [4])
    assert str(first) == "0.750"
    assert (first - second).as_difference() == "+0.500"


def test_differences_are_paired():
    rng = np.random.default_rng(2)
    hard = rng.normal(0, 5, 300)
    first, second = estimate_ratio([hard + 0.1]), estimate_ratio([hard])
    assert first.interval[0] < second.interval[1]
    low, high = (first - second).interval
    assert low == pytest.approx(0.1) == pytest.approx(high)
    unpaired = estimate_ratio([rng.permutation(hard) + 0.1]) - second
    assert unpaired.interval[0] < 0 < unpaired.interval[1]


def test_seeds_of_training_are_averaged_and_have_a_standard_error():
    found = estimate_ratio([[1, 0, 1], [0, 0, 1], [1, 1, 1]], [1, 1, 1])
    assert found.seeds == pytest.approx((2 / 3, 1 / 3, 1))
    assert found.value == pytest.approx(2 / 3)
    assert found.standard_error == pytest.approx((1 / 3) / np.sqrt(3))
    assert "±" in str(found)
    assert estimate_ratio([[1, 0]]).standard_error is None


def test_seeds_are_drawn_beside_articles():
    rng = np.random.default_rng(4)
    hard = rng.normal(0, 0.1, 300)
    sen = estimate_ratio([hard, hard + 0.2])
    drawn = sen.draw_seeds("sen")
    assert (drawn.value, drawn.seeds) == (sen.value, sen.seeds)
    # Over articles alone nothing is known of other seeds; over both, half of the draws are of each.
    assert (sen - estimate_ratio([hard])).interval == pytest.approx((0.1, 0.1))
    low, high = (drawn - estimate_ratio([hard]).draw_seeds("titles")).interval
    assert (low, high) == pytest.approx((0, 0.2))
    # One seed of both, as for two clustering algorithms on the vectors of one net.
    other = estimate_ratio([hard - 0.5, hard - 0.3]).draw_seeds("sen")
    assert (drawn - other).interval == pytest.approx((0.5, 0.5))
    # Independent seeds of two nets.
    other = estimate_ratio([hard - 0.5, hard - 0.3]).draw_seeds("titles")
    assert (drawn - other).interval == pytest.approx((0.3, 0.7))
    single = estimate_ratio([hard])
    assert single.draw_seeds("sen").interval == single.interval


def test_correlations_are_resampled_over_pairs():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=500)
    predicted = scores + rng.normal(size=500)
    found = estimate_statistic([predicted, predicted], scores, correlate)
    assert found.value == pytest.approx(np.corrcoef(predicted, scores)[0, 1])
    low, high = found.interval
    # Fisher's z.
    expected = np.tanh(np.arctanh(found.value) + np.array([-1.96, 1.96]) / np.sqrt(497))
    assert [low, high] == pytest.approx(expected.tolist(), abs=0.015)
    assert found.standard_error == 0


def test_the_same_seed_draws_the_same_articles():
    assert np.array_equal(draw(5), draw(5))
    assert not np.array_equal(draw(5), draw(5, seed=1))
    assert draw(5).min() == 0
    assert draw(5).max() == 4
