import numpy as np
import pytest

from benchmarks.text_tiling import block_cosines, depth_scores, text_tiling
from spacy_thematic.segmentation.kernel_change_points import (
    create_kernel_change_points,
    usual_penalty,
)
from spacy_thematic.segmentation.passage import Passage

ALL = {
    "kernel change points": create_kernel_change_points(),
    "TextTiling": text_tiling,
}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("n", [None, 1, 4, 40])
@pytest.mark.parametrize("smallest, largest", [(0, np.inf), (4, 12)])
def test_every_algorithm_keeps_the_protocol(name, n, smallest, largest, blocks):
    passage = Passage(blocks, smallest=smallest, largest=largest)
    cuts = ALL[name](passage, n, 0)
    sizes = np.diff([*cuts.starts, len(blocks)])
    assert cuts.starts[0] == 0 and cuts.starts.dtype == np.int64
    assert smallest <= sizes.min() and sizes.max() <= largest
    assert len(cuts.gains) == len(cuts.starts) and cuts.gains[0] == 0
    if n is not None:
        assert len(sizes) == (n if largest == np.inf else np.clip(n, 4, 10))


@pytest.mark.parametrize("name", ALL)
def test_passages_of_no_and_one_sentence(name):
    for n in (None, 3):
        assert ALL[name](Passage(np.zeros((0, 4))), n, 0).starts.tolist() == []
        assert ALL[name](Passage(np.ones((1, 4))), n, 0).starts.tolist() == [0]


@pytest.mark.parametrize("n", [None, 4])
@pytest.mark.parametrize("name", ["kernel change points", "TextTiling"])
def test_plain_themes_are_found(name, n, blocks):
    cuts = ALL[name](Passage(blocks), n, 0)
    assert set(range(0, 40, 10)) <= set(cuts.starts.tolist())
    if name == "kernel change points" or n:
        assert len(cuts.starts) == 4


def test_sentences_without_known_words_change_nothing(blocks):
    assert ALL["kernel change points"](Passage(np.zeros((9, 4))), None, 0).starts.tolist() == [0]
    blocks[[3, 15]] = 0
    assert ALL["kernel change points"](Passage(blocks), None, 0).starts.tolist() == [0, 10, 20, 30]


def test_a_sentence_that_says_little_makes_no_segment(blocks):
    odd = np.zeros((1, 16), "f")
    odd[0, 15] = 1
    rows = np.vstack([blocks[:5], odd, odd, odd, blocks[5:10]])
    weights = np.ones(13)
    segment = create_kernel_change_points(0.25, centre=False)
    assert segment(Passage(rows), 3, 0).starts.tolist() == [0, 5, 8]
    assert segment(Passage(rows, weights=weights), None, 0).starts.tolist() == [0, 5, 8]
    weights[5:8] = 0.01
    assert segment(Passage(rows, weights=weights), None, 0).starts.tolist() == [0]


def test_a_larger_penalty_gives_fewer_segments():
    rows = np.random.default_rng(0).normal(size=(200, 8))
    numbers = [
        len(ALL["kernel change points"](Passage(rows), None, 0, scale).starts)
        for scale in (0.05, 0.1, 0.2, 0.5, 1, 2)
    ]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > numbers[-1]


def test_random_sentences_are_hardly_cut():
    for n in (5, 10, 20, 50, 100):
        rows = np.random.default_rng(n).normal(size=(n, 64))
        assert len(ALL["kernel change points"](Passage(rows), None, 0).starts) <= 1 + n // 20


def test_there_are_half_the_segments_that_the_log_odds_lead_one_to_expect():
    rows = np.random.default_rng(0).normal(size=(60, 16))
    passage = Passage(rows, log_odds=np.full(59, np.log(0.25)))  # 1 + 59 / 5 = 12.8
    assert len(create_kernel_change_points()(passage, None, 0).starts) == 6
    assert len(create_kernel_change_points(0.4)(passage, None, 0).starts) == 3
    assert len(create_kernel_change_points(boundary_weight=0)(passage, None, 0).starts) < 3
    limited = passage.replace(smallest=20)
    assert len(create_kernel_change_points()(limited, None, 0).starts) == 3


def test_block_cosines_by_hand():
    rows = np.array([[1, 0], [0, 1], [0, 1], [1, 0]], dtype="f")
    fifth = 5**-0.5
    # Blocks of two: (1,0) | (0,2); (1,1) | (1,1); (0,2) | (1,0).
    assert block_cosines(rows, 2) == pytest.approx([0, 1, 0])
    assert block_cosines(rows, 1) == pytest.approx([0, 1, 0])
    # Blocks of three: (1,0) | (1,2) and (1,2) | (1,0) at the ends.
    assert block_cosines(rows, 3) == pytest.approx([fifth, 1, fifth])


def test_depth_scores_by_hand():
    """The valleys are 0.2, below 0.5 and 0.9, and 0.3 at the end, below 0.9."""
    cosines = np.array([0.5, 0.2, 0.6, 0.9, 0.3])
    assert depth_scores(cosines) == pytest.approx([0, 1.0, 0, 0, 0.6])


def test_bad_windows():
    with pytest.raises(ValueError, match="at least 1 sentence, found 0"):
        text_tiling(Passage(np.ones((3, 2))), None, window=0)


def test_the_usual_penalty_by_hand():
    """Of three steps one has a squared length of 2, so s_1 = 1 / 3. The mean, (1, 1) / 2, has a
    squared length of 1 / 2, so s = 1 / 2. Four sentences count as 60."""
    rows = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype="f")
    assert usual_penalty(rows, rows) == pytest.approx((60 * 2) ** 0.5 / 3)
    many = np.tile(rows, (1000, 1))
    assert usual_penalty(many, many) == pytest.approx((1000 * 2) ** 0.5 * 1999 / 3999)
