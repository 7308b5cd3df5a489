"""The layout of a Doc, `doc.spans["thematic_layout"]`, and what it says of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.headings import clean_heading, detect_headings, is_dated
from spacy_thematic.layout.plain import DETECTORS, Detector, read_plain
from spacy_thematic.layout.speech import find_minutes
from spacy_thematic.span_keys import LAYOUT_KEY, list_unmoved, read_sections

_OF_TIMED = 2 / 3
"""The share of sentences from which the times before them tell pauses."""

_SHORTEST_PAUSE, _OF_USUAL = 3, 3
"""A pause has that many minutes, and that many times the usual ones between two lines."""

_DAY = 24 * 60


def find_blocks(
    doc: Doc,
    detectors: Iterable[Detector] = tuple(DETECTORS.values()),
    lines: str = "auto",
    has_markup: bool = False,
) -> list[Block]:
    """Find the blocks of a Doc, as `read_plain` does. Where its sections have titles, or the markup
    that it was read from says what is a heading, no line looks like one."""
    if has_markup or read_titles(doc):
        detectors = [detect for detect in detectors if detect is not detect_headings]
    return read_plain(doc.text, detectors, lines)


def write_blocks(doc: Doc, blocks: Iterable[Block]) -> None:
    """Write `doc.spans["thematic_layout"]`: a span for each block, labelled by its kind. The id of
    a span is the level of the heading."""
    doc.spans[LAYOUT_KEY] = SpanGroup(doc, name=LAYOUT_KEY, spans=_make_spans(doc, blocks))


def read_blocks(doc: Doc) -> list[Span]:
    """Return the blocks of a Doc in order, larger ones first: those that are written, or, if there
    are none, or tokens were merged or split since, those that `find_blocks` finds."""
    spans = list_unmoved(doc, LAYOUT_KEY) if LAYOUT_KEY in doc.spans else None
    return _make_spans(doc, find_blocks(doc)) if spans is None else spans


def _make_spans(doc: Doc, blocks: Iterable[Block]) -> list[Span]:
    spans = (
        doc.char_span(
            block.start, block.end, block.kind, alignment_mode="expand", span_id=block.level
        )
        for block in blocks
    )
    return [span for span in spans if span is not None]


class SentenceLayout:
    """What the layout of a Doc says of its sentences.

    Args:
        doc: It does not change.
        sentences: n of them, in any order.
    """

    def __init__(self, doc: Doc, sentences: Sequence[Span]) -> None:
        self.doc = doc
        self.blocks = read_blocks(doc)
        bounds = np.array([(span.start, span.end) for span in sentences], np.int64).reshape(-1, 2)
        self._starts, self._ends = bounds.T
        self._words = np.append(0, np.cumsum(doc.to_array("IS_SPACE") == 0))

    @cached_property
    def asides(self) -> np.ndarray:
        """Whether each sentence says nothing of a theme, as names of speakers and code, bool
        (n,)."""
        return self._are_within("aside", "speaker", "code")

    @cached_property
    def headings(self) -> np.ndarray:
        """Whether each sentence is a heading, or a part of one, bool (n,)."""
        return self._are_within("heading")

    @cached_property
    def openings(self) -> np.ndarray:
        """Whether each sentence begins with a heading, and the one before it is none; or, where
        sections have titles, begins a section with one, bool (n,)."""
        titles = read_titles(self.doc)
        if titles:
            above = self._find_above([(span.start, title) for span, title in titles])
            # A section of two paragraphs is two spans with one title.
            opening = [title not in ("", before) for before, title in pairwise(["", *above])]
            return np.array(opening, bool)
        first_words = self._words[self._starts]
        inside = self._find_inside("heading")[self._words[1:] > self._words[:-1]]
        begins = np.append(inside, False)[first_words]
        return begins & ~np.append(False, self.headings[:-1])

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of the outermost block that each sentence begins in, (n,)."""
        starts, end = [], 0
        for span in self.blocks:
            if span.end > end:
                starts.append(max(span.start, end))
                end = span.end
        return np.searchsorted(self._words[starts], self._words[self._starts], side="right")

    @cached_property
    def ends(self) -> np.ndarray | None:
        """Whether a block ends after each sentence but the last, bool (n - 1,); None if none
        does."""
        ends = np.diff(self.numbers) > 0
        return ends if ends.any() else None

    @cached_property
    def pauses(self) -> np.ndarray | None:
        """Whether a pause follows each sentence but the last of a chat whose lines begin with the
        time, bool (n - 1,); None where they do not."""
        minutes = {
            self._words[span.start]: time
            for span in self.blocks
            if span.label_ == "speaker" and (time := find_minutes(span.text)) is not None
        }
        times = [minutes.get(start, -1) for start in self._words[self._starts].tolist()]
        timed = np.flatnonzero(np.array(times) >= 0)
        if len(timed) < 2 or len(timed) < _OF_TIMED * len(times):
            return None
        waited = np.diff(np.array(times)[timed]) % _DAY
        long = waited >= max(_SHORTEST_PAUSE, _OF_USUAL * float(np.median(waited)))
        found = np.zeros(len(times) - 1, bool)
        found[timed[1:][long] - 1] = True
        return found

    @property
    def is_speech(self) -> bool:
        """Whether somebody says each line, in one conversation after the other."""
        return any(span.label_ == "speaker" for span in self.blocks)

    @cached_property
    def said(self) -> list[int]:
        """Where what each sentence says begins, after who speaks, in characters, (n,)."""
        ends = {
            self._words[span.start]: span.end_char
            for span in self.blocks
            if span.label_ == "speaker"
        }
        return [
            max(self.doc[start].idx, ends.get(word, 0))
            for start, word in zip(self._starts.tolist(), self._words[self._starts].tolist())
        ]

    def find_parts(self) -> np.ndarray | None:
        """Return the part of a text that each sentence is in, from 0, (n,), where each part but
        perhaps the first has a heading; None where fewer than two have one."""
        if self.openings.sum() < 2:
            return None
        return np.cumsum(self.openings) - int(self.openings[0])

    def find_headings_above(self) -> list[str]:
        """Return the heading that each sentence stands below, "" if none: the title of its section,
        if there are any; else the last line that is a heading.

        What heads all of the text, as a title does, tells no part of it from the others.
        """
        places = [(span.start, title) for span, title in read_titles(self.doc)]
        runs = groupby(self.blocks, lambda span: span.label_ == "heading")
        if not places and sum(is_heading for is_heading, _ in runs) >= 2:
            # A line below a title may say when something was held or released.
            places = [
                (span.start, text)
                for span in self.blocks
                if span.label_ == "heading" and not is_dated(text := span.text.strip())
            ]
        places = [(start, clean_heading(text)) for start, text in places]
        if len({"", *(text for _, text in places)}) < 3:
            return [""] * len(self._starts)
        return self._find_above(places)

    def _find_above(self, places: Sequence[tuple[int, str]]) -> list[str]:
        starts, texts = [start for start, _ in places], ["", *(text for _, text in places)]
        numbers = np.searchsorted(self._words[starts], self._words[self._starts], side="right")
        return [texts[number] for number in numbers.tolist()]

    def _are_within(self, *kinds: str) -> np.ndarray:
        """Whether all words of each sentence are in blocks of some kinds."""
        inside = self._find_inside(*kinds)
        words = np.append(0, np.cumsum(inside & (np.diff(self._words) > 0)))
        n_inside = words[self._ends] - words[self._starts]
        return (n_inside > 0) & (n_inside == self._words[self._ends] - self._words[self._starts])

    def _find_inside(self, *kinds: str) -> np.ndarray:
        """Whether each token is in a block of some kinds, bool (tokens,)."""
        inside = np.zeros(len(self.doc), bool)
        for span in self.blocks:
            if span.label_ in kinds:
                inside[span.start : span.end] = True
        return inside


def ensure_layout(doc: Doc) -> None:
    """Write the layout of a Doc, unless it is there."""
    if LAYOUT_KEY not in doc.spans:
        write_blocks(doc, find_blocks(doc))


def has_lines(doc: Doc) -> bool:
    """Tell whether lines are blocks of a Doc, as in a list or a chat."""
    return any(span.label_ == "line" for span in read_blocks(doc))


def read_titles(doc: Doc) -> list[tuple[Span, str]]:
    """Return the paragraphs in `doc.spans["sections"]` with the titles of their sections; none
    where no section has one."""
    sections = [(span, span.label_) for span in read_sections(doc)]
    return sections if any(title for _, title in sections) else []
