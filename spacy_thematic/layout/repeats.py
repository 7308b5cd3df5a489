"""Lines that repeat: the furniture of pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, ends_sentence, has_capitals, is_unknown, mask_numbers

_FEWEST = 3
"""Times that a line without a number stands at the top or the foot of a page."""

_OF_ALIKE = 1 / 3
"""The share of lines that are alike but for their numbers, and that stand within a sentence, or
beside a number of a page, from which all of them are furniture."""

_PAGES = sorted({word for language in iter_languages() for word in get_words(language).pages})
_OF_PAGE = rf"(?:{'|'.join(_PAGES)})\W{{0,3}}9(?:\W+(?:\w+\W+)?9)?\W*"
_PAGE = re.compile(rf"\W*{_OF_PAGE}", re.IGNORECASE)
_WITH_PAGE = re.compile(rf"\b{_OF_PAGE}\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\W*9\W*")


def detect_furniture(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides what stands at the top or the foot of pages: their numbers, and lines that
    are alike but for their numbers, some of which stand within a sentence or beside a number of a
    page."""
    unknown = [line for line in lines if is_unknown(line)]
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
    within = _find_within_sentences(unknown, repeated) | {
        place for number in found for place in (number - 1, number + 1)
    }
    for places in groups.values():
        n_within = sum(place in within for place in places)
        if n_within and n_within >= _OF_ALIKE * len(places):
            found |= {*places}
    for place in sorted(found):
        yield Block("aside", unknown[place].start, unknown[place].end)


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
