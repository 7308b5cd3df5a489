"""Cutting a section where its theme changes, within sizes."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from spacy_thematic.chunking.counting import Limits
from spacy_thematic.chunking.layout import Layout
from spacy_thematic.chunking.sections import UnitSection
from spacy_thematic.chunking.units import Units
from spacy_thematic.segmentation.kernel_change_points import kernel_change_points
from spacy_thematic.segmentation.passage import Passage

SCALE = 2.0
"""How many times what it costs between segments a cut costs here, as fuller chunks hold more of an
answer. Chosen on dev articles whose headings were the questions."""


def cut_section(
    section: UnitSection, units: Units, layout: Layout, limits: Limits
) -> Iterator[int]:
    """Yield the unit after each chunk of a section, at most the largest size by their count. Where
    it has a heading and fits, it is one chunk, for its author has said what it is about."""
    passage = units.passage.part(section.start, section.end)
    is_whole = section.size <= passage.largest and units.headings[section.start : section.end].any()
    parts = [section[:2]] if is_whole else _cut(passage, section.start)
    for start, end in parts:
        yield from _cut_again(start, end, units, layout, limits)


def _cut(passage: Passage, first: int) -> Iterator[tuple[int, int]]:
    starts = (
        [0]
        if len(passage) == 1
        else kernel_change_points(passage, None, scale=SCALE).starts.tolist()
    )
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
