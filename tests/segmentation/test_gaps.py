"""What is known of the gaps between sentences."""

import numpy as np
import pytest

from spacy_thematic.segmentation.gaps import (
    AFTER_HEADING,
    AFTER_PAUSE,
    BEFORE_HEADING,
    WITHIN_PARAGRAPH,
    combine_log_odds,
)
from spacy_thematic.segmentation.kernel_change_points import USUAL_LOG_ODDS, kernel_change_points
from spacy_thematic.segmentation.passage import Passage


def test_log_odds_are_those_learned_where_nothing_else_is_known():
    assert combine_log_odds(2) is None
    learned = np.array([0.5])
    assert combine_log_odds(2, learned) is learned


def test_paragraphs_make_cuts_between_them_likelier():
    ends = np.array([0, 1, 0, 0, 1], bool)
    found = combine_log_odds(6, np.full(5, -2.0), ends)
    between = -2 + np.log(5 / 2) / 2
    within = -2 + WITHIN_PARAGRAPH
    assert found == pytest.approx([within, between, within, within, between])
    # Four sentences of five have a paragraph of their own.
    found = combine_log_odds(5, np.full(4, -2.0), np.array([1, 1, 1, 0], bool))
    assert found.tolist() == [-2, -2, -2, within]
    alone = combine_log_odds(6, ends=ends)
    assert alone[1] == USUAL_LOG_ODDS and alone[0] == USUAL_LOG_ODDS + WITHIN_PARAGRAPH


def test_sections_begin_before_headings_and_after_pauses():
    opening, whole = np.array([[0, 1, 0, 0], [0, 1, 0, 0]], bool)
    found = combine_log_odds(4, np.zeros(3), opening=opening, whole=whole)
    assert found.tolist() == [BEFORE_HEADING, AFTER_HEADING, 0]
    found = combine_log_odds(4, pauses=np.array([0, 0, 1], bool))
    assert (found - USUAL_LOG_ODDS).tolist() == [0, 0, AFTER_PAUSE]


def test_a_cut_moves_to_the_end_of_its_paragraph():
    rng = np.random.default_rng(0)
    rows = np.repeat(np.eye(2, 8), 10, axis=0) + rng.normal(0, 0.3, (20, 8))
    odds = np.full(19, -6.0)
    odds[10] = -1.0
    plain, told = (
        kernel_change_points(Passage(rows, log_odds=known), 2).starts for known in (None, odds)
    )
    assert (plain.tolist(), told.tolist()) == ([0, 10], [0, 11])
    unweighted = kernel_change_points(Passage(rows, log_odds=odds), 2, boundary_weight=0)
    assert unweighted.starts.tolist() == [0, 10]
