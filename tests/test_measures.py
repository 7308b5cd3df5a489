from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from spacy_thematic.measures import (
    SPREAD_ROWS,
    clustering_agreement,
    is_ordered,
    mean_agreement,
    mean_pairwise_distance,
    score_triplets,
    thematic_accuracy,
)


def test_distance_comparison_by_hand():
    vectors = np.array([[1, 0], [2, 0.1], [0, 3], [1, 0]], "f")
    triplets = np.array([[0, 1, 2], [0, 2, 1], [0, 3, 3]])
    assert is_ordered(vectors, triplets, "cosine").tolist() == [True, False, False]
    assert is_ordered(vectors, triplets, "L1").tolist() == [True, False, False]
    far = np.array([[1, 0], [9, 0], [1, 1]], "f")
    assert is_ordered(far, np.array([[0, 1, 2]]), "cosine").all()
    assert not is_ordered(far, np.array([[0, 1, 2]]), "L1").any()
    assert thematic_accuracy(far, [[0, 1, 2]]) == 1
    with pytest.raises(ValueError, match="one of L1, L2, cosine, found 'cosines'"):
        thematic_accuracy(far, [[0, 1, 2]], "cosines")


def test_ties_and_vectors_that_are_not_finite_count_as_wrong():
    same = np.ones((3, 4), "f")
    assert not is_ordered(same, np.array([[0, 1, 2]])).any()
    broken = np.array([[1, 0], [np.nan, 0], [0, 1]], "f")
    assert not is_ordered(broken, np.array([[0, 1, 2]])).any()


def test_the_accuracy_of_several_articles_is_that_of_all_their_triplets():
    rng = np.random.default_rng(0)
    articles = [(rng.normal(size=(9, 4)), rng.integers(0, 9, (m, 3))) for m in (5, 0, 40)]
    vectors = np.concatenate([vectors for vectors, _ in articles])
    triplets = np.concatenate([9 * i + triplets for i, (_, triplets) in enumerate(articles)])
    assert score_triplets(articles) == {
        "thematic_accuracy": thematic_accuracy(vectors, triplets),
        "thematic_accuracy_l1": thematic_accuracy(vectors, triplets, "L1"),
        "thematic_spread": mean_pairwise_distance(vectors),
    }
    assert thematic_accuracy(vectors, triplets) == is_ordered(vectors, triplets).mean()
    assert thematic_accuracy(vectors, np.zeros((0, 3), int)) is None
    nothing = {"thematic_accuracy": None, "thematic_accuracy_l1": None, "thematic_spread": 0.0}
    assert score_triplets([]) == nothing


def test_the_spread_of_many_articles_is_that_of_the_first_rows():
    rng = np.random.default_rng(1)
    no_triplets = np.zeros((0, 3), int)
    first = rng.normal(size=(SPREAD_ROWS - 10, 2)).astype("f")
    second = rng.normal(size=(30, 2)).astype("f")
    third = np.full((50, 2), 7.0, "f")
    scores = score_triplets((rows, no_triplets) for rows in (first, second, third))
    kept = np.concatenate([first, second[:10]])
    assert scores["thematic_spread"] == mean_pairwise_distance(kept)


def test_spread_vanishes_when_all_point_one_way():
    assert mean_pairwise_distance(np.outer(np.arange(1, 9), [1.0, 2.0])) == pytest.approx(
        0, abs=1e-6
    )
    assert mean_pairwise_distance(np.eye(4, dtype="f")) == pytest.approx(2**0.5, rel=1e-5)


def test_cluster_measures_of_perfect_random_and_single_clusters():
    sections = np.repeat(np.arange(4), 50)
    perfect = clustering_agreement((sections + 1) % 4, sections)
    assert perfect["ami"] == perfect["ari"] == perfect["ri"] == pytest.approx(1)
    assert perfect["mi"] == pytest.approx(np.log(4))
    chance = clustering_agreement(np.random.default_rng(0).integers(0, 4, 200), sections)
    assert abs(chance["ami"]) < 0.05
    assert abs(chance["ari"]) < 0.05
    single = clustering_agreement(np.zeros(200, int), sections)
    assert single["ami"] == single["mi"] == single["ari"] == pytest.approx(0)
    assert single["ri"] == pytest.approx((200 / 4 - 1) / 199)


def test_mutual_information_and_rand_index_by_hand():
    values = clustering_agreement([0, 1, 1, 1], [0, 0, 1, 1])
    table = np.array([[1, 1], [0, 2]]) / 4
    outer = table.sum(1, keepdims=True) @ table.sum(0, keepdims=True)
    mi = (table[table > 0] * np.log(table[table > 0] / outer[table > 0])).sum()
    assert values["mi"] == pytest.approx(mi)
    assert values["ri"] == pytest.approx(3 / 6)


def by_definition(sections, labels):
    """The measures from their definitions (Vinh, Epps & Bailey 2010; Hubert & Arabie 1985), with
    the expectation over all permutations of the labels."""
    pairs = list(combinations(range(len(sections)), 2))
    same = np.array([sections[i] == sections[j] for i, j in pairs])

    def agreement(some):
        together = np.array([some[i] == some[j] for i, j in pairs])
        both, rand = (same & together).sum(), (same == together).mean()
        return information(sections, some), rand, both, together.sum()

    mi, rand, both, together = agreement(labels)
    permuted = [agreement(some)[::2] for some in permutations(labels)]
    expected_mi, expected_both = np.mean(permuted, axis=0)
    entropies = information(sections, sections), information(labels, labels)
    bound = (same.sum() + together) / 2
    return {
        "mi": mi,
        "ami": (mi - expected_mi) / (np.mean(entropies) - expected_mi),
        "ami_max": (mi - expected_mi) / (max(entropies) - expected_mi),
        "ri": rand,
        "ari": (both - expected_both) / (bound - expected_both),
    }


def information(first, second):
    n = len(first)
    joint, a, b = Counter(zip(first, second)), Counter(first), Counter(second)
    return sum(c / n * np.log(c * n / (a[x] * b[y])) for (x, y), c in joint.items())


@pytest.mark.parametrize(
    "labels",
    [
        [0, 0, 0, 1, 1, 2, 2],  # perfect
        [0, 0, 0, 1, 1, 1, 2],  # near
        [0, 1, 2, 0, 1, 2, 0],  # across
        [0, 0, 0, 0, 0, 0, 0],  # one cluster
        [0, 1, 2, 3, 4, 5, 6],  # singletons
        [0, 0, 1, 1, 2, 2, 3],  # more clusters than sections
    ],
)
def test_all_measures_agree_with_their_definitions(labels):
    sections = [0, 0, 0, 1, 1, 2, 2]
    found = clustering_agreement(labels, sections)
    expected = by_definition(sections, labels)
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_agreement_of_several_articles_is_the_mean():
    found = mean_agreement(
        clustering_agreement(labels, [0, 0, 1, 1]) for labels in ([0, 0, 1, 1], [0, 1, 0, 1])
    )
    assert found["ri"] == pytest.approx((1 + 2 / 6) / 2)
    assert found["mi"] == pytest.approx(np.log(2) / 2)
    assert set(mean_agreement([]).values()) == {None}
