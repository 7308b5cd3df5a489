"""The units of a text that are not cut: sentences, and pieces of those that are too large."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.chunking.counting import Limits, split_to_fit
from spacy_thematic.chunking.layout import Layout
from spacy_thematic.doc_layout import write_blocks
from spacy_thematic.pipeline.reading import Reading
from spacy_thematic.pipeline.segments import find_extents
from spacy_thematic.segmentation.passage import Passage, weigh_lengths
from spacy_thematic.sentences.tokenizing import tokenize

BOUND = 100.0
"""What a cut after a heading costs: more than it can gain."""

WITHIN = -10.0
"""The log odds that a section begins within a sentence."""


class Units(NamedTuple):
    """Units that cover a text.

    Attributes:
        places: Where each begins, and the end of the text, (n + 1,), in characters.
        headings: Whether each is a heading, or a part of one, (n,).
        sentences: The sentence that each is a part of, an index, (n,).
    """

    places: list[int]
    passage: Passage
    headings: np.ndarray
    sentences: np.ndarray


def make_layout_doc(nlp: Language, layout: Layout) -> Doc:
    """Make a Doc of the prose, with its layout, in which each block begins a sentence."""
    doc = tokenize(nlp, layout.prose)
    if not len(doc):
        return doc
    write_blocks(doc, layout.blocks)
    places, are_spaces = doc.to_array(["IDX", "IS_SPACE"]).T
    words = np.flatnonzero(are_spaces == 0)
    firsts = np.searchsorted(places[words].astype(np.int64), layout.find_starts())
    starts = np.zeros(len(doc), np.uint64)
    starts[words[firsts[firsts < len(words)]]] = 1
    # All at once: each assignment to `is_sent_start` looks through the whole Doc.
    return doc.from_array(["SENT_START"], starts)


def find_units(reading: Reading, layout: Layout, limits: Limits) -> Units:
    """Find the units of a text. Raises ValueError if a single character is
    above the largest size."""
    doc, sentences, vectors = reading.doc, reading.sentences, reading.vectors
    find_extents(doc, sentences)  # Checks their order.
    if not sentences:
        vectors = np.zeros((1, 1), np.float32)
    places, rows, sizes = [layout.start], [], []
    starts = [*_find_starts(sentences, layout), len(layout.text)]
    for row, (start, end) in enumerate(pairwise(starts)):
        for piece in split_to_fit(layout.text[start:end], limits.fits):
            places.append(places[-1] + len(piece))
            rows.append(row)
            sizes.append(limits.measure(piece))
    headings = _find_headings(places, layout)
    of_gaps = np.append(reading.log_odds, WITHIN)[rows[:-1]]
    log_odds = np.where(np.diff(rows) > 0, of_gaps, WITHIN)
    passage = Passage(
        vectors[rows],
        sizes=sizes,
        smallest=min(limits.smallest, limits.room),
        largest=limits.room,
        weights=weigh_lengths(
            np.array([len(layout.prose[start:end].strip()) for start, end in pairwise(places)])
        ),
        gap_scores=np.where(headings[:-1], -BOUND, 0),
        log_odds=log_odds,
    )
    return Units(places, passage, headings, np.array(rows))


def _find_starts(sentences: Sequence[Span], layout: Layout) -> Iterator[int]:
    """Where each sentence begins, with the markup before it. The first one begins the text, after
    front matter."""
    yield layout.start
    blocks = layout.find_starts()
    for before, sentence in pairwise(sentences):
        after = before.start_char + len(before.text.rstrip())
        start = sentence.end_char - len(sentence.text.lstrip())
        block = bisect_left(blocks, after)
        yield min([start, *blocks[block : block + 1]])


def _find_headings(places: list[int], layout: Layout) -> np.ndarray:
    found = np.zeros(len(places) - 1, dtype=bool)
    for heading in layout.headings:
        first = bisect_right(places, heading.start) - 1
        found[first : max(bisect_left(places, heading.end), first + 1)] = True
    return found
