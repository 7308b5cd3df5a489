"""Notes that interrupt a text, as transcribers of books set them: footnotes and pictures."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from spacy_thematic.lang import get_words
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, is_unknown

_NAMED = re.compile(
    rf"\[(?:{'|'.join(sorted(get_words('en').inserts))})\b[^][:]{{0,30}}:", re.IGNORECASE
)
"""What a note begins with: "[Footnote 3:", "[Music illustration:", "[Transcriber's note:"."""

_NUMBERED = re.compile(r"\[(\d{1,3})\]\s+\S")
"""Or this, if a word of the text has its mark: "the junto;[54]"."""

_MARK = re.compile(r"(?<=[^\s\[\](])\[(\d{1,3})\]")

_LONGEST = 60
"""Lines of a note in brackets, from which it seems that nothing closes them."""


def detect_notes(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides the notes in brackets, up to the bracket that closes, and the paragraphs that
    begin with a number whose mark a word of the text has."""
    marks = {number for line in lines for number in _MARK.findall(line.text)}
    end, is_numbered = 0, False
    are_notes = []
    for place, line in enumerate(lines):
        if place == 0 or not lines[place - 1].text:
            numbered = _NUMBERED.match(line.text)
            is_numbered = numbered is not None and numbered[1] in marks
            if place >= end and _NAMED.match(line.text):
                end = place + _count_lines(lines[place : place + _LONGEST])
        are_notes.append((is_numbered or place < end) and is_unknown(line))
    for is_note, group in groupby(zip(are_notes, lines), itemgetter(0)):
        if is_note:
            own = [line for _, line in group]
            yield Block("aside", own[0].start, own[-1].end)


def _count_lines(lines: Sequence[Line]) -> int:
    """The number of lines up to that in which the bracket of the first closes; 0 if none does."""
    depth = 0
    for n, line in enumerate(lines, 1):
        depth += line.text.count("[") - line.text.count("]")
        if depth <= 0:
            return n
    return 0
