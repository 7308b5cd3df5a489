"""The sections of a text. Small ones are joined."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from spacy_thematic.chunking.layout import Layout
from spacy_thematic.chunking.units import Units


class UnitSection(NamedTuple):
    """The units of a text from one heading to the next. `level` is 0 before the first heading."""

    start: int
    end: int
    size: float
    level: int


def find_sections(units: Units, layout: Layout) -> list[UnitSection]:
    """Find the sections of a text. A heading right below a higher one is in one section with it,
    and small sections are joined."""
    levels = {0: 0}
    above = 0
    for heading in layout.headings:
        start = bisect_right(units.places, heading.start) - 1
        follows_heading = units.headings[max(start - 1, 0) : start].any()
        if not follows_heading or heading.level <= above:
            levels[start] = heading.level
        above = heading.level
    sizes = units.passage.sizes
    bounds = pairwise([*levels, len(sizes)])
    sections = (
        UnitSection(start, end, float(sizes[start:end].sum()), levels[start])
        for start, end in bounds
    )
    return list(join_small(sections, units.passage.smallest, units.passage.largest))


def join_small(
    sections: Iterable[UnitSection], smallest: float, largest: float
) -> Iterator[UnitSection]:
    """Join sections below the smallest size with a neighbour, up to the largest size.

    None is joined with what is before it over a heading of a higher level than that of what is
    before it. So a heading goes with the first section below it, and the last small section of a
    chapter stays in the chapter.
    """
    last = None
    for section in sections:
        if (
            last is not None
            and section.level >= last.level
            and min(last.size, section.size) < smallest
            and last.size + section.size <= largest
        ):
            last = UnitSection(last.start, section.end, last.size + section.size, last.level)
        else:
            yield from filter(None, [last])
            last = section
    yield from filter(None, [last])
