"""Paragraphs and pauses."""

import pytest
import spacy

from spacy_thematic.doc_layout import SentenceLayout, TokenLayout

PARAGRAPHS = "One. Two.\n\nThree. Four. Five.\n\n Six."


def lay_out(doc):
    return SentenceLayout(TokenLayout.read(doc, doc.text), list(doc.sents) if len(doc) else [])


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
        ("One.\nTwo.\nThree.\nFour.", [1, 1, 1]),
        ("One.", None),
        ("", None),
    ],
)
def test_paragraphs_end_at_blank_lines_or_else_at_new_lines(nlp, text, expected):
    found = lay_out(nlp(text)).ends
    assert (found if expected is None else found.astype(int).tolist()) == expected


def test_pauses_of_a_chat(nlp):
    nlp.add_pipe("thematic_layout", first=True)
    times = ["18:02", "18:02", "18:03", "18:05", "18:11", "23:59", "00:01"]
    lines = [f"[{time}] ann: hi there" for time in times]
    assert lay_out(nlp("\n".join(lines))).pauses.tolist() == [0, 0, 0, 1, 1, 0]
    assert lay_out(nlp(lines[0])).pauses is None


@pytest.mark.parametrize("mark", ["* * *", "***", "\u2042", "\u2022 \u2022 \u2022"])
def test_a_line_of_asterisks_is_a_pause(nlp, mark):
    text = f"The king fought.\n\nHe lost.\n\n{mark}\n\nThe river rises.\n\n- - -\n\nIt floods."
    assert lay_out(nlp(text)).pauses.tolist() == [0, 1, 0]
    nlp.replace_pipe("sentencizer", "thematic_sentencizer")
    assert lay_out(nlp(text)).pauses.tolist() == [0, 0, 1, 0, 0]


def test_who_begins_to_speak_and_names_alone():
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("sentencizer")
    lines = ["Ann: It rains. Why?", "Bob: [INAUDIBLE]", "Ann: Who knows?", "Bob: The sea."] * 2
    found = lay_out(nlp("\n\n".join(lines)))
    assert found.turns.tolist() == [0, 1, 1, 1, 1, 0, 1, 1, 1]
    assert not found.names.any()
    lines = ["Ann Lee:", "It rains. Why does it?", "Bob Ray:", "The sea is warm."] * 3
    found = lay_out(nlp("\n".join(lines)))
    assert found.names.tolist() == [1, 0, 0, 1, 0] * 3
    assert found.turns.tolist() == ([1, 0, 0, 1, 0] * 3)[1:]
    assert not lay_out(nlp("One. Two.")).turns.any()
