"""The measures of retrieved chunks."""

import pytest

from benchmarks.chunks import find_spans, score


def test_measures_by_hand():
    chunks = [(0, 20), (20, 40), (40, 100)]
    # Of 20 characters that answer, 10 are among the 80 that are retrieved.
    found = score([(10, 30)], [chunks[0], chunks[2]], 100)
    assert found.recall == 10 / 20
    assert found.precision == 10 / 80
    assert found.iou == 10 / (20 + 80 - 10)


def test_what_is_retrieved_twice_or_answers_twice_counts_once():
    chunks = [(0, 10), (10, 20)]
    found = score([(0, 5), (3, 8)], [chunks[0], chunks[0]], 20)
    assert found == (1, 8 / 10, 8 / 10)


def test_spans_do_not_hang_on_white_space():
    text = " One. \n\nTwo  three.\n"
    assert [text[slice(*span)] for span in find_spans(text, ["One.\n", "Two", " three."])] == [
        "One.",
        "Two",
        "three.",
    ]


@pytest.mark.parametrize("chunks", [["One.", "three."], ["One.", "One.", "Two three."]])
def test_chunks_that_are_not_the_whole_text_are_refused(chunks):
    with pytest.raises(ValueError, match="the text but for white space"):
        find_spans("One. Two three.", chunks)
