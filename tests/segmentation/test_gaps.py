"""What is known of the gaps between sentences."""

import numpy as np
import pytest

from spacy_thematic.segmentation.gaps import (
    AFTER_HEADING,
    AFTER_PAUSE,
    BEFORE_ANSWER,
    BEFORE_HEADING,
    find_log_odds,
    measure_gaps,
)
from spacy_thematic.segmentation.kernel_change_points import kernel_change_points
from spacy_thematic.segmentation.passage import Passage

TEXTS = ["It rains in the hills again.", "The river rises.", "Bees make wax?", "They dance."] * 5


def find_odds(gaps, **known):
    n = len(gaps["n"]) + 1
    nothing = dict.fromkeys(("opening", "whole", "names"), np.zeros(n, bool))
    return find_log_odds(gaps, **nothing | {"turns": np.zeros(n - 1, bool)} | known)


def test_a_net_and_the_ends_of_paragraphs_make_a_beginning_likelier():
    learned, ends = np.full(19, -3.0), np.arange(19) % 4 == 3
    learned[7] = 1.0
    plain = find_odds(measure_gaps(TEXTS, learned))
    assert plain.argmax() == 7
    with_ends = find_odds(measure_gaps(TEXTS, learned, ends))
    assert with_ends[ends].min() > with_ends[~ends].max()
    assert with_ends.argmax() == 7
    alone = find_odds(measure_gaps(TEXTS, ends=ends))
    assert np.isfinite(alone).all() and alone[ends].min() > alone[~ends].max()


def test_what_is_known_of_gaps():
    ends = np.array([False, True, False])
    found = measure_gaps(['"Why?', "A 1.", "He: no", "END"], np.zeros(3), ends)
    assert {len(values) for values in found.values()} == {3}
    assert found["paragraph_before"].tolist() == [2, 2, 2]
    assert found["share_of_ends"].tolist() == pytest.approx([1 / 3] * 3)
    assert found["asks_before"].tolist() == [1, 0, 0]
    assert found["quotes_before"].tolist() == [1, 0, 0] == found["numbers_after"].tolist()
    assert found["speaks_after"].tolist() == [0, 1, 0]
    assert found["capitals_after"][2] == 1
    # Where each sentence has a paragraph of its own, these say nothing.
    assert np.isnan(measure_gaps(TEXTS[:4], ends=np.ones(3, bool))["ends"]).all()


def test_sections_begin_before_headings_and_after_pauses():
    opening, whole = np.array([[0, 1, 0, 0], [0, 1, 0, 0]], bool)
    pauses = np.array([0, 0, 1], bool)
    gaps = measure_gaps(TEXTS[:4])
    plain = find_odds(gaps)
    found = find_odds(gaps, opening=opening, whole=whole, pauses=pauses)
    assert (found - plain) == pytest.approx([BEFORE_HEADING, AFTER_HEADING, AFTER_PAUSE])


def test_sections_begin_before_questions_not_before_their_answers():
    gaps = measure_gaps(["It rains.", "It floods.", "Why?", "Ann:", "Snow melts.", "Why?", "No."])
    turns = np.array([0, 0, 1, 0, 0, 0], bool)
    names = np.array([0, 0, 0, 1, 0, 0, 0], bool)
    plain = find_odds(gaps)
    found = find_odds(gaps, turns=turns, names=names)
    assert found[[0, 4, 5]] == pytest.approx(plain[[0, 4, 5]])
    assert found[1] == pytest.approx(max(plain[1:4]))
    assert max(found[2:4]) < min(plain) + BEFORE_ANSWER / 2


def test_a_cut_moves_to_the_end_of_its_paragraph():
    rng = np.random.default_rng(0)
    rows = np.repeat(np.eye(2, 8), 10, axis=0) + rng.normal(0, 0.3, (20, 8))
    odds = np.full(19, -6.0)
    odds[10] = 1.0
    plain, told = (
        kernel_change_points(Passage(rows, log_odds=known), 2).starts for known in (None, odds)
    )
    assert (plain.tolist(), told.tolist()) == ([0, 10], [0, 11])
    unweighted = kernel_change_points(Passage(rows, log_odds=odds), 2, boundary_weight=0)
    assert unweighted.starts.tolist() == [0, 10]
