"""The blocks of a plain text."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from spacy_thematic.layout.blocks import KINDS, Block
from spacy_thematic.layout.headings import detect_headings
from spacy_thematic.layout.line_numbers import blank_out, find_line_numbers
from spacy_thematic.layout.lines import (
    ITEM,
    LEADS_ON,
    LONGEST_HEADING,
    Line,
    are_paragraphs,
    are_wrapped,
    closes_sentence,
    ends_sentence,
    group_unknown,
    is_broken,
    is_full,
    is_unknown,
    iter_lines,
    keep_unknown,
    measure_width,
    pair_lines,
)
from spacy_thematic.layout.mail import detect_mail
from spacy_thematic.layout.notation import detect_notation
from spacy_thematic.layout.notes import detect_notes
from spacy_thematic.layout.repeats import detect_furniture
from spacy_thematic.layout.speech import detect_speech, detect_subtitles
from spacy_thematic.layout.tables import detect_code, detect_tables

Detector = Callable[[Sequence[Line]], Iterable[Block]]
"""The lines of a text, of which some are known already, to blocks: each all of a line, or of some
that follow each other, or, of the kinds "speaker", "prefix" and "heading", the beginning of one."""

DETECTORS: dict[str, Detector] = {
    "code": detect_code,
    "tables": detect_tables,
    "subtitles": detect_subtitles,
    "mail": detect_mail,
    "notes": detect_notes,
    "speech": detect_speech,
    "furniture": detect_furniture,
    "notation": detect_notation,
    "headings": detect_headings,
}
"""By their short names, in the order in which they look at a text."""

LINES = "auto", "yes", "no"

_FEWEST = 3
_OF_PAIRS, _LEAST_FULL = 0.2, 0.5
"""The most lines of a list that may end in the middle of a sentence, and the least length of such
a line, of the width: nine of ten lines of wrapped texts are longer. Writers of reviews often leave
out capitals and full stops."""

_MOST_ENDS = 0.7
"""More groups of lines than this share of the lines are no paragraphs."""

_FEWEST_WRAPPED, _NARROWEST = 4, 40
"""Lines of a paragraph between those of a list, and characters to which they are wrapped."""

_INITIAL = re.compile(r"[A-Z]\.\s+\S")

_SHORT = 0.8
"""A line that ends a paragraph is shorter than this share of the width."""


def read_plain(
    text: str,
    detectors: Iterable[Detector] = tuple(DETECTORS.values()),
    lines: str = "auto",
    known: Iterable[Block] = (),
) -> list[Block]:
    """Find the blocks of a plain text, in time that grows with its length. The numbers of lines are
    read as space; those between blocks are asides.

    Args:
        text: Of any kind.
        detectors: Each says what it knows of the lines, the first ones first.
        lines: "auto": each is a block where `have_sentences` says so, but for paragraphs that are
            wrapped. "yes": each is. "no": none.
        known: Blocks of whole lines that markup tells, in order: nothing else looks at them.

    Returns:
        The blocks in order, those within others after them: a speaker is within what is said.

    Raises:
        ValueError: If a detector finds something that is not on a line.
    """
    numbers = find_line_numbers(text)
    of_text = [*iter_lines(blank_out(text, numbers))]
    found = _mark(of_text, known)
    found += label_lines(of_text, detectors)
    ends = {block.start: block.end for block in found if block.kind == "heading"}
    of_text = [part for line in of_text for part in _part(line, ends.get(line.start, line.end))]
    has_lines = have_sentences(of_text) if lines == "auto" else lines == "yes"
    found += _find_prose(of_text, has_lines, may_wrap=lines == "auto")
    within = (
        numbers[bisect_left(numbers, (block.start,)) : bisect_left(numbers, (block.end,))]
        for block in found
    )
    held = {number for block in within for number in block}  # They are in sentences.
    found += [Block("aside", *number) for number in numbers if number not in held]
    return sorted(found, key=lambda block: (block.start, -block.end))


def label_lines(lines: Sequence[Line], detectors: Iterable[Detector]) -> list[Block]:
    """Say of the lines of a text what detectors find, and return it. Raises ValueError if one finds
    something that is not on a line."""
    found = []
    places = {line.start: place for place, line in enumerate(lines) if line.text}
    for detect in detectors:
        for block in [*detect(lines)]:
            own = _list_lines(lines, places.get(block.start), block.end)
            if block.kind not in KINDS or not own:
                raise ValueError(
                    f"Expected blocks that begin with a line, and end on it or with one below, of "
                    f"a kind among {', '.join(KINDS)}; {detect!r} found {block!r}."
                )
            if any(line.kind for line in own):
                continue
            if block.end < own[0].end and block.kind != "heading":
                own[0].said = block.end - block.start
            else:
                for line in own:
                    line.kind = block.kind
            found.append(block)
    return found


def _list_lines(lines: Sequence[Line], place: int | None, end: int) -> list[Line]:
    """The line at a place, and those below up to the one that ends there; none if no line does."""
    if place is None:
        return []
    own = [lines[place]]
    while own[-1].end < end and place + len(own) < len(lines):
        own.append(lines[place + len(own)])
    return own if (len(own) == 1 and end <= own[0].end) or own[-1].end == end else []


def _mark(lines: Sequence[Line], known: Iterable[Block]) -> list[Block]:
    """Say of lines what they are, and return the blocks without the space around them."""
    starts = [line.start for line in lines]
    found = []
    for block in known:
        within = lines[bisect_left(starts, block.start) : bisect_left(starts, block.end)]
        if filled := [line for line in within if line.text]:
            found.append(block._replace(start=filled[0].start, end=filled[-1].end))
        for line in filled:
            line.kind = block.kind
    return found


def _part(line: Line, end: int) -> list[Line]:
    """A line; or, where a heading ends within it, this, an empty line, and what is left."""
    if end >= line.end:
        return [line]
    first, rest = line.text[: end - line.start], line.text[end - line.start :]
    start = end + len(rest) - len(rest.lstrip())
    return [replace(line, text=first), Line(end, ""), Line(start, rest.lstrip())]


def _find_prose(lines: Sequence[Line], has_lines: bool, may_wrap: bool) -> Iterator[Block]:
    """What no detector knows: lines, if they are sentences, with those that go on with an item, and
    the paragraphs of some of them; or paragraphs, and items of lists. A paragraph between such
    lines may be wrapped."""
    if not has_lines:
        yield from _find_paragraphs(lines, group_unknown(lines))
        return
    between_blanks = (group for _, group in groupby(lines, lambda line: not line.text))
    groups = [*filter(None, ([*filter(is_unknown, group)] for group in between_blanks))]
    n_lines = sum(map(len, groups))
    own = [line for group in groups for line in group]
    least, is_prose = _LEAST_FULL * measure_width(own), are_paragraphs(own)
    for group in groups:
        if may_wrap and _is_wrapped(group):
            yield from _find_paragraphs(group, [group])
            continue
        if len(group) > 1 and 1 < len(groups) <= _MOST_ENDS * n_lines:
            yield Block("paragraph", group[0].start, group[-1].end)
        start = 0
        for end, (line, after) in enumerate(zip(group, [*group[1:], None]), start=1):
            if after is None or not (
                (len(line.text) >= least and _hangs(group[start], line, after))
                or (is_prose and _is_torn(line, after))
            ):
                yield Block("line", group[start].start, line.end)
                start = end


def _hangs(first: Line, line: Line, after: Line) -> bool:
    """Whether a line goes on with an item, or with what somebody says, that a line above begins: it
    has more space before it, or a lower-case letter where the line above it ends no sentence."""
    is_item = first.said > 0 or ITEM.match(first.text) is not None
    is_new = after.said > 0 or ITEM.match(after.text) is not None
    return is_item and not is_new and (after.indent > first.indent or is_broken(line, after))


def _is_torn(line: Line, after: Line) -> bool:
    """Whether a paragraph of one line seems to be broken: it is long, and ends in the middle of a
    sentence."""
    is_open = is_broken(line, after) or (not after.said and LEADS_ON.search(line.text) is not None)
    return len(line.text) > LONGEST_HEADING and is_open


def _find_paragraphs(lines: Sequence[Line], groups: Sequence[Sequence[Line]]) -> Iterator[Block]:
    """Paragraphs and items of lists, in groups of lines without a blank line between."""
    width = measure_width([line for group in groups for line in group])
    is_wrapped = are_wrapped(lines)
    has_blanks = len(groups) > 1
    for group in groups:
        start = 0
        for end, (line, after) in enumerate(zip(group, [*group[1:], None]), start=1):
            if (
                after is None
                or after.said
                or (ITEM.match(after.text) and not (is_wrapped and _is_initial(line, after, width)))
                or (_is_last(line, after, width) if is_wrapped else not has_blanks)
            ):
                kind = "item" if ITEM.match(group[start].text) else "paragraph"
                yield Block(kind, group[start].start, line.end)
                start = end


def _is_initial(line: Line, after: Line, width: int) -> bool:
    """Whether a line begins with an initial, such as that of a name that begins on the one above,
    which is full: "Ulysses" and "S. Grant"."""
    is_within = not ends_sentence(line.text) and is_full(line, after, width)
    return is_within and _INITIAL.match(after.text) is not None


def _is_wrapped(group: Sequence[Line]) -> bool:
    return (
        len(group) >= _FEWEST_WRAPPED
        and not any(line.said for line in group)
        and measure_width(group) >= _NARROWEST
        and are_wrapped(group)
    )


def _is_last(line: Line, after: Line, width: int) -> bool:
    """Whether a line ends a paragraph, as it ends a sentence and leaves much of its width free."""
    return (
        closes_sentence(line.text)
        and len(line.text) < _SHORT * width
        and not is_full(line, after, width)
        and not after.text[0].islower()
    )


def have_sentences(lines: Sequence[Line]) -> bool:
    """Tell whether sentences start on the lines of a text, which is no prose that was broken into
    lines of some width: whether there are three or more, and someone says most; or they are not
    wrapped, and many are a sentence, or part of none."""
    lines = keep_unknown(lines)
    filled = [line for line in lines if line.text]
    if len(filled) < _FEWEST:
        return False
    if sum(line.said > 0 for line in filled) > len(filled) / 2:
        return True
    pairs = pair_lines(lines)
    if sum(ends_sentence(line.text) for line in filled) < len(filled) / 2:
        return not are_wrapped(lines)
    # Reviews, or a list: not verse, nor a note of a few paragraphs.
    stops = sum(closes_sentence(first.text) for first, _ in pairs)
    least = _LEAST_FULL * measure_width(filled)
    n_broken = sum(is_broken(*pair) and len(pair[0].text) >= least for pair in pairs)
    return len(pairs) >= _FEWEST and 2 * stops >= len(pairs) and n_broken <= _OF_PAIRS * len(pairs)
