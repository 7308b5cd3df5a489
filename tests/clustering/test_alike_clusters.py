"""Clusters that are one."""

import numpy as np
import pytest

from spacy_thematic.clustering.unordered_text import join_alike, join_repeated
from spacy_thematic.clustering.vectors import SentenceVectors


@pytest.fixture
def vectors():
    """Ten sentences of each of three directions, and one that is nearest to the last."""
    directions = np.repeat(np.eye(3, dtype="f"), 10, axis=0)
    noise = np.random.default_rng(0).normal(scale=0.05, size=(31, 3)).astype("f")
    return SentenceVectors(np.append(directions, [[-1, -1, 0]], axis=0) + noise)


def test_clusters_that_are_alike_are_joined(vectors):
    vectors = vectors.take(np.arange(30))
    twins = np.array([0] * 5 + [1] * 5 + [2] * 10 + [3] * 10)
    expected = [0] * 10 + [1] * 10 + [2] * 10
    assert join_alike(twins, vectors).tolist() == expected
    assert join_alike(np.array(expected), vectors).tolist() == expected


def test_a_sentence_is_no_cluster_of_its_own_unless_the_text_is_short(vectors):
    alone = np.array([0] * 10 + [1] * 10 + [2] * 10 + [5])
    assert join_alike(alone, vectors).tolist() == [0] * 10 + [1] * 10 + [2] * 11
    kept = [0] * 10 + [1] * 10 + [2] * 10 + [3]
    assert join_alike(alone, vectors, keep_lone=True).tolist() == kept
    few = vectors.take(np.array([0, 1, 10, 11, 20]))
    assert join_alike(np.array([0, 0, 1, 1, 2]), few).tolist() == [0, 0, 1, 1, 2]


def test_two_clusters_stay_and_sentences_without_one_are_left_alone(vectors):
    two = np.array([0, 1] * 5 + [-1] * 21)
    assert join_alike(two, vectors).tolist() == two.tolist()
    assert join_alike(np.full(31, -1), vectors).tolist() == [-1] * 31


def test_clusters_that_only_repeat_what_a_larger_one_says_are_joined_to_it():
    labels = np.array([0, 0, 1, 1, -1, 2, 2, 2, 3])
    distinct = np.array([5, 6, 5, 5, 5, 5, 5, 7, 6])
    assert join_repeated(labels, distinct).tolist() == [0, 0, 1, 1, -1, 1, 1, 1, 0]
