import tracemalloc

import numpy as np
import pytest

from spacy_thematic.segmentation import cutting
from spacy_thematic.segmentation.cutting import cut_at_penalty, cut_gains, cut_into
from spacy_thematic.segmentation.passage import Passage

INF = float("inf")


def make_passage(seed):
    """A small passage with limits of all kinds, some of which cannot be kept."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 11))
    largest = [INF, 10, 15, 25][rng.integers(4)]
    return Passage(
        rng.normal(size=(n, 3)),
        sizes=rng.integers(seed % 2, 9, n),
        smallest=min([0, 0, 3, 8, 15][rng.integers(5)], largest),
        largest=largest,
        gap_scores=rng.normal(0, 0.3, n - 1),
    )


@pytest.mark.parametrize("seed", range(60))
def test_the_best_of_all_segmentations_is_found(seed, brute_force):
    passage = make_passage(seed)
    every = brute_force(passage.vectors, passage)
    for penalty in (-0.5, 0.3, 1.0, 3.0):
        found = cut_at_penalty(passage.vectors, passage, penalty)
        assert found.tolist() == every.best(penalty)
    for n in range(1, len(passage) + 1):
        assert cut_into(passage.vectors, passage, n).tolist() == every.best_of_number(n)


def test_golden_scatter():
    """Two sentences of each of two directions: one segment has a scatter of 4 - 8 / 4 = 2, two have
    none. So the cut gains 2, and is made at any penalty below."""
    rows = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype="f")
    passage = Passage(rows)
    assert cut_at_penalty(rows, passage, 1.99).tolist() == [0, 2]
    assert cut_at_penalty(rows, passage, 2.01).tolist() == [0]
    assert cut_gains(rows, passage, np.array([0, 2])).tolist() == [0, 2]
    # A cut after the first sentence alone: 2 - (3 - 5 / 3).
    assert cut_gains(rows, passage, np.array([0, 1])) == pytest.approx([0, 2 / 3])


def test_where_no_penalty_gives_a_number_the_search_ends(monkeypatch):
    """Two sentences in turn: any penalty cuts everywhere, or nowhere."""
    rows = np.eye(2, dtype="f")[np.arange(1200) % 2]
    penalties = []

    def count(rows, passage, penalty):
        penalties.append(penalty)
        return cut_at_penalty(rows, passage, penalty)

    monkeypatch.setattr(cutting, "cut_at_penalty", count)
    assert len(cut_into(rows, Passage(rows), 1100)) == 1100
    assert len(penalties) < 6


def test_gap_scores_are_added():
    rows = np.ones((4, 2), dtype="f")
    passage = Passage(rows, gap_scores=[0, 0.5, 0.2])
    assert cut_at_penalty(rows, passage, 0.4).tolist() == [0, 2]
    assert cut_gains(rows, passage, np.array([0, 2])).tolist() == [0, 0.5]


def test_gains_are_those_of_each_cut_alone(brute_force):
    rng = np.random.default_rng(0)
    passage = Passage(rng.normal(size=(9, 3)), gap_scores=rng.normal(size=8))
    every = brute_force(passage.vectors, passage)
    bounds = [0, 2, 3, 7, 8, 9]
    gains = cut_gains(passage.vectors, passage, np.array(bounds[:-1]))
    for cut in range(1, 5):
        without = bounds[:cut] + bounds[cut + 1 :]
        gain = every.cost(without) - every.cost(bounds)
        assert gains[cut] == pytest.approx(gain, abs=1e-5)


@pytest.mark.parametrize("smallest, largest", [(0, INF), (3, INF), (0, 12), (3, 12)])
def test_blocks_change_nothing(smallest, largest, monkeypatch):
    rng = np.random.default_rng(1)
    rows = np.repeat(rng.normal(size=(200, 8)), 5, axis=0) + rng.normal(0, 0.4, (1000, 8))
    passage = Passage(rows, smallest=smallest, largest=largest)
    found = cut_at_penalty(rows, passage, 2.0).tolist()
    for block in (7, 1000):
        monkeypatch.setattr(cutting, "_BLOCK", block)
        assert cut_at_penalty(rows, passage, 2.0).tolist() == found
    assert 100 < len(found) < 400


def test_places_of_long_gone_segments_are_forgotten(monkeypatch):
    rng = np.random.default_rng(0)
    rows = np.repeat(np.eye(50, 50), 20, axis=0) + rng.normal(0, 0.05, (1000, 50))
    in_play, find_kept = [], cutting._find_kept

    def count(*args):
        kept = find_kept(*args)
        in_play.append(kept.sum())
        return kept

    monkeypatch.setattr(cutting, "_find_kept", count)
    found = cut_at_penalty(rows, Passage(rows), 1.0).tolist()
    assert max(in_play) < 60
    assert found == list(range(0, 1000, 20))


@pytest.mark.parametrize("n", [1, 2, 3, 9, 50, 140, 300])
def test_long_texts_have_the_number_asked_for(n, monkeypatch):
    rng = np.random.default_rng(2)
    rows = np.repeat(rng.normal(size=(60, 8)), 5, axis=0) + rng.normal(0, 0.4, (300, 8))
    exact = cut_into(rows, Passage(rows), n)
    for counted in (0, 100):
        monkeypatch.setattr(cutting, "COUNTED", counted)
        searched = cut_into(rows, Passage(rows), n)
        assert len(searched) == len(exact) == n
        assert n < 9 or len(np.intersect1d(searched, exact)) >= 0.9 * n


@pytest.mark.parametrize("counted", [0, 60])
def test_long_texts_keep_to_sizes(counted, monkeypatch):
    monkeypatch.setattr(cutting, "COUNTED", counted)
    rows = np.random.default_rng(0).normal(size=(100, 4))
    for n in (1, 10, 19, 30, 90):
        sizes = np.diff([*cut_into(rows, Passage(rows, smallest=2, largest=5), n), 100])
        assert sizes.max() <= 5 and sizes.min() >= 2
        assert len(sizes) == np.clip(n, 20, 50)


def test_segments_of_more_sentences_than_starts_are_kept_are_found(monkeypatch):
    rng = np.random.default_rng(0)
    rows = np.repeat(np.eye(3), [2600, 40, 2400], axis=0) + rng.normal(0, 0.2, (5040, 3))
    most = []

    def count(*args):
        most.append(int((kept := find_kept(*args)).sum()))
        return kept

    find_kept = cutting._find_kept
    monkeypatch.setattr(cutting, "_find_kept", count)
    assert cut_at_penalty(rows, Passage(rows), 20.0).tolist() == [0, 2600, 2640]
    assert max(most) <= cutting.IN_PLAY + 1


def test_memory_for_equal_sentences_does_not_grow_with_their_square():
    n = 10_000
    rows = np.zeros((n, 1))
    tracemalloc.start()
    try:
        starts = cut_into(rows, Passage(np.ones((n, 1))), 50)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(starts) == 50
    assert peak < 300 * 2**20


def test_cuts_that_gain_the_same_are_taken_from_all_over_the_text():
    rows = np.zeros((4_000, 1))
    found = cutting._take_strongest(rows, Passage(np.ones_like(rows)), np.arange(4_000), 40)
    assert len(found) == 40
    assert np.diff(found).max() < 400


def test_the_weakest_cuts_are_dropped_as_one_by_one():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 3))
    passage = Passage(rows, sizes=rng.integers(1, 9, 60), largest=40)
    starts = np.append(0, np.sort(rng.choice(np.arange(1, 60), 40, replace=False)))
    before = np.append(0, np.cumsum(passage.sizes))
    expected = starts
    while len(expected) > 15:
        joined = before[np.append(expected[2:], 60)] - before[expected[:-1]]
        gains = np.where(joined <= 40, cut_gains(rows, passage, expected)[1:], INF)
        expected = np.delete(expected, 1 + gains.argmin())
    assert cutting._drop_weakest(rows, passage, starts, 15).tolist() == expected.tolist()
