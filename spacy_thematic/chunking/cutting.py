"""Where a text is cut into chunks, by the numbers of its pieces: sentences, and parts of those that
are too large. They are divided into sections; small sections are joined, and each is cut where its
theme changes, within sizes."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.chunking.counting import Limits, split_to_fit
from spacy_thematic.chunking.source import Source
from spacy_thematic.doc_layout import write_blocks
from spacy_thematic.pipeline.reading import Reading
from spacy_thematic.pipeline.segments import find_extents
from spacy_thematic.segmentation.kernel_change_points import kernel_change_points
from spacy_thematic.segmentation.passage import Passage, weigh_lengths
from spacy_thematic.sentences.tokenizing import tokenize

BOUND = 100.0
"""What a cut after a heading costs: more than it can gain."""

WITHIN = -10.0
"""The log odds that a section begins within a sentence."""

SCALE = 2.0
"""How many times what it costs between segments a cut costs here, as fuller chunks hold more of an
answer. Chosen on dev articles whose headings were the questions."""


class Pieces(NamedTuple):
    """What covers a text: where each begins, and the end of the text, (n + 1,), in characters;
    whether each is a heading, or a part of one, (n,); and the sentence that each is a part of, an
    index, (n,)."""

    places: list[int]
    passage: Passage
    headings: np.ndarray
    sentences: np.ndarray


def make_source_doc(nlp: Language, source: Source) -> Doc:
    """Make a Doc of the prose, with its layout, in which each block begins a sentence."""
    doc = tokenize(nlp, source.prose)
    if not len(doc):
        return doc
    write_blocks(doc, source.blocks)
    places, are_spaces = doc.to_array(["IDX", "IS_SPACE"]).T
    words = np.flatnonzero(are_spaces == 0)
    firsts = np.searchsorted(places[words].astype(np.int64), source.find_starts())
    starts = np.zeros(len(doc), np.uint64)
    starts[words[firsts[firsts < len(words)]]] = 1
    # All at once: each assignment to `is_sent_start` looks through the whole Doc.
    return doc.from_array(["SENT_START"], starts)


def find_pieces(reading: Reading, source: Source, limits: Limits) -> Pieces:
    """Find the pieces of a text. Raises ValueError if a single character is above the largest
    size."""
    doc, sentences, vectors = reading.doc, reading.sentences, reading.vectors
    find_extents(doc, sentences)  # Checks their order.
    if not sentences:
        vectors = np.zeros((1, 1), np.float32)
    around = limits.count("")  # The tokens that a tokenizer puts around every text.
    room = max(limits.largest - around, 0)
    places, rows, sizes = [source.start], [], []
    starts = [*_find_starts(sentences, source), len(source.text)]
    for row, (start, end) in enumerate(pairwise(starts)):
        for piece in _split(source.text[start:end], limits):
            places.append(places[-1] + len(piece))
            rows.append(row)
            sizes.append(max(limits.count(piece) - around, 0))
    headings = np.zeros(len(rows), dtype=bool)
    for heading in source.headings:
        first = bisect_right(places, heading.start) - 1
        headings[first : max(bisect_left(places, heading.end), first + 1)] = True
    of_gaps = np.append(reading.log_odds, WITHIN)[rows[:-1]]
    lengths = [len(source.prose[start:end].strip()) for start, end in pairwise(places)]
    passage = Passage(
        vectors[rows],
        sizes=sizes,
        smallest=min(limits.smallest, room),
        largest=room,
        weights=weigh_lengths(np.array(lengths)),
        gap_scores=np.where(headings[:-1], -BOUND, 0),
        log_odds=np.where(np.diff(rows) > 0, of_gaps, WITHIN),
    )
    return Pieces(places, passage, headings, np.array(rows))


def _split(text: str, limits: Limits) -> list[str]:
    """Split a text into pieces that fit. Where the last is small, it and the one before it are as
    large as each other, if they can be."""
    pieces = [*split_to_fit(text, limits.fits)]
    if len(pieces) > 1 and limits.count(pieces[-1]) < limits.smallest:
        last = "".join(pieces[-2:])
        half = 1 + (limits.count(last) + 1) // 2
        halves = [*split_to_fit(last, lambda part: limits.count(part) <= half)]
        if len(halves) == 2 and all(map(limits.fits, halves)):
            pieces[-2:] = halves
    return pieces


def _find_starts(sentences: Sequence[Span], source: Source) -> Iterator[int]:
    """Where each sentence begins, with the markup before it. The first one begins the text, after
    front matter."""
    yield source.start
    blocks = source.find_starts()
    for before, sentence in pairwise(sentences):
        after = before.start_char + len(before.text.rstrip())
        start = sentence.end_char - len(sentence.text.lstrip())
        block = bisect_left(blocks, after)
        yield min([start, *blocks[block : block + 1]])


class PieceSection(NamedTuple):
    """The pieces of a text from one heading to the next. `level` is 0 before the first heading."""

    start: int
    end: int
    size: float
    level: int


def cut_text(pieces: Pieces, source: Source, limits: Limits) -> Iterator[int]:
    """Yield the piece after each chunk of a text, at most the largest size by count. A section
    that has a heading and fits is one chunk, for its author has said what it is about."""
    for section in _join_small(_find_sections(pieces, source), pieces.passage):
        passage = pieces.passage.part(section.start, section.end)
        is_headed = pieces.headings[section.start : section.end].any()
        is_whole = is_headed and section.size <= passage.largest
        parts = [section[:2]] if is_whole else _cut(passage, section.start)
        for start, end in parts:
            yield from _recut(start, end, pieces, source, limits)


def _find_sections(pieces: Pieces, source: Source) -> Iterator[PieceSection]:
    """The sections of a text. A heading right below one that is no lower is in one section with
    it."""
    levels = {0: 0}
    above = 0
    for heading in source.headings:
        start = bisect_right(pieces.places, heading.start) - 1
        follows_heading = pieces.headings[max(start - 1, 0) : start].any()
        if not follows_heading or heading.level < above:
            levels[start] = heading.level
        above = heading.level
    sizes = pieces.passage.sizes
    for start, end in pairwise([*levels, len(sizes)]):
        yield PieceSection(start, end, float(sizes[start:end].sum()), levels[start])


def _join_small(sections: Iterable[PieceSection], passage: Passage) -> Iterator[PieceSection]:
    """Join sections below the smallest size with a neighbour, up to the largest size.

    None is joined with what is before it over a heading of a higher level than that of what is
    before it. So a heading goes with the first section below it, and the last small section of a
    chapter stays in the chapter.
    """
    last, *rest = sections
    for section in rest:
        size = last.size + section.size
        is_small = min(last.size, section.size) < passage.smallest and size <= passage.largest
        if section.level >= last.level and is_small:
            last = last._replace(end=section.end, size=size)
        else:
            yield last
            last = section
    yield last


def _cut(passage: Passage, first: int) -> Iterator[tuple[int, int]]:
    starts = [0]
    if len(passage) > 1:
        starts = kernel_change_points(passage, None, scale=SCALE).starts.tolist()
    for start, end in pairwise([*starts, len(passage)]):
        yield first + start, first + end


def _recut(start: int, end: int, pieces: Pieces, source: Source, limits: Limits) -> Iterator[int]:
    """Cut what is too large by a tokenizer for which sizes do not add up, by its characters."""
    places = pieces.places[start : end + 1]
    size = limits.count(source.text[places[0] : places[-1]])
    if size <= limits.largest:
        yield end
        return
    lengths = np.diff(places)
    largest = lengths.sum() * limits.largest / size
    whole = pieces.passage.part(start, end)
    for part in _cut(whole.replace(sizes=lengths, smallest=0, largest=largest), start):
        yield from _recut(*part, pieces, source, limits)
