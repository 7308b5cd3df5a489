"""The layout of a Doc, `doc.spans["thematic_layout"]`, and what it says of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.lang import get_words
from spacy_thematic.layout.blocks import BEGINNINGS, Block
from spacy_thematic.layout.dates import is_date
from spacy_thematic.layout.headings import (
    are_entries,
    clean_headings,
    detect_headings,
    find_alike,
    heads_list,
    is_dated,
)
from spacy_thematic.layout.lines import BLANK_LINES
from spacy_thematic.layout.notation import are_names, heads_names
from spacy_thematic.layout.plain import DETECTORS, Detector, read_plain
from spacy_thematic.layout.speech import find_minutes
from spacy_thematic.span_keys import (
    LAYOUT_KEY,
    SECTIONS_KEY,
    get_text,
    list_spans,
    list_unmoved,
    read_sections,
)

_OUTLINE = "outline"
"""The attribute of `doc.spans["sections"]` that has, for each paragraph, the titles above it."""

_KINDS = "kinds"
"""And this, for paragraphs of another kind, that by where they start, in characters."""

_OF_TIMED = 2 / 3
"""The share of sentences from which the times before them tell pauses."""

_OF_LIST = 0.6
"""A list has more lines than this share of its sentences."""

_FEWEST_OF_LIST = 30
"""From so many lines of several sentences on, their order tells a list from paragraphs."""

_OF_TITLE = 4
"""So many times as much is below the other headings of a text as directly below its title, or
more."""

_SHORTEST_PAUSE, _OF_USUAL = 3, 3
"""A pause has that many minutes, and that many times the usual ones between two lines."""

_DAY = 24 * 60

_BREAK = "*\u2022\u2042 "
"""The marks between scenes. Hyphens and equals signs also frame what stands between two of them."""

_FEWEST_BELOW, _LONGEST_HEADING, _MOST_IN_ROW = 20, 12, 3
"""The words right below a heading that is no item of a list, its own, and how many follow each
other: three of four such are headings where markup is lost, one of three of the others."""

_MOST_OF_TEXT = 0.8
"""The largest share of the sentences that one of the parts has which divide a text."""

_FEWEST_OF_LOG = 3
"""The fewest titles that divide a log by its dates."""

_FEWEST_ENTRIES, _OF_ENTRIES = 3, 2 / 3
"""Items of a list that say what headings say, and their share, from which it is a table of
contents."""


def find_blocks(
    doc: Doc, detectors: Iterable[Detector] = tuple(DETECTORS.values()), lines: str = "auto"
) -> list[Block]:
    """Find the blocks of a Doc, as `read_plain` does. Where its sections have titles, or an
    outline, no line looks like a heading; and what markup said to be asides, items and quotations
    are such. Names below "Attendees" are asides, too, and so is a table of contents."""
    attrs = doc.spans[SECTIONS_KEY].attrs if SECTIONS_KEY in doc.spans else {}
    titles = read_titles(doc)
    if titles or _OUTLINE in attrs:
        detectors = [detect for detect in detectors if detect is not detect_headings]
    text = get_text(doc)
    kinds = attrs.get(_KINDS, {})
    asides = [
        Block("aside", span.start_char, span.end_char)
        for span in (read_sections(doc) if kinds else ())
        if kinds.get(span.start_char) == "aside"
    ]
    below = {doc[start].idx for start, path in titles if path and heads_names(path[-1].text)}
    blocks = [
        block._replace(kind="aside")
        if block.start in below and are_names(text[block.start : block.end])
        else block._replace(kind=kinds.get(block.start, "paragraph"))
        if block.kind == "paragraph"
        else block
        for block in read_plain(text, detectors, lines, asides)
    ]
    headings = {title.text for _, path in titles for title in path}
    return [*_set_contents_aside(blocks, text, headings)]


def _set_contents_aside(
    blocks: Sequence[Block], text: str, headings: Iterable[str]
) -> Iterator[Block]:
    """The blocks, in which lists of what headings of the text say are asides."""
    lines = (text[block.start : block.end] for block in blocks if block.kind == "heading")
    said = {*map(_get_words, chain(headings, lines))} - {""}
    for is_listed, group in groupby(blocks, lambda block: block.kind in ("item", "line")):
        run = [*group]
        # Of other blocks, nothing is read.
        entries = (_get_words(text[block.start : block.end]) in said for block in run)
        is_contents = is_listed and sum(entries) >= max(_FEWEST_ENTRIES, _OF_ENTRIES * len(run))
        yield from (block._replace(kind="aside") for block in run) if is_contents else run


def _get_words(text: str) -> str:
    """The words of a heading, without its number and punctuation."""
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))


def write_blocks(doc: Doc, blocks: Iterable[Block]) -> None:
    """Write `doc.spans["thematic_layout"]`: a span for each block, labelled by its kind. The id of
    a span is the level of the heading."""
    doc.spans[LAYOUT_KEY] = SpanGroup(doc, name=LAYOUT_KEY, spans=_make_spans(doc, blocks))


def read_blocks(doc: Doc) -> list[Span]:
    """Return the blocks of a Doc in order, larger ones first: those that are written, or, if there
    are none, those that `find_blocks` finds."""
    if LAYOUT_KEY in doc.spans:
        return list_spans(doc, LAYOUT_KEY)
    return _make_spans(doc, find_blocks(doc))


def _make_spans(doc: Doc, blocks: Iterable[Block]) -> list[Span]:
    spans = (
        doc.char_span(
            block.start, block.end, block.kind, alignment_mode="expand", span_id=block.level
        )
        for block in blocks
    )
    return [span for span in spans if span is not None]


class Title(NamedTuple):
    """A title or a heading of a part of a text, as it stands. Its level is from 1, the highest; its
    place tells it from others with the same text: the further below, the larger."""

    level: int
    place: int
    text: str


class _Part(NamedTuple):
    """A block of a Doc, by its tokens."""

    kind: str
    start: int
    end: int
    level: int
    text: str
    end_char: int


class TokenLayout(NamedTuple):
    """The layout of a Doc, by its tokens. It keeps nothing of the Doc.

    Attributes:
        blocks: In order, those within others after them.
        titles: Where paragraphs begin, and the titles above them, as `read_titles`.
        words: How many tokens before each, and before the end, are no space, (tokens + 1,).
    """

    blocks: list[_Part]
    titles: list[tuple[int, tuple[Title, ...]]]
    words: np.ndarray

    @classmethod
    def read(cls, doc: Doc, text: str) -> TokenLayout:
        """Read it from a Doc, which does not change, with its text."""
        blocks = [
            _Part(
                *(span.label_, span.start, span.end, span.id),
                text[span.start_char : span.end_char].strip(),
                span.end_char,
            )
            for span in read_blocks(doc)
        ]
        words = np.append(0, np.cumsum(doc.to_array("IS_SPACE") == 0))
        return cls(blocks, read_titles(doc), words)

    def find_title(self) -> str:
        """The heading that a text without markup begins with, if it has no other, or little stands
        directly below it; "" if there is none."""
        said = [block for block in self.blocks if block.kind != "aside"]
        if self.titles or not said or said[0].kind != "heading":
            return ""
        starts = [block.start for block in said if block.kind == "heading"]
        first, *others = np.diff(self.words[[*starts, -1]]).tolist()
        is_title = not others or _OF_TITLE * first * len(others) <= sum(others)
        return said[0].text if is_title else ""


class SentenceLayout:
    """What the layout of a Doc says of n of its sentences, in any order. It keeps nothing of the
    Doc."""

    def __init__(self, layout: TokenLayout, sentences: Sequence[Span]) -> None:
        self._blocks, self._titles, self._words = layout
        bounds = np.array([(span.start, span.end) for span in sentences], np.int64).reshape(-1, 2)
        self._starts, self._ends = bounds.T
        self._start_chars = [span.start_char for span in sentences]
        titles = {*chain.from_iterable(self.outline)}
        below = {
            title: [s.text for s, path in zip(sentences, self.outline) if title in path]
            for title in titles
            if heads_list(title.text)
        }
        self._of_sources = {
            title for title, texts in below.items() if are_entries(title.text, texts)
        }

    @cached_property
    def asides(self) -> np.ndarray:
        """Whether each sentence says nothing of a theme, as names of speakers, code, what stands
        below "References" and is no prose, and headings that may not be items of a list, bool
        (n,)."""
        listed = [not self._of_sources.isdisjoint(path) for path in self.outline]
        is_listed = np.array(listed, bool) & (not all(listed))
        is_aside = self._are_within("aside", "code", *BEGINNINGS)
        is_heading = self._are_within("heading", blocks=self._find_headings_of_text())
        return is_aside | is_listed | is_heading

    @cached_property
    def headings(self) -> np.ndarray:
        """Whether each sentence is a heading, or a part of one, bool (n,)."""
        return self._are_within("heading")

    @cached_property
    def outline(self) -> list[tuple[Title, ...]]:
        """The titles that each sentence stands below, the highest first, n: of its sections, if any
        has one; else lines that are headings."""
        places = self._titles or self._find_heading_lines()
        starts, paths = [start for start, _ in places], [(), *(path for _, path in places)]
        numbers = np.searchsorted(self._words[starts], self._words[self._starts], side="right")
        return [paths[number] for number in numbers.tolist()]

    @cached_property
    def openings(self) -> np.ndarray:
        """Whether each sentence begins a part with a title, bool (n,)."""
        return self._find_openings()

    def list_parts(self) -> list[np.ndarray]:
        """Return, for each level of titles that divides the text, the highest first, the part that
        each sentence is in, from 0, (n,). Each part but perhaps the first has a title. Levels of a
        log, and those of which one part is nearly the whole text, are left out."""
        titles = {title: None for path in self.outline for title in path}
        levels = [
            level
            for level in sorted({title.level for title in titles})
            if not _are_of_log([title.text for title in titles if title.level == level])
        ]
        openings = map(self._find_openings, levels)
        parts = [np.cumsum(own) - int(own[0]) for own in openings if own.sum() > 1]
        return [own for own in parts if np.bincount(own).max() <= _MOST_OF_TEXT * len(own)]

    def _find_openings(self, lowest: float = np.inf) -> np.ndarray:
        paths = [tuple(title for title in path if title.level <= lowest) for path in self.outline]
        return np.array([path not in ((), before) for before, path in pairwise([(), *paths])], bool)

    def _find_heading_lines(self) -> list[tuple[int, tuple[Title, ...]]]:
        """Where parts begin, and the headings above what follows. Headings go together that follow
        each other, or have only asides between."""
        places: list[tuple[int, tuple[Title, ...]]] = []
        path: tuple[Title, ...] = ()
        former = ""
        for block in self._blocks:
            if block.kind == "heading":
                above = (title for title in path if title.level < block.level)
                path = (*above, Title(block.level, block.start, block.text))
                if former == "heading":
                    places[-1] = places[-1][0], path
                else:
                    places.append((block.start, path))
            former = block.kind if block.kind != "aside" else former
        return places

    @cached_property
    def lines(self) -> np.ndarray:
        """The number of the line that each sentence is on, from 0, (n,); a sentence that is on none
        has a number of its own."""
        lines = [(block.start, block.end) for block in self._blocks if block.kind == "line"]
        starts, ends = self._words[np.array([(0, 0), *lines])].T
        sentences = self._words[self._starts]
        places = np.searchsorted(starts, sentences, side="right") - 1
        is_new = (np.diff(places, prepend=-1) != 0) | (sentences >= ends[places])
        return np.cumsum(is_new) - 1

    @cached_property
    def ends(self) -> np.ndarray | None:
        """Whether an outermost block ends after each sentence but the last, bool (n - 1,); None if
        none does."""
        starts, end = [], 0
        for block in self._blocks:
            if block.end > end:
                starts.append(max(block.start, end))
                end = block.end
        numbers = np.searchsorted(self._words[starts], self._words[self._starts], side="right")
        ends = np.diff(numbers) > 0
        return ends if ends.any() else None

    @cached_property
    def pauses(self) -> np.ndarray | None:
        """Whether a pause follows each sentence but the last, bool (n - 1,): asterisks, as between
        scenes, or a long time in a chat whose lines begin with it. None if there is none."""
        rules = [block.end for block in self._blocks if block.text and not block.text.strip(_BREAK)]
        passed = np.searchsorted(self._words[rules], self._words[self._ends])
        found = np.diff(passed) > 0
        if self._waits is not None:
            found |= self._waits
        return found if found.any() else None

    @cached_property
    def _waits(self) -> np.ndarray | None:
        minutes = {
            self._words[block.start]: time
            for block in self._blocks
            if block.kind == "speaker" and (time := find_minutes(block.text)) is not None
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
    def turns(self) -> np.ndarray:
        """Whether somebody begins to speak after each sentence but the last, or in speech an aside
        follows, such as what nobody understood, bool (n - 1,)."""
        speakers = [block.start for block in self._blocks if block.kind == "speaker"]
        begun = np.searchsorted(self._words[speakers], self._words[self._starts], side="right")
        return (np.diff(begun) > 0) | (self.asides[1:] & self.is_speech)

    @property
    def names(self) -> np.ndarray:
        """Whether each sentence only says who speaks, bool (n,)."""
        return self._are_within("speaker")

    @cached_property
    def named_speakers(self) -> list[str]:
        """Who speaks in the text, before what is said or with the time, as it stands."""
        return [
            block.text
            for above, block in pairwise(self._blocks)
            if block.kind == "speaker"
            and (above.start == block.start or find_minutes(block.text) is not None)
        ]

    @cached_property
    def is_list(self) -> bool:
        """Whether most sentences are lines, and nobody speaks."""
        return not self.is_speech and self._n_lines > _OF_LIST * len(self._starts)

    @cached_property
    def may_be_list(self) -> bool:
        """Whether there are many lines, of any number of sentences, and hardly anything else, and
        nobody speaks. Paragraphs may also have a line each."""
        has_lines = _FEWEST_OF_LIST <= self._n_lines > _OF_LIST * (self.lines.max(initial=0) + 1)
        return not self.is_speech and bool(has_lines)

    @property
    def _n_lines(self) -> int:
        """The number of the lines that some of the sentences are on."""
        lines = [(block.start, block.end) for block in self._blocks if block.kind == "line"]
        starts, ends = self._words[np.array(lines, int).reshape(-1, 2)].T
        order = np.argsort(self._starts, kind="stable")
        last = np.searchsorted(self._words[self._starts[order]], ends) - 1
        is_on = (last >= 0) & (self._words[self._ends[order]][last] > starts)
        return int(np.count_nonzero(is_on))

    @property
    def is_speech(self) -> bool:
        """Whether somebody says each line, in one conversation after the other."""
        return any(block.kind == "speaker" for block in self._blocks)

    @cached_property
    def speech_starts(self) -> list[int]:
        """Where what each sentence says begins, after who speaks, in characters, (n,)."""
        ends = {
            self._words[block.start]: block.end_char
            for block in self._blocks
            if block.kind in BEGINNINGS
        }
        words = self._words[self._starts].tolist()
        return [max(start, ends.get(word, 0)) for start, word in zip(self._start_chars, words)]

    def find_headings_above(self) -> list[list[str]]:
        """Return the names of the parts that each sentence is in, the largest first, n: their
        titles, without numbers and marks. What heads all of the text names no part, nor does a line
        with a date, which may say when something was held, nor titles that differ in numbers
        alone."""
        of_sections = bool(self._titles)
        titles = [
            title
            for title in {*chain.from_iterable(self.outline)}
            if of_sections or not is_dated(title.text)
        ]
        prose = (block.text for block in self._blocks if block.kind != "heading")
        names = dict(zip(titles, clean_headings([title.text for title in titles], prose)))
        alike = find_alike({*names.values()})
        names = {title: name for title, name in names.items() if name not in alike}
        if len({"", *names.values()}) < 3 or (not of_sections and self.openings.sum() < 2):
            return [[] for _ in self.outline]
        return [[names[t] for t in path if names.get(t)] for path in self.outline]

    def _find_headings_of_text(self) -> set[_Part]:
        """The headings that are short, state nothing, and have much text right below, or only
        another such between (`_MOST_IN_ROW` at most), and those that are dates."""
        headings = [block for block in self._blocks if block.kind == "heading"]
        found: set[_Part] = set()
        end, n_in_row = len(self._words) - 1, _MOST_IN_ROW
        for block in reversed(headings):
            n_below = self._words[end] - self._words[block.end]
            if self._words[block.end] - self._words[block.start] > _LONGEST_HEADING:
                n_in_row = _MOST_IN_ROW
            elif n_below == 0:
                n_in_row += 1
            else:
                n_in_row = 0 if n_below >= _FEWEST_BELOW else _MOST_IN_ROW
            is_sure = n_in_row < _MOST_IN_ROW and not _states(block.text)
            if is_sure or is_date(block.text):
                found.add(block)
            end = block.start
        return found

    def _are_within(self, *kinds: str, blocks: Iterable[_Part] | None = None) -> np.ndarray:
        """Whether all words of each sentence are in blocks of some kinds."""
        inside = np.zeros(len(self._words) - 1, bool)
        for block in self._blocks if blocks is None else blocks:
            if block.kind in kinds:
                inside[block.start : block.end] = True
        words = np.append(0, np.cumsum(inside & (np.diff(self._words) > 0)))
        n_inside = words[self._ends] - words[self._starts]
        return (n_inside > 0) & (n_inside == self._words[self._ends] - self._words[self._starts])


def _states(text: str) -> bool:
    """Whether a heading may be a sentence: it has a verb such as "is", and asks nothing."""
    words = re.findall(r"\w+", text.lower())
    return not (text.endswith("?") or get_words("en").auxiliaries.isdisjoint(words[1:]))


def _are_of_log(titles: Sequence[str]) -> bool:
    """Whether half of the titles of a level or more are dates, or say what others of them say."""
    named = {title.lower() for title in titles if not is_date(title)}
    return len(titles) >= _FEWEST_OF_LOG and 2 * len(named) <= len(titles)


def ensure_layout(doc: Doc, *how: Any) -> None:
    """Write the layout of a Doc, unless it is there, as `find_blocks` finds it with arguments.
    Where tokens were merged or split since it was written, write it again, by characters."""
    if LAYOUT_KEY not in doc.spans:
        write_blocks(doc, find_blocks(doc, *how))
    elif list_unmoved(doc, LAYOUT_KEY) is None:
        doc.spans[LAYOUT_KEY] = SpanGroup(doc, name=LAYOUT_KEY, spans=read_blocks(doc))


def has_lines(doc: Doc) -> bool:
    """Tell whether lines are blocks of a Doc, as in a list or a chat, and no markup says so, nor a
    blank line around each."""
    lines = [span for span in read_blocks(doc) if span.label_ == "line"]
    text = get_text(doc)
    return SECTIONS_KEY not in doc.spans and any(
        BLANK_LINES.search(text, first.end_char - 1, second.start_char + 1) is None
        for first, second in pairwise(lines)
    )


def drop_speakers(spans: Iterable[Span]) -> list[Span]:
    """Return the spans of a Doc that do not only name who speaks."""
    spans = [*spans]
    blocks = read_blocks(spans[0].doc) if spans else []
    ends = {block.start: block.end for block in blocks if block.label_ == "speaker"}
    return [
        span
        for span in spans
        if span.start not in ends or span.doc[ends[span.start] : span.end].text.strip()
    ]


def read_titles(doc: Doc) -> list[tuple[int, tuple[Title, ...]]]:
    """Return where each paragraph in `doc.spans["sections"]` begins, its first token, and the
    titles above it; none where no section has a title."""
    sections = read_sections(doc)
    if not any(span.label for span in sections):
        return []
    outline = doc.spans[SECTIONS_KEY].attrs.get(_OUTLINE)
    if outline is not None:
        paths = [tuple(Title(*title) for title in path) for path in outline]
        return [(span.start, paths[span.id]) for span in sections]
    found: list[tuple[int, tuple[Title, ...]]] = []
    former = ""
    for number, span in enumerate(sections):
        # A section of two paragraphs is two spans with one title.
        path = found[-1][1] if span.label_ == former and found else ()
        if span.label_ and not path:
            path = (Title(1, number, span.label_),)
        found.append((span.start, path))
        former = span.label_
    return found
