"""What is known of the gaps between sentences."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Span

from spacy_thematic.segmentation.gaps import BEFORE_HEADING, WITHIN_PARAGRAPH, find_log_odds
from spacy_thematic.segmentation.kernel_change_points import USUAL_LOG_ODDS, kernel_change_points
from spacy_thematic.segmentation.passage import Passage
from spacy_thematic.sentences.paragraphs import find_paragraph_ends, find_pauses, is_list

PARAGRAPHS = "One. Two.\n\nThree. Four. Five.\n\n Six."
NOTHING = lambda vectors, lengths: None  # noqa: E731


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


@pytest.mark.parametrize(
    "text, expected",
    [
        (PARAGRAPHS, [0, 1, 0, 0, 1]),
        ("One. Two.\nThree. Four. Five.\n Six.", [0, 1, 0, 0, 1]),
        ("One.\nTwo.\n\nThree.\nFour.", [0, 1, 0]),
        ("One.\r\n\r\nTwo. Three.", [1, 0]),
        ("One. Two. Three.", None),
        # Wrapped: most lines end within a sentence.
        ("One and\none. Two. Three.\nFour and\nfour. Five.", None),
        ("One and\none. Two. Three.\n\nFour and\nfour. Five.", [0, 0, 1, 0]),
        ("One.\nTwo.\nThree.\nFour.", None),
        ("One.", None),
        ("", None),
    ],
)
def test_paragraphs_end_at_blank_lines_or_else_at_new_lines(nlp, text, expected):
    doc = nlp(text)
    found = find_paragraph_ends(doc, list(doc.sents) if len(doc) else [])
    assert (found if expected is None else found.astype(int).tolist()) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One.\nTwo.\nThree.\nFour.", True),
        ("One.\n\nTwo.\n\nThree.\n\nFour.", True),
        ("One.\nTwo.\nThree. Four.", False),
        ("One. Two.", False),
        ("One.", False),
        ("", False),
    ],
)
def test_a_list_has_a_line_for_each_sentence(nlp, text, expected):
    doc = nlp(text)
    assert is_list(doc, list(doc.sents) if len(doc) else []) == expected


def find(nlp, text, score_gaps):
    doc = nlp(text)
    sentences = list(doc.sents)
    rows, lengths = np.zeros((len(sentences), 2)), np.ones(len(sentences))
    return find_log_odds(doc, sentences, rows, lengths, score_gaps)


def test_log_odds_are_those_learned_where_there_are_no_paragraphs(nlp):
    assert find(nlp, "One. Two.", NOTHING) is None
    learned = np.array([0.5])
    assert find(nlp, "One. Two.", lambda *_: learned) is learned


def test_paragraphs_make_cuts_between_them_likelier(nlp):
    found = find(nlp, PARAGRAPHS, lambda *_: np.full(5, -2.0))
    between = -2 + np.log(5 / 2) / 2
    within = -2 + WITHIN_PARAGRAPH
    assert found == pytest.approx([within, between, within, within, between])
    # Four sentences of five have a paragraph of their own.
    found = find(nlp, "One.\n\nTwo.\n\nThree.\n\nFour. Five.", lambda *_: np.full(4, -2.0))
    assert found.tolist() == [-2, -2, -2, within]
    alone = find(nlp, PARAGRAPHS, NOTHING)
    assert alone[1] == USUAL_LOG_ODDS and alone[0] == USUAL_LOG_ODDS + WITHIN_PARAGRAPH


def test_parts_begin_with_their_headings(nlp):
    nlp.add_pipe("thematic_lines", first=True)
    text = "It rains in the hills.\n\nThe river\nIt rises. It floods.\nIt ends there."
    found = find(nlp, text, lambda *_: np.zeros(4))
    assert found.argmax() == 0 and found[0] > BEFORE_HEADING
    assert found.argmin() == 1
    assert find(nlp, text, NOTHING).argmax() == 0


def test_sections_of_the_doc_begin_parts(nlp):
    doc = nlp("It rains. Bees make wax. They dance. Ships sink.")
    spans = [Span(doc, sent.start, sent.end, title) for sent, title in zip(doc.sents, "ABBC")]
    doc.spans["sections"] = spans
    vectors, lengths = np.zeros((4, 2)), np.ones(4)
    found = find_log_odds(doc, [*doc.sents], vectors, lengths, lambda *_: np.zeros(3))
    assert found.tolist() == [BEFORE_HEADING, 0, BEFORE_HEADING]


def test_a_chat_is_cut_at_its_pauses(nlp):
    nlp.add_pipe("thematic_lines", first=True)
    times = ["18:02", "18:02", "18:03", "18:05", "18:11", "23:59", "00:01"]
    lines = [f"[{time}] ann: hi there" for time in times]
    doc = nlp("\n".join(lines))
    assert find_pauses([*doc.sents]).tolist() == [0, 0, 0, 1, 1, 0]
    found = find(nlp, "\n".join(lines), NOTHING)
    assert (found == found.max()).tolist() == [0, 0, 0, 1, 1, 0]
    assert find_pauses([*nlp("\n".join([*lines, "ann: bye now"])).sents]) is None
    assert find_pauses([*doc.sents][:1]) is None


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
