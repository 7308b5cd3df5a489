"""Where sentences begin, after punctuation alone has said so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

import numpy as np
from spacy.strings import get_string_id
from spacy.tokens import Doc, Span, Token

from spacy_thematic.sentences.abbreviations import is_before_number, is_never_last

WINDOW = 50

# The number of an item, at the start of a line.
_ITEM = re.compile(r"(?:\A|\n)\W*\d{1,3}\.\s*\Z")

# What begins a sentence where space stands on both sides.
_LEADING = frozenset("§•·«“„—–-")

# Words that, if capitalised, begin a sentence after "U.S.", "Inc." or "World War I.", where the
# sentencizer ends none.
STARTERS = np.array(
    [
        get_string_id(word)
        for word in (
            "After Although At But He Her His However In It Its On She That The There These They "
            "This When While"
        ).split()
    ],
    np.uint64,
)


def mended_sentences(doc: Doc) -> Iterator[Span]:
    """Yield the sentences of a Doc from the sentencizer, as `mend_starts` corrects them."""
    starts = mend_starts(doc, [sent.start for sent in doc.sents])
    for start, end in pairwise([*starts, len(doc)]):
        yield doc[start:end]


def mend_starts(doc: Doc, starts: Iterable[int], given: Collection[int] = ()) -> list[int]:
    """Correct where sentences plainly do not start, or do.

    No sentence ends before a lower-case word that continues it, or a mark that no space divides
    from it, inside parentheses that the next one closes, after the number of an item ("1."), or
    after an abbreviation that is never last. One does end after "U.S." or "I." before a word such
    as "The". An opening quotation mark or parenthesis belongs to the sentence after it.

    Args:
        doc: It does not change.
        starts: The first token of each sentence, as punctuation alone says.
        given: Those of them that are sure.

    Returns:
        The first token of each sentence, in order.
    """
    starters = np.flatnonzero(np.isin(doc.to_array("ORTH"), STARTERS)).tolist()
    found = {*starts, *(place for place in starters if _follows_initial(doc[place]))}
    bounds = sorted({0, *given, *(_before_opening_marks(doc, start) for start in found - {*given})})
    text, places = doc.text, [*doc.to_array("IDX").tolist(), len(doc.text)]
    kept = [0]
    for start, end in pairwise([*bounds[1:], len(doc)]):
        # A window, so that many sentences that belong together do not take quadratic time.
        first = max(kept[-1], start - WINDOW)
        before = text[places[first] : places[start]]
        after = text[places[start] : places[end]]
        if start in given or not (
            _goes_on(doc, kept[-1], start, end)
            or _is_abbreviated(before, after, doc.lang_)
            or ("(" in before and ")" in after and _is_in_brackets(doc, kept[-1], start, end))
        ):
            kept.append(start)
    return kept


def _before_opening_marks(doc: Doc, start: int) -> int:
    while start > 1 and doc[start - 1].text in _LEADING and doc[start - 2].whitespace_:
        start -= 1
    first = start
    while first > 0 and doc[first - 1].is_punct and not doc[first - 1].whitespace_:
        first -= 1
    return first if first > 0 and doc[first - 1].whitespace_ else start


def _follows_initial(token: Token) -> bool:
    """Whether the word before, ignoring quotation marks, is like "U.S."."""
    doc, last = token.doc, token.i - 1
    while last > 0 and doc[last].is_quote:
        last -= 1
    word = doc[last].text if last >= 0 else ""
    is_abbreviation = len(word) > 1 and word.endswith(".")
    return is_abbreviation and not is_never_last(word[:-1].casefold(), doc.lang_)


def _goes_on(doc: Doc, begin: int, start: int, end: int) -> bool:
    """Whether what follows goes on with a sentence that the mark before it seemed to end: nothing
    but marks, a mark that no space divides from it, or a lower-case word."""
    last = doc[start - 1]
    if not (last.whitespace_ or last.is_space or any(map(str.isalnum, doc[start].text))):
        return True
    first = next((token for token in doc[start:end] if not token.is_punct), None)
    if first is None:
        return True
    if not first.is_lower or next((t.is_lower for t in doc[begin:start] if t.is_alpha), True):
        return False
    # "data. npm makes" are two sentences, '"Jeopardy!" and' and "etc.) or" are one. The tokenizers
    # of other languages know fewer abbreviations: "5 млн. руб.".
    return doc.lang_ != "en" or (first.is_alpha and (first.is_stop or last.text != "."))


def _is_abbreviated(before: str, after: str, lang: str) -> bool:
    """Whether the full stop before what follows is that of an abbreviation, or of the number of an
    item."""
    words = before.rstrip("([\"' \n").rsplit(None, 1)
    if not words or not words[-1].endswith("."):
        return False
    abbreviation = words[-1].strip("([\"'.").casefold()
    if abbreviation.isdigit() and _ITEM.search(before):
        return True
    if is_before_number(abbreviation, lang) and after.lstrip("([\"'")[:1].isdigit():
        return True
    return is_never_last(abbreviation, lang)


def _is_in_brackets(doc: Doc, begin: int, start: int, end: int) -> bool:
    """Whether parentheses open before a token, and close after it."""
    recent = doc[max(begin, start - WINDOW) : start]
    return doc[begin].text != "(" and _count_open(recent) > 0 > _count_open(doc[start:end])


def _count_open(span: Span) -> int:
    return sum((token.text == "(") - (token.text == ")") for token in span)
