"""The furniture of pages: lines that repeat, numbers of pages, what lists these, and the licences
of books."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import (
    Line,
    closes_sentence,
    ends_sentence,
    has_capitals,
    is_unknown,
    mask_numbers,
)

_FEWEST = 3
"""Times that a line without a number stands at the top or the foot of a page."""

_OF_ALIKE = 1 / 3
"""The share of lines that are alike but for their numbers, and that stand within a sentence, or
beside a number of a page or others of these, from which all of them are furniture."""

_PAGES = sorted({word for language in iter_languages() for word in get_words(language).pages})
_OF_PAGE = rf"(?:{'|'.join(_PAGES)})\W{{0,3}}9(?:\W+(?:\w+\W+)?9)?\W*"
_PAGE = re.compile(rf"\W*{_OF_PAGE}", re.IGNORECASE)
_WITH_PAGE = re.compile(rf"\b{_OF_PAGE}\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\W*9\W*")

_ENTRY = re.compile(r"(?:.{0,200}(?:\s|\.\.|…|·))?(\d{1,4})", re.DOTALL)
"""A line that ends with a number."""
_FEWEST_ENTRIES, _LONGEST_ENTRY = 5, 3
"""Entries of a table of contents, and the lines of one."""
_LONGEST_HEAD = 80
"""Characters of a running head."""
_NAME = re.compile(r"(?:\d{1,4}\W+)?(.+?)(?:\W+\d{1,4})?", re.DOTALL)
"""What a running head says beside the number of its page."""
_LINES_OF_HEAD = 3
"""Lines that stand together at the top or the foot of a page, at most."""
_FIRST_YEAR = 1500
"""Larger numbers may be years."""

_BOOK = re.compile(
    r"(?:(?P<begins>\*{3} ?START)|(?:\*{3} ?)?END) OF (?:TH(?:E|IS) )?PROJECT GUTENBERG\b",
    re.IGNORECASE,
)
"""Begins or ends a book of Project Gutenberg, whose licence stands around it."""


def detect_furniture(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides tables of contents, the licence around a book, and what stands at the top or
    the foot of pages: their numbers, and lines that are alike but for their numbers, some of which
    stand within a sentence or beside a number of a page."""
    around = find_around_books([line.text for line in lines])
    yield from (lines[n].as_block("aside") for n in sorted(around) if lines[n].text)
    unknown = [line for n, line in enumerate(lines) if is_unknown(line) and n not in around]
    listed = _find_contents(unknown)
    yield from (unknown[n].as_block("aside") for n in sorted(listed))
    unknown = [line for n, line in enumerate(unknown) if n not in listed]
    alike = defaultdict(list)
    for place, line in enumerate(unknown):
        alike[mask_numbers(line.text)].append(place)
    groups = {
        shape: places
        for shape, places in alike.items()
        if _PAGE.fullmatch(shape) or _is_repeated([unknown[n].text for n in places])
    }
    found = {
        place
        for shape, places in groups.items()
        if _PAGE.fullmatch(shape)
        or (len(places) > 1 and _WITH_PAGE.search(shape))
        or _are_page_numbers(shape, places, unknown)
        for place in places
    }
    repeated = {place for places in groups.values() for place in places}
    within = _find_within_sentences(unknown, repeated)
    for _ in range(_LINES_OF_HEAD):
        near = within | {place for number in found for place in (number - 1, number + 1)}
        for places in groups.values():
            if sum(place in near for place in places) >= _OF_ALIKE * len(places):
                found |= {*places}
    for place in sorted(found):
        yield unknown[place].as_block("aside")
    of_heads = {unknown[place].start for place in found}
    yield from (line.as_block("aside") for line in _find_without_numbers(lines, of_heads))


def _find_without_numbers(lines: Sequence[Line], heads: set[int]) -> Iterator[Line]:
    """Yield the lines that say what three running heads or more do, without the number of a page.
    What stands above all of these may be a title, if it is not within a sentence. heads: Where
    running heads start."""
    places: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        if line.start in heads and len(line.text) <= _LONGEST_HEAD:
            name = _NAME.fullmatch(line.text)
            if name and name[1] != line.text and any(map(str.isalpha, name[1])):
                places[name[1]].append(line.start)
    for before, line in pairwise(lines):
        found = places.get(line.text, [])
        is_within = before.text and not closes_sentence(before.text)
        if len(found) >= _FEWEST and is_unknown(line) and (line.start > found[0] or is_within):
            yield line


def _find_contents(lines: Sequence[Line]) -> set[int]:
    """The lines, by their places, of tables of contents and the like: many that say something else
    each and end with a number stand near each other, and the numbers never fall."""
    found: set[int] = set()
    runs: list[list[int]] = [[]]
    last = 0
    for place, line in enumerate(lines):
        entry = _ENTRY.fullmatch(line.text)
        if not entry or (number := int(entry[1])) >= _FIRST_YEAR:
            continue
        if runs[-1] and (number < last or place - runs[-1][-1] > _LONGEST_ENTRY):
            runs.append([])
        runs[-1].append(place)
        last = number
    for run in runs:
        distinct = {mask_numbers(lines[place].text) for place in run}
        if 2 * len(distinct) > len(run) >= _FEWEST_ENTRIES:
            found.update(range(run[0], run[-1] + 1))
    return found


def find_around_books(texts: Iterable[str]) -> set[int]:
    """The places of texts that stand above the line that begins a book of Project Gutenberg, and
    below the one that ends it, and of these lines."""
    marks = [_BOOK.match(text.strip()) for text in texts]
    first = next(filter(None, marks), None)
    is_inside = first is None or not first["begins"]
    found = set()
    for place, mark in enumerate(marks):
        is_inside = bool(mark["begins"]) if mark else is_inside
        found |= {place} if mark or not is_inside else set()
    return found


def _is_repeated(texts: Sequence[str]) -> bool:
    return len(texts) >= (2 if len({*texts}) > 1 else _FEWEST)


def _are_page_numbers(shape: str, places: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether lines are numbers that rise, with much between them."""
    if not _NUMBER.fullmatch(shape) or len(places) > len(lines) / 10:
        return False
    numbers = [int(re.sub(r"\D", "", lines[place].text)) for place in places]
    return all(first < second for first, second in pairwise(numbers))


def _find_within_sentences(lines: Sequence[Line], repeated: set[int]) -> set[int]:
    """The lines, by their numbers, that repeat between two others which are one sentence, and are
    no part of it."""
    found: set[int] = set()
    if has_capitals(lines):
        rest = [place for place in range(len(lines)) if place not in repeated]
        for before, after in pairwise(rest):
            if lines[after].text[0].islower() and not ends_sentence(lines[before].text):
                within = range(before + 1, after)
                found |= {place for place in within if not lines[place].text[0].islower()}
    return found
