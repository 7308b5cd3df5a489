"""Paragraphs that a blank line divides although a sentence goes on: at the end of a page, or where
one stands after each line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from spacy_thematic.layout.headings import is_like_heading
from spacy_thematic.layout.lines import (
    ITEM,
    OF_GOING_ON,
    Line,
    are_verse,
    iter_lines,
    mask_numbers,
    measure_width,
)
from spacy_thematic.layout.speech import NAME

_OPENING = "\"'“‘«(["
_WORD = re.compile(r"(?![ivx]+\.)(?:[ai]|[^\W\d_]{2,}(?:['’-][^\W\d_]+)*)[,;.!?]?[\"”’)]?(?:\s|\Z)")
_OTHER = re.compile(rf"{NAME}:\s|{ITEM.pattern}", ITEM.flags)
"""What somebody else says, or an item of a list."""

_FEWEST = 3
"""Sentences that go on after a blank line, from which one may stand after each line of a text."""

_LEAST_FULL = 0.5
"""The least length of a line that does not end a paragraph then, of the width."""

_LONGEST_HEADING = 60
"""Characters of a heading above a paragraph that begins in lower case."""


def find_going_on(paragraphs: Sequence[str]) -> list[bool]:
    """Tell whether each paragraph goes on with a sentence of the one before it.

    The one before is no heading, begins with a capital and ends without punctuation, or with a
    comma; the other begins with a word in lower case and ends with punctuation, unless it goes on
    as well. Where a blank line stands after each line, any long one without punctuation at its end
    goes on. What repeats but for its numbers, as the head of a page, is no part of a sentence. No
    verse goes on."""
    verse = [line for one in paragraphs for line in (*iter_lines(one), Line(0, ""))]
    if len(paragraphs) < 2 or are_verse(verse):
        return [False] * len(paragraphs)
    lines = [Line(0, one.strip().rpartition("\n")[2].strip()) for one in paragraphs]
    times = Counter(mask_numbers(line.text) for line in lines)
    are_open = [
        times[mask_numbers(line.text)] == 1 and (line.text[-1:].isalnum() or line.text[-1:] == ",")
        for line in lines
    ]
    are_begun = [one.lstrip(_OPENING)[:1].isupper() for one in paragraphs]
    may_go_on = [False]
    for is_open, is_begun, text in zip(are_open, are_begun, paragraphs[1:]):
        is_lower = text[:1].islower() and _WORD.match(text) and not ITEM.match(text)
        may_go_on.append(bool(is_open and is_lower and (is_begun or may_go_on[-1])))
    are_ended = [*may_go_on, False]
    for number in range(len(lines) - 1, 0, -1):
        are_ended[number] &= are_ended[number + 1] or not lines[number].text[-1:].isalnum()
    found = [False]
    for is_ended, is_begun, first in zip(are_ended[1:], are_begun, paragraphs[:-1]):
        found.append(is_ended and (found[-1] or (is_begun and not _is_heading(first))))
    least = _LEAST_FULL * measure_width(lines)
    are_long = [False, *(len(line.text) >= least for line in lines)]
    n_broken = sum(
        is_ended and (goes_on or is_long)
        for is_ended, goes_on, is_long in zip(are_ended, found, are_long)
    )
    if n_broken < max(_FEWEST, OF_GOING_ON * (len(lines) - 1)):
        return found
    return [
        may or (is_open and is_long and not _OTHER.match(text))
        for may, is_open, is_long, text in zip(may_go_on, [False, *are_open], are_long, paragraphs)
    ]


def _is_heading(paragraph: str) -> bool:
    """Whether a paragraph may be a heading, or the greeting of a letter."""
    text = " ".join(paragraph.split()).rstrip(",")
    return len(text) <= _LONGEST_HEADING and (" " not in text or is_like_heading(Line(0, text)))
