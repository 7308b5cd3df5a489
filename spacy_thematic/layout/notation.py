"""Lines that are no words: addresses, names of files, marks and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, are_wrapped, is_rule, is_unknown

_TIMES = frozenset().union(*(get_words(language).times for language in iter_languages()))
_NOTATION = re.compile(r"://|\A:[\w-]+:\Z|\A[/~]|/\S*/|[\\_=<>{}@|]|::|\[\[|\w{2,}\.\w{2,}")
_RULED = re.compile(r"([-=*_~#])\1{2,}.{0,60}\1{3,}")
"""Words within a line of marks."""

_BRACKETED = re.compile(r"\[\[.*\]\]|\[[^\s\]]+\]")
"""A link, an anchor, or a word for a program ("[source,console]")."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 300
"""Characters of a line that may be none."""

_FEWEST_DATES = 3
_MOST_WORDS = 1
"""Words beside an address or a name of a file on a line that says nothing."""


def detect_notation(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides the lines without a letter, those of an address, a name of a file or the like
    and hardly a word, those with words within marks, and those of a date alone, unless there are
    several, as in a diary. In wrapped prose they stand alone between blank lines, but for a single
    word within brackets."""
    is_wrapped = are_wrapped(lines)
    has_dates = sum(is_unknown(line) and is_date(line.text) for line in lines) >= _FEWEST_DATES
    for is_prose, group in groupby(lines, is_unknown):
        if is_prose:
            of_group = [*group]
            for line in of_group:
                text = line.text[line.said :]
                is_alone = not is_wrapped or len(of_group) == 1
                is_found = _says_nothing(text) or (not has_dates and is_date(text))
                if _BRACKETED.fullmatch(text) or (is_alone and is_found):
                    yield Block("aside", line.start, line.end)


def _says_nothing(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    if _RULED.fullmatch(text):
        return True
    if not any(map(str.isalpha, text)):
        return text[0] not in "#=" and not is_rule(text)  # It may mark a heading.
    words = [part for part in text.split() if _WORD.search(part)]
    n_notation = sum(_NOTATION.search(part) is not None for part in words)
    return n_notation > 0 and len(words) - n_notation <= _MOST_WORDS


def is_date(text: str) -> bool:
    """Tell whether a text is numbers and words of time ("Day 19: January 22, 2020")."""
    words = _WORD.findall(text.lower()) if len(text) <= _LONGEST else []
    return any(map(str.isdigit, text)) and bool(words) and _TIMES.issuperset(words)
