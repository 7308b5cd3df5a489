import numpy as np
import pytest

from spacy_thematic.evaluation.results import draw, estimate_ratio


def test_the_interval_of_a_mean_is_that_of_the_normal_approximation():
    values = np.random.default_rng(1).normal(2, 3, 400)
    found = estimate_ratio(values)
    assert found.value == pytest.approx(values.mean())
    low, high = found.interval
    half = 1.96 * values.std(ddof=1) / 20
    assert low == pytest.approx(values.mean() - half, abs=0.05)
    assert high == pytest.approx(values.mean() + half, abs=0.05)


def test_a_ratio_weighs_articles_by_their_triplets():
    found = estimate_ratio([1, 30], [2, 40])
    assert found.value == pytest.approx(31 / 42)
    assert set(np.round(found.resampled, 6)) == {0.5, 0.75, round(31 / 42, 6)}


def test_one_article_has_no_interval():
    first, second = estimate_ratio([3], [4]), estimate_ratio([1], [4])
    assert str(first) == "0.750"
    assert f"{first - second:+.3f}" == "+0.500"


def test_differences_are_paired():
    rng = np.random.default_rng(2)
    hard = rng.normal(0, 5, 300)
    first, second = estimate_ratio(hard + 0.1), estimate_ratio(hard)
    assert first.interval[0] < second.interval[1]
    low, high = (first - second).interval
    assert low == pytest.approx(0.1) == pytest.approx(high)
    unpaired = estimate_ratio(rng.permutation(hard) + 0.1) - second
    assert unpaired.interval[0] < 0 < unpaired.interval[1]


def test_the_same_seed_draws_the_same_articles():
    assert np.array_equal(draw(5), draw(5))
    assert draw(5).min() == 0
    assert draw(5).max() == 4
