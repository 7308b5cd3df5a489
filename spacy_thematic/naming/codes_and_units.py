"""What names nothing, though it is written like words: keys, hashes, DNA, arguments of LaTeX, units
of measurement, and the labels of a form."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from spacy_thematic.lang import get_words
from spacy_thematic.layout.lines import REDACTION

if TYPE_CHECKING:
    from spacy_thematic.naming.content import Content, ContentWord

LONGEST = 40
"""Characters of a word."""

_RUN = re.compile(r"[^\W_]{16,}")
_CHANGE = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_OF_CHANGES = 1 / 4
"""Of codes, keys and the like, the changes between small letters, capitals and digits, by the
characters; of names in programs ("getUserByName") there are fewer."""

_STRETCH = re.compile(rf"\S{{{LONGEST + 1},}}")
"""Longer than a word."""

_SEQUENCE = re.compile(rf"[ACGTUNacgtun]{{12,}}|[A-Z]{{{LONGEST + 1},}}")
"""Of DNA or a protein."""

_LONGEST_UNIT = 4
_OF_RECIPES = frozenset("cup cups teaspoon teaspoons tablespoon tablespoons".split())
"""Longer units, and those that have a plural."""

_DIGIT = re.compile(r"[\d¼-¾⅐-⅞]")
_AFTER_NUMBER = re.compile(r"(?:\A|[^\w-])[\d.,]*[\d¼-¾⅐-⅞]\s?[%°µ]?\s?\Z")
_BEFORE = 9
"""Characters before a unit in which its number ends."""

_MEASURED = re.compile(rf"[\d.,]*\d([\s-]*)([^\W\d_]{{2,{_LONGEST_UNIT}}})")
"""A unit with its number in one word, as a hyphen or a space that keeps a line together makes."""

_PLURALS = get_words("en").plurals
_FEWEST_MEASURED = 2
"""Times that a unit stands after a number, if these are most."""

_ARGUMENT = re.compile(
    r"\\(?:index|label|bibliography\w{0,9}|input|include\w{0,9}|usepackage|documentclass|begin|end|"
    r"\w{0,20}(?:ref|cite)\w{0,20})\*?(?:\[[^][]*\])*\{[^{}]*\}?"
)
"""A command of LaTeX whose argument is no text."""

_SOUND = re.compile(r"\[[A-Z][A-Z ,'’-]{2,40}\]|\A\W*\([A-Z][A-Z ,'’-]{2,40}\)\W*\Z")
"""What somebody hears ("[APPLAUSE]"); in round brackets it is all of a sentence."""

_OF_COURSE = re.compile(r"\b[Oo]f course\b")

_LABEL = re.compile(
    r"(?:\A|[.,;:!?*#|\n]|\s\s)\W{0,9}([^\W\d_](?:[^\s.,;:!?]|\s(?=\S)){1,40}?)[\s*_]{0,9}:(?=[\s,*_]|\Z)"
)
_MOST_OF_LABEL = 5
"""Words."""

_FEWEST_LABELLED, _OF_LABELLED = 5, 1 / 20
"""The texts with a label that is one of a form, and their share of all."""


def is_code(text: str) -> bool:
    """Tell whether a text has no word but what no one reads: a key, a hash, DNA."""
    return all(_SEQUENCE.fullmatch(word) or _has_code(word) for word in text.split())


def _has_code(word: str) -> bool:
    return any(len(_CHANGE.findall(run)) >= _OF_CHANGES * len(run) for run in _RUN.findall(word))


def _drop(content: Content, is_dropped: Callable[[ContentWord], bool]) -> None:
    """Leave out words of a sentence. Those after them stand beside none."""
    kept: list[ContentWord] = []
    is_beside = True
    for word in content.words:
        if is_dropped(word):
            is_beside = False
        else:
            kept.append(
                word if is_beside else word._replace(follows=False, joins=False, links=False)
            )
            is_beside = True
    content.words = kept


def _drop_within(content: Content, spans: Iterable[tuple[int, int]]) -> None:
    """Leave out the words between some characters of a sentence."""
    spans = sorted(spans)
    starts, ends = [start for start, _ in spans], [*accumulate((end for _, end in spans), max)]

    def is_within(word: ContentWord) -> bool:
        at = word.start - content.start_char
        place = bisect_right(starts, at)
        return place > 0 and at < ends[place - 1]

    _drop(content, is_within)


def drop_code(contents: Iterable[Content]) -> None:
    """Leave out the words of what no one reads, which a tokenizer divides, of redactions and of
    sounds."""
    for content in contents:
        found = [one for one in _STRETCH.finditer(content.text) if _has_code(one[0])]
        for no_words in (REDACTION, _SOUND):
            found += no_words.finditer(content.text)
        if "\\" in content.text:
            found += _ARGUMENT.finditer(content.text)
        if found:
            _drop_within(content, [one.span() for one in found])


def drop_measuring_units(contents: Sequence[Content]) -> list[Content]:
    """Return sentences without what mostly stands after a number and is short, as units are, but
    what has a plural, but in recipes; and without "of course", for "computers of course" is no
    name. Those that have none are the same."""
    contents = [*map(_drop_of_course, contents)]
    measured: Counter[str] = Counter()
    for content in contents:
        end = -1
        for word in content.words if _DIGIT.search(content.text) else ():
            text, at = word.text, word.start - content.start_char
            if text[0].isdigit() and (own := _MEASURED.fullmatch(text)):
                if own[1].isspace():
                    measured[own[2].lower()] += 1
            elif text.isalpha() and (len(text) <= _LONGEST_UNIT or text.lower() in _OF_RECIPES):
                is_over = at == end + 1 and content.text[end] == "/"
                if is_over or _AFTER_NUMBER.search(content.text, max(0, at - _BEFORE), at):
                    measured[text.lower()] += 1
                    end = at + len(text)
    units = {
        unit
        for unit, n in measured.items()
        if n >= _FEWEST_MEASURED
        and (unit in _OF_RECIPES or not (unit.endswith("s") or unit in _PLURALS))
    }
    if units:
        counts = Counter(word.text.lower() for content in contents for word in content.words)
        units = {
            unit
            for unit in units
            if 2 * measured[unit] > counts[unit]
            and (unit in _OF_RECIPES or f"{unit}s" not in counts)
        }

    def is_unit(word: ContentWord) -> bool:
        own = _MEASURED.fullmatch(word.text)
        return (own[2] if own else word.text).lower() in units

    if not units:
        return [*contents]
    found = [replace(one) if any(map(is_unit, one.words)) else one for one in contents]
    for old, one in zip(contents, found):
        if one is not old:
            _drop(one, is_unit)
    return found


def _drop_of_course(content: Content) -> Content:
    found = [one.span() for one in _OF_COURSE.finditer(content.text)]
    if found:
        content = replace(content)
        _drop_within(content, found)
    return content


def drop_labels(contents: Sequence[Content]) -> None:
    """Leave out the labels of a form ("Past history:"), which many texts of a collection have
    beside others."""
    labels: list[list[tuple[str, tuple[int, int]]]] = []
    of_docs: dict[int, set[str]] = {}
    for content in contents:
        found = _LABEL.finditer(content.text) if ":" in content.text else ()
        own = [(" ".join(one[1].lower().split()), one.span(1)) for one in found]
        labels.append([one for one in own if one[0].count(" ") < _MOST_OF_LABEL])
        of_docs.setdefault(content.doc, set()).update(label for label, _ in labels[-1])
    counts = Counter(chain.from_iterable(own for own in of_docs.values() if len(own) > 1))
    least = max(_FEWEST_LABELLED, _OF_LABELLED * len(of_docs))
    form = {label for label, n in counts.items() if n >= least}
    for content, own in zip(contents, labels):
        if spans := [span for label, span in own if label in form]:
            _drop_within(content, spans)
