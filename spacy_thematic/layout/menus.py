"""What stands around the prose of a page that was copied with its menus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from spacy_thematic.lang import get_words
from spacy_thematic.layout.lines import BULLETS, Line, are_wrapped, ends_sentence, is_unknown

_WORDS = get_words("en")
_CALL = re.compile(rf"\W*(?:{'|'.join(_WORDS.calls)})s?\b", re.IGNORECASE)
_OF_MENU = re.compile(rf"\W*(?:{'|'.join(_WORDS.menus)})\W*", re.IGNORECASE)
_ITEM = re.compile(rf"[{BULLETS}]\s|\(?\w{{1,3}}[.)]\s")

_SENTENCE, _PARAGRAPH = 8, 20
"""Words from which a line with punctuation at its end is prose, and any line."""

_FEWEST_PROSE = 3
"""Lines of prose that a page has."""

_FEWEST = 2
"""Lines of a menu, between two lines of prose, from which all that stand there are menus."""


def find_menus(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines around prose that are menus and the like, as several of them say ("Sign in",
    "Privacy policy"), and lines that call on the reader ("Follow us on ..."). The last line before
    prose may be its heading."""
    unknown = [line for line in lines if is_unknown(line)]
    after_blank = {line.start for before, line in pairwise(lines) if not before.text}
    n_prose = sum(map(_is_prose, unknown))
    is_page = n_prose >= _FEWEST_PROSE and not are_wrapped(lines)
    if not n_prose:
        return
    for is_prose, group in groupby(unknown, _is_prose):
        if is_prose:
            continue
        run = [*group]
        calls = [line for line in run if _CALL.match(line.text)]
        known = [*calls, *(line for line in run if _OF_MENU.fullmatch(line.text))]
        if not is_page or len(known) < _FEWEST:
            yield from calls
            continue
        last = run[-1]
        may_head = last.start in after_blank and last is not unknown[-1] and last not in known
        yield from run[:-1] if may_head else run


def _is_prose(line: Line) -> bool:
    n_words = len(line.text.split())
    return (
        n_words >= _PARAGRAPH
        or (n_words >= _SENTENCE and ends_sentence(line.text))
        or _ITEM.match(line.text) is not None
    )
