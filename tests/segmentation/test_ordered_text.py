import numpy as np
import pytest

from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.rows import mean_rows
from spacy_thematic.segmentation import ordered_text
from spacy_thematic.segmentation.ordered_text import OrderedText, is_in_order

NOTHING, EVERY_TENTH = [()] * 40, np.where(np.arange(1, 40) % 10, -4.0, 1.0)


def test_a_text_is_in_order_and_the_same_sentences_shuffled_are_not(blocks):
    assert is_in_order(SentenceVectors(blocks))
    rng = np.random.default_rng(0)
    shuffled = [SentenceVectors(blocks[rng.permutation(40)]) for _ in range(50)]
    assert not any(map(is_in_order, shuffled))


def test_themes_are_runs_where_none_comes_back(blocks):
    text = OrderedText(blocks, EVERY_TENTH, NOTHING)
    assert text.cluster(1, 40).tolist() == np.repeat(range(4), 10).tolist()
    assert text.cluster(2, 2).max() == 1 and text.cluster(9, 40).max() == 8
    assert text.cluster(1, 40, 100.0).tolist() == [*range(40)]


def test_words_that_two_parts_share_join_them(blocks):
    order = np.r_[0:10, 10:20, 0:10, 20:30]
    words = [{"sea", "fish"}] * 10 + [{"tax"}] * 10 + [{"sea", "fish"}] * 10 + [{"sun"}] * 10
    told = OrderedText(blocks[order], EVERY_TENTH, words).cluster(3, 3)
    assert told.tolist() == [0] * 10 + [1] * 10 + [0] * 10 + [2] * 10


@pytest.mark.parametrize("n_segments", [2, 5])
def test_segments_are_whole_and_parts_are_apart(blocks, n_segments, monkeypatch):
    segments, parts = np.arange(40) * n_segments // 40, np.arange(40) // 20
    for most in (ordered_text.MOST, 8):  # As of a long text.
        monkeypatch.setattr(ordered_text, "MOST", most)
        found = OrderedText(blocks, EVERY_TENTH, NOTHING, segments=segments).cluster(1, 40)
        assert all(len({*found[segments == number]}) == 1 for number in range(n_segments))
        found = OrderedText(blocks, EVERY_TENTH, NOTHING, parts=parts).cluster(2, 40)
        assert not {*found[:20]} & {*found[20:]}


def test_of_a_long_text_what_stands_together_is_one(blocks, monkeypatch):
    ends = np.arange(1, 40) % 5 == 0
    expected = OrderedText(blocks, EVERY_TENTH, NOTHING, ends).cluster(1, 40).tolist()
    monkeypatch.setattr(ordered_text, "MOST", 8)
    text = OrderedText(blocks, EVERY_TENTH, NOTHING, ends)
    assert len(text.vectors) == 8 and len(text.log_odds) == 28
    assert text.cluster(1, 40).tolist() == expected


def test_of_few_themes_large_ones_are_told_apart_rather_than_a_single_sentence():
    part, alone = np.repeat([0, 1, 2], [5, 4, 4]), np.arange(13) == 2
    odds = np.where(part[:, None] == part, 2.0, -2.0)
    odds[:5, 5:] = -4.0
    odds[2, [0, 1, 3, 4]] = odds[[0, 1], 2] = -3.0
    text = OrderedText(np.eye(13), np.zeros(12), [()] * 13)
    text.log_odds = odds[np.triu_indices(13, 1)]
    assert text.cluster(1, 3).tolist() == part.tolist()
    assert text.cluster(1, 4)[alone].tolist() == [1]
    assert text.cluster(1, 13).max() == 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_sentences(n):
    text = OrderedText(np.eye(n, 4), np.zeros(n - 1), [()] * n)
    assert text.cluster(n, 5).tolist() == [*range(n)]
    assert {*text.cluster(1, 1)} == {0}


def test_mean_rows():
    vectors = np.array([[2, 0], [0, 4], [6, 6]])
    assert mean_rows(vectors, np.array([0, 0, 1])).tolist() == [[1, 2], [6, 6]]
    assert mean_rows(vectors, np.arange(3)).tolist() == vectors.tolist()
