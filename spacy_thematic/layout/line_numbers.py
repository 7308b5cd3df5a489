"""The numbers of lines, as in transcripts and bills."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from spacy_thematic.layout.lines import (
    OF_GOING_ON,
    Line,
    has_capitals,
    is_broken,
    iter_lines,
    measure_width,
)

_FIRST, _LAST = re.compile(r"\d{1,5}(?!\S)"), re.compile(r"(?<!\S)\d{1,5}\Z")
_FEWEST, _OF_PAIRS, _MOST_BETWEEN = 8, 0.75, 10
"""The pairs of numbers that count the lines between them: how many, their share, since each page
may begin with 1, and the most lines between two."""

_NARROWEST = 30
"""Characters to which lines are broken, as those of a list that has numbers may not be."""


def find_line_numbers(text: str) -> list[tuple[int, int]]:
    """Return where the numbers stand that count the lines of a text, all or each fifth, at the
    beginnings of lines or at their ends. Those before the items of a list are none: if all lines
    have a number, sentences go on from one to the next."""
    lines = [*iter_lines(text)]
    for find in (_FIRST.match, _LAST.search):
        numbers = _find_counts(lines, find)
        if numbers and (
            2 * len(numbers) < sum(bool(line.text) for line in lines)
            or _go_on(blank_out(text, numbers))
        ):
            return numbers
    return []


def blank_out(text: str, places: Iterable[tuple[int, int]]) -> str:
    """Return a text with spaces in some places."""
    parts, end = [], 0
    for start, stop in places:
        parts += [text[end:start], " " * (stop - start)]
        end = stop
    return "".join([*parts, text[end:]])


def _find_counts(
    lines: Sequence[Line], find: Callable[[str], re.Match[str] | None]
) -> list[tuple[int, int]]:
    """Where numbers stand of which nearly each is larger than the one before it by the lines
    between, with the empty ones or without; and those of pages, on lines of their own."""
    filled = [(place, line) for place, line in enumerate(lines) if line.text]
    found = [
        (n, place, int(match[0]), (line.start + match.start(), line.start + match.end()))
        for n, (place, line) in enumerate(filled)
        if (match := find(line.text))
    ]
    counts = [
        number - former
        if 0 < number - former <= _MOST_BETWEEN and number - former in (n - first, after - place)
        else 0
        for (first, place, former, _), (n, after, number, _) in pairwise(found)
    ]
    n_pairs = len(counts) - counts.count(0)
    if n_pairs < max(_FEWEST, _OF_PAIRS * len(counts)) or 2 * sum(counts) < len(filled):
        return []
    return [
        place
        for (n, _, _, place), before, after in zip(found, [0, *counts], [*counts, 0])
        if before or after or filled[n][1].text.isdecimal()
    ]


def _go_on(text: str) -> bool:
    """Whether sentences go on from line to line, which may be double-spaced."""
    lines = [line for line in iter_lines(text) if line.text]
    n_broken = sum(is_broken(*pair) for pair in pairwise(lines))
    is_wide = measure_width(lines) >= _NARROWEST
    return is_wide and has_capitals(lines) and n_broken > OF_GOING_ON * len(lines)
