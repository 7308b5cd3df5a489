"""Sentences that go on after a blank line."""

import pytest

from spacy_thematic.layout.paragraphs import find_going_on

BEFORE = "You will be asked to approve the establishment, in this session, of a national energy"


def find(*paragraphs):
    return [number for number, goes_on in enumerate(find_going_on(paragraphs)) if goes_on]


@pytest.mark.parametrize(
    "first, second",
    [
        (BEFORE, "board for Canada. My ministers hope for much."),
        ("Two words.\nThe concern about no conviction, to", "be jailed, is one that I share."),
        ("The Minister says that the fines, as all of us know from the press,", "are small."),
        (
            "“It is the opinion of the members of the House that the Bill be read",
            "again,” he said.",
        ),
    ],
)
def test_a_sentence_goes_on_in_lower_case(first, second):
    assert find("The House met.", first, second) == [2]


def test_a_sentence_goes_on_over_several_paragraphs():
    assert find(BEFORE, "board, which will", "see to the use of oil.") == [1, 2]


@pytest.mark.parametrize(
    "first, second",
    [
        ("Setting up", "first we need two arrays. Then we draw."),
        ("Why Socialism Causes Pollution", "by Thomas J. DiLorenzo."),
        ("Hi,", "please move these pages."),
        ("Dear members of the council,", "thank you for the letter."),
        (BEFORE + ".", "board for Canada."),
        (BEFORE + ":", "board for Canada."),
        (BEFORE, "Board for Canada."),
        (BEFORE, "a. the members of the board."),
        (BEFORE, "- the members of the board."),
        (BEFORE, "ii. the members of the board."),
        (BEFORE, "https://example.org/board."),
        (BEFORE, "ann: you are right."),
        # Chats, headlines and commands.
        (BEFORE.lower(), "yes, you are right."),
        (BEFORE, "stocks fall as the war goes on"),
        (BEFORE, "sudo apache2 restart"),
        ("", "board for Canada."),
    ],
)
def test_what_looks_alike_begins_a_paragraph(first, second):
    assert find("The House met.", first, second) == []


def test_verse_is_not_joined():
    stanza = (
        "the plowman homeward plods\nhis weary way to where\nthe curfew tolls the knell\nof day,"
    )
    assert find(stanza.capitalize(), *[stanza] * 9) == []
    # Each is a sentence of prose.
    prose = "And so the plowman homeward plods his weary way through fields, to where"
    assert find(prose, "the curfew tolls the knell of day.") == [1]


def test_the_head_of_a_page_is_no_part_of_a_sentence():
    head = "RFC 1951, the DEFLATE Compressed Data Format Specification of the Group, Page {}"
    assert find(head.format(1), "it is.", head.format(2), "as such.") == []


LINES = (
    *("We are at a ranch just outside", "Carbondale, Colorado, on a beautiful day."),
    *("I worked up here at the ranch right after the owners", "had bought it."),
    *("It has really become", "one of the centres of the building of soil", "in all the country."),
    *("Yes", "In a handful of it are as many microbes as", "humans on the earth. And they"),
    *("help the soil to grow.", "Ann Lee: I see. And that is how"),
)


def test_a_blank_line_after_each_line():
    assert find(*LINES) == [1, 3, 5, 6, 9, 10]


def test_a_blank_line_after_each_line_of_a_list():
    lines = ("Need agendas for the next meeting", "crowdfunding", "Me: a panel of widgets")
    assert find(*lines, "email the controller", "Leap of faith", "notes") == []
