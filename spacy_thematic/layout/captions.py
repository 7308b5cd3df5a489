"""Captions that numbered paragraphs begin with: "7. Limits of liability. In no event ..."."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from spacy_thematic.lang import get_words
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, closes_sentence, is_unknown

_ENGLISH = get_words("en")
_WORDS = "|".join(sorted({*_ENGLISH.headings_of_parts, "clause"}))
_NUMBER = re.compile(
    rf"(?:(?P<word>(?i:{_WORDS}))\s+|(?P<sign>§+)\s*)?(?P<open>\()?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}|[IVXLC]{1,7}|[ivxlc]{1,7}|[A-Za-z])"
    r"(?P<mark>\.?\)|[.:])?(?:\s*[-–—]{1,2})?\s+"
)
_CAPTION = re.compile(
    r"(?P<caption>[\"'“‘_*]{0,3}[^\W\d_](?:[^.:?!\"“”–—]|\.(?=\w)|(?<=\b[A-Z])\.){2,98}?)"
    r"(?P<end>[.:][\"'”’_*]{0,3}(?=\s|\Z)|\s[-–—]{1,2}(?=\s)|[–—](?=\s?[A-Z(]))"
)
ANNOUNCING = _ENGLISH.auxiliaries | _ENGLISH.past_forms | _ENGLISH.announcing
_UNTITLED = _ENGLISH.links | _ENGLISH.announcing
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

_FEWEST, _FEWEST_IN_LOWER_CASE = 3, 5
"""Captions of a series, as titles are written, and with only the first letter in upper case."""

_OF_NUMBERED, _OF_NUMBERED_IN_LOWER_CASE = 0.5, 0.8
"""Their shares of all paragraphs with such numbers."""

_SHORTEST, _SHORTEST_IN_LOWER_CASE = 100, 200
"""Characters from one caption to the next, in the middle."""

_MOST_WORDS_IN_LOWER_CASE = 5
_IN_ORDER, _OF_DIFFERENT, _OF_SOURCES = 0.7, 0.8, 0.5
_LARGEST_GAP = 3
_MOST_TIMES = 2
"""Where others have numbers, a line that stands above text more often heads none of it: it is what
each page has."""

_SMALL = 3
"""Letters of words that are in lower case in titles."""

_NAMED = re.compile(r"[^\W\d_][\w'’-]+,? (?:[A-Z]\.?){1,3}(?:[,;(]|\Z)")
_SOURCE = re.compile(r"\bdoi\b|\b[pP]p?\. ?\d|\b(?:19|20)\d\d\W*\Z")
"""What an entry of a list of sources has: a name with initials, pages, or a year at the end."""

Style = tuple[str, str, int]
"""The word, marks and kind of a number, and how many numbers it has."""


class _Numbered(NamedTuple):
    line: Line
    style: Style
    number: tuple[int, ...]
    caption: str
    end: int  # Of the caption, in its line; 0 without one.


def find_captions(
    lines: Sequence[Line], is_title: Callable[[str], bool], headings: Iterable[Block] = ()
) -> list[Block]:
    """Return the headings of a text with the captions of its numbered paragraphs: those of series,
    of one style, that count on, and are no sentences. The levels of all headings with numbers then
    follow their styles: those of a style that comes first are above the others."""
    known = {block.start: block for block in headings}
    numbered = [
        found
        for before, line in pairwise([Line(0, ""), *lines])
        if is_unknown(line) and (not before.text or before.kind or closes_sentence(before.text))
        if (found := _read(line, is_title))
    ]
    numbered = _tell_letters(numbered)
    by_style: dict[Style, list[_Numbered]] = defaultdict(list)
    for one in numbered:
        if one.line.start not in known:
            by_style[one.style].append(one)
    series = [one for group in by_style.values() for one in _find_series(group, lines[-1].end)]
    if not series:
        return [*known.values()]
    ends = {one.line.start: one.line.start + one.end for one in series}
    are_headings = {*ends, *known}
    styles = {one.line.start: one.style for one in numbered if one.line.start in are_headings}
    others = [line for line in lines if line.start in known and line.start not in styles]
    times = Counter(line.text for line in lines if line.start in known)
    for line in others:
        if times[line.text] > _MOST_TIMES:
            del known[line.start]
    first = 1 + max((known[line.start].level for line in others if line.start in known), default=0)
    for start, depth in _measure_depths(styles).items():
        end = known[start].end if start in known else ends[start]
        known[start] = Block("heading", start, end, first + depth)
    return [known[start] for start in sorted(known)]


def find_numbered(texts: Sequence[str]) -> list[bool]:
    """Tell of texts that read like headings whether each has a number, and is no sentence: several
    whose numbers are of one style, and count on."""
    read = [_read(Line(0, f"{text}."), bool) for text in texts]
    styles = Counter(one.style for one in read if one and one.end)
    ordered = {
        style
        for style, n in styles.items()
        if n >= _FEWEST and _are_in_order([one for one in read if one and one.style == style])
    }
    return [bool(one and one.end and one.style in ordered) for one in read]


def _are_in_order(numbered: Sequence[_Numbered]) -> bool:
    steps = [_count_on(one.number, after.number) for one, after in pairwise(numbered)]
    return sum(steps) >= _IN_ORDER * len(steps)


def _read(line: Line, is_title: Callable[[str], bool]) -> _Numbered | None:
    """Read the number of a line, and the caption after it."""
    found = _NUMBER.match(line.text)
    if found is None:
        return None
    word = (found["word"] or found["sign"] or "").lower()
    mark = (found["mark"] or "").lstrip(".")
    parts = found["number"].split(".")
    if not (word or found["mark"] or len(parts) > 1):
        return None
    kind = "1" if parts[0].isdecimal() else "A" if parts[0].isupper() else "a"
    if kind == "1":
        number = tuple(map(int, parts))
    else:
        kind += "i" * (len(parts[0]) > 1)
        number = (_count_roman(parts[0]) if kind[1:] else ord(parts[0].lower()) - 96,)
    style = f"{word}{found['open'] or ''}{mark.replace(':', '')}", kind, len(parts)
    if caption := _CAPTION.match(line.text, found.end()):
        text = caption["caption"].strip("\"'“‘”’_* ")
        if is_title(text) and not _says(text):
            return _Numbered(line, style, number, text, caption.end())
    return _Numbered(line, style, number, "", 0)


def _says(text: str) -> bool:
    """Whether a caption is a sentence rather than a title: it has a verb, or names the subject, or
    what is done to it."""
    first, *words = re.findall(r"[\w'’-]+", text)
    if not text.isupper():
        words = [word for word in words if word.islower()]
    words = [word.lower() for word in [first, *words]]
    return any(
        after in ANNOUNCING or (after in _ENGLISH.determiners and before)
        for before, after in pairwise(["", *words])
        if before not in _ENGLISH.links
    )


def _is_titled(text: str) -> bool:
    """Whether a caption is written as titles are."""
    words = re.findall(r"[^\W\d_][\w'’-]*", text)
    return all(not word[0].islower() or len(word) <= _SMALL or word in _UNTITLED for word in words)


def _tell_letters(numbered: Sequence[_Numbered]) -> list[_Numbered]:
    """Take single letters for Roman numbers where others with the same marks have more letters."""
    romans = {one.style for one in numbered if one.style[1][1:]}
    told = []
    for one in numbered:
        style = (one.style[0], f"{one.style[1]}i", one.style[2])
        letter = chr(96 + one.number[0]) if one.number[0] < 27 else ""
        if one.style[1] in "Aa" and style in romans and letter in _ROMAN:
            one = one._replace(style=style, number=(_ROMAN[letter],))
        told.append(one)
    return told


def _count_roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text.lower()]
    return sum(-one if one < after else one for one, after in pairwise([*values, 0]))


def _find_series(numbered: Sequence[_Numbered], end: int) -> list[_Numbered]:
    """The captions of paragraphs with numbers of one style, if they are a series."""
    captions = [one for one in numbered if one.end]
    if len(captions) < _FEWEST:
        return []
    starts = [*(one.line.start for one in numbered), end]
    sizes = {first: after - first for first, after in pairwise(starts)}
    n_sources = sum(
        _NAMED.match(one.caption) is not None or _SOURCE.search(one.line.text) is not None
        for one in captions
    )
    if (
        not _are_in_order(numbered)
        or len({one.caption for one in captions}) < _OF_DIFFERENT * len(captions)
        or n_sources > _OF_SOURCES * len(captions)
    ):
        return []
    several = [one for one in captions if " " in one.caption]
    are_titled = 2 * sum(_is_titled(one.caption) for one in several) >= len(several)
    middle = median(sizes[one.line.start] for one in captions)
    is_series = len(captions) >= _OF_NUMBERED * len(numbered) and middle >= _SHORTEST
    if not are_titled:
        is_series = (
            len(captions) >= max(_FEWEST_IN_LOWER_CASE, _OF_NUMBERED_IN_LOWER_CASE * len(numbered))
            and middle >= _SHORTEST_IN_LOWER_CASE
            and median(len(one.caption.split()) for one in captions) <= _MOST_WORDS_IN_LOWER_CASE
        )
    return captions if is_series else []


def _count_on(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether a number may stand below another one: it counts on, or begins again."""
    step = next((after - one for one, after in zip(first, second) if one != after), 0)
    return 0 < step <= _LARGEST_GAP or (second[-1] == 1 and second != first)


def _measure_depths(styles: Mapping[int, Style]) -> dict[int, int]:
    """The depth of each place, by its style, in the order in which these come; but of numbers in
    figures those with fewer parts are above the others."""
    ordered = [*dict.fromkeys(styles[place] for place in sorted(styles))]
    figures = iter(sorted((style for style in ordered if style[1] == "1"), key=lambda one: one[2]))
    ordered = [next(figures) if style[1] == "1" else style for style in ordered]
    return {place: ordered.index(style) for place, style in styles.items()}
