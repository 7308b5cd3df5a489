"""Cutting a text into chunks: its sections, of which small ones are joined, and each of these where
its theme changes, within sizes."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from spacy_thematic.chunking.counting import Limits
from spacy_thematic.chunking.layout import Layout
from spacy_thematic.chunking.units import Units
from spacy_thematic.segmentation.kernel_change_points import kernel_change_points
from spacy_thematic.segmentation.passage import Passage

SCALE = 2.0
"""How many times what it costs between segments a cut costs here, as fuller chunks hold more of an
answer. Chosen on dev articles whose headings were the questions."""


class UnitSection(NamedTuple):
    """The units of a text from one heading to the next. `level` is 0 before the first heading."""

    start: int
    end: int
    size: float
    level: int


def cut_text(units: Units, layout: Layout, limits: Limits) -> Iterator[int]:
    """Yield the unit after each chunk of a text, at most the largest size by their count. A section
    that has a heading and fits is one chunk, for its author has said what it is about."""
    for section in _join_small(_find_sections(units, layout), units.passage):
        passage = units.passage.part(section.start, section.end)
        is_headed = units.headings[section.start : section.end].any()
        is_whole = is_headed and section.size <= passage.largest
        parts = [section[:2]] if is_whole else _cut(passage, section.start)
        for start, end in parts:
            yield from _cut_again(start, end, units, layout, limits)


def _find_sections(units: Units, layout: Layout) -> Iterator[UnitSection]:
    """The sections of a text. A heading right below a higher one is in one section with it."""
    levels = {0: 0}
    above = 0
    for heading in layout.headings:
        start = bisect_right(units.places, heading.start) - 1
        follows_heading = units.headings[max(start - 1, 0) : start].any()
        if not follows_heading or heading.level <= above:
            levels[start] = heading.level
        above = heading.level
    sizes = units.passage.sizes
    for start, end in pairwise([*levels, len(sizes)]):
        yield UnitSection(start, end, float(sizes[start:end].sum()), levels[start])


def _join_small(sections: Iterable[UnitSection], passage: Passage) -> Iterator[UnitSection]:
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
            and min(last.size, section.size) < passage.smallest
            and last.size + section.size <= passage.largest
        ):
            last = UnitSection(last.start, section.end, last.size + section.size, last.level)
        else:
            yield from filter(None, [last])
            last = section
    yield from filter(None, [last])


def _cut(passage: Passage, first: int) -> Iterator[tuple[int, int]]:
    starts = [0]
    if len(passage) > 1:
        starts = kernel_change_points(passage, None, scale=SCALE).starts.tolist()
    for start, end in pairwise([*starts, len(passage)]):
        yield first + start, first + end


def _cut_again(start: int, end: int, units: Units, layout: Layout, limits: Limits) -> Iterator[int]:
    """Cut what is too large by a tokenizer for which sizes do not add up, by its characters."""
    places = units.places[start : end + 1]
    size = limits.count(layout.text[places[0] : places[-1]])
    if size <= limits.largest:
        yield end
        return
    lengths = np.diff(places)
    largest = lengths.sum() * limits.largest / size
    whole = units.passage.part(start, end)
    for part in _cut(whole.replace(sizes=lengths, smallest=0, largest=largest), start):
        yield from _cut_again(*part, units, layout, limits)
