"""Lines of a plain text that are headings, and what each heads."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.lang import get_words
from spacy_thematic.sentences.asides import Line, find_aside_lines, iter_lines
from spacy_thematic.sentences.speakers import SPEAKER
from spacy_thematic.span_keys import read_sections

_FULL = 0.9
"""The share of lines that are no longer than the width of a text."""

_LONGEST, _MOST_WORDS = 100, 15
"""Characters and words of a heading."""

_LONGEST_ABOVE, _WRAPPED = 60, 150
"""Characters of a heading without marks that no blank line parts from what it heads, where lines
are broken at some width: of fewer characters than the latter."""

_MOST_TOGETHER = 3
"""Lines of headings that follow each other; more are a list, or verse."""

_MOST = 0.3
"""The largest share of the characters of a text that are headings without marks."""

_DATED = re.compile(r"\d{4}|\d[:.]\d\d")

_MARKED = re.compile(r"#{1,6}\s+\S")
_ITEM = re.compile(r"[-*+•–—>|]|!\[|\w+://|\(?\w{1,3}\)\s")
_ENGLISH = get_words("en")
_LEADS_ON = re.compile(rf"(?i:\b(?:{'|'.join(_ENGLISH.leading_on)}))\Z")
"""What a line ends with that the next one goes on."""

_FILLER = re.compile(rf"(?:(?:{'|'.join(_ENGLISH.fillers)})\b[\W_]*)+", re.IGNORECASE)
"""What is said before something is."""

_SENTENCE_END = re.compile(r"\b[a-zß-öø-ÿ]{3,}[.!?] +[^\W\d_]")
_STOPS = frozenset("\"'>|“‘«")
_NO_STOPS = frozenset("%*#&@")
_FENCES = ("```", "~~~")
_MARKS = "#*_ \t"
_SHORT = 3
_LONGEST_ACRONYM = 6
_NUMBER = re.compile(
    rf"\A(?:(?:{'|'.join(sorted(_ENGLISH.headings_of_parts))})\s+)(?:\d+(?:\.\d+)*|[ivxlc]+)\b[.:)]?\s*"
    r"|\A(?:\d+(?:\.\d+)*[.:)]?|§\s*\d+\w*\.?)\s+",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def find_heading_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a plain text that are headings: those marked so ("## Fees"), and short
    ones after a blank line, or the first, that end without punctuation although the next word had
    room on them. Prose follows each, or up to two more of them and then prose."""
    if "\n" not in text:
        return ()
    lines = iter_lines(text)
    asides = set(find_aside_lines(text))
    filled = [line for line in lines if line.text and line not in asides]
    width = measure_width(filled)
    found: list[Line] = []
    together: list[Line] = []
    may_start, is_code = True, False
    for line, after in zip(lines, (*lines[1:], Line(len(text), ""))):
        is_fence = line.text.startswith(_FENCES)
        is_code ^= is_fence
        if not line.text:
            may_start = True
        elif (
            (may_start or together)
            and line not in asides
            and not (is_code or is_fence)
            and _is_like_heading(line.text)
            and (_MARKED.match(line.text) or not (after.text and _goes_on(line, after, width)))
        ):
            together.append(line)
        else:
            if len(together) <= _MOST_TOGETHER and line not in asides:
                found += together
            together, may_start = [], False
    guessed = [line for line in found if not _MARKED.match(line.text)]
    is_prose = _count_characters(guessed) <= _MOST * _count_characters(filled)
    return tuple(found) if is_prose else ()


def _count_characters(lines: Iterable[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _is_like_heading(text: str) -> bool:
    if _MARKED.match(text):
        return True
    return (
        len(text) <= _LONGEST
        and len(text.split()) <= _MOST_WORDS
        and not _is_stop(text[-1])
        and not text[0].islower()
        and "\t" not in text
        and sum(map(str.isalpha, text)) > 1
        and not _ITEM.match(text)
        and not _LEADS_ON.search(text)
        and not _SENTENCE_END.search(_NUMBER.sub("", text, count=1))
        and not SPEAKER.match(text)
        and not _FILLER.fullmatch(text)
    )


def _goes_on(line: Line, after: Line, width: int) -> bool:
    return (len(line.text) > _LONGEST_ABOVE and width < _WRAPPED) or goes_on(line, after, width)


def _is_stop(mark: str) -> bool:
    """Whether a mark ends a sentence, or a part of one, in any script."""
    if mark in _NO_STOPS:
        return False
    return mark in _STOPS or unicodedata.category(mark) in ("Po", "Pf", "Pi", "Pd")


def measure_width(lines: Sequence[Line]) -> int:
    """Return the width to which lines are filled, in characters; 0 without lines."""
    lengths = sorted(len(line.text) for line in lines)
    return lengths[math.ceil(_FULL * len(lengths)) - 1] if lengths else 0


def goes_on(first: Line, second: Line, width: int) -> bool:
    """Tell whether a line begins with a lower-case letter, or with a word that the line before it
    had no room for."""
    if SPEAKER.match(second.text):
        return False
    word, *others = second.text.split()
    # Where nothing stands between words, a line ends anywhere.
    needed = 1 + len(word) if others else 1
    return word[0].islower() or len(first.text) + needed > width


def clean_heading(text: str) -> str:
    """Return a heading without marks and number, not in capitals: "Use of Cars" of "Section 4. USE
    OF CARS". Empty if nothing else is left."""
    text = _NUMBER.sub("", text.strip(_MARKS), count=1).strip(_MARKS).rstrip(":")
    is_acronym = " " not in text and len(text) <= _LONGEST_ACRONYM
    if not text.isupper() or is_acronym:
        return text
    words = text.lower().split(" ")
    return " ".join(
        word.capitalize() if len(word) > _SHORT or not place else word
        for place, word in enumerate(words)
    )


class HeadingSentences(NamedTuple):
    """Which sentences of a Doc begin what a heading heads, and which are headings.

    Attributes:
        opening: Whether each begins a section with a title, or begins with a heading and the
            sentence before it is none, bool (n,).
        whole: Whether each is a heading, or a part of one, bool (n,).
    """

    opening: np.ndarray
    whole: np.ndarray


def find_heading_sentences(
    doc: Doc, text: str, sentences: Sequence[Span]
) -> HeadingSentences | None:
    """Find where headings stand among sentences in the order of the text: before the sections in
    `doc.spans["sections"]`, if there are any; else on lines of their own. None where there are
    none."""
    if titles := _read_titles(doc):
        return _find_sections(titles, sentences)
    lines = find_heading_lines(text)
    if not lines:
        return None
    begins, whole = np.zeros((2, len(sentences)), bool)
    starts = [line.start for line in lines]
    for number, sentence in enumerate(sentences):
        _, end = _measure(sentence)
        words = [token for token in sentence if not token.is_space] or [sentence[0]]
        # Some tokenizers leave line breaks within a token, and with them the start of a line.
        place = bisect_right(starts, words[0].idx + len(words[0]) - 1) - 1
        if place >= 0:
            former = words[0].i - 1
            begins[number] = former < 0 or doc[former].idx < starts[place]
            heading_end = starts[place] + len(lines[place].text)
            whole[number] = end <= heading_end or words[-1].idx < heading_end
    before = np.append(False, whole[:-1])
    return HeadingSentences(begins & ~before, whole)


def _find_sections(
    titles: Sequence[tuple[int, str]], sentences: Sequence[Span]
) -> HeadingSentences:
    above = _find_above(titles, sentences)
    # A section of two paragraphs is two spans with one title.
    opening = [title not in ("", before) for before, title in pairwise(["", *above])]
    return HeadingSentences(np.array(opening, bool), np.zeros(len(sentences), bool))


def find_headed_parts(headings: HeadingSentences | None) -> np.ndarray | None:
    """Return the part of a text that each sentence is in, from 0, (n,), where each part but perhaps
    the first has a heading; None where fewer than two have one."""
    if headings is None or headings.opening.sum() < 2:
        return None
    return np.cumsum(headings.opening) - int(headings.opening[0])


def find_headings_above(doc: Doc, text: str, sentences: Sequence[Span]) -> list[str]:
    """Return the heading that each sentence of a Doc stands below, "" if none: the title of its
    section in `doc.spans["sections"]`, if there are any; else the last line that is a heading.

    What heads all of the text, as a title does, tells no part of it from the others.
    """
    places = _read_titles(doc)
    if not places and _count_parts(text) >= 2:
        # A line below a title may say when something was held or released.
        lines = find_heading_lines(text)
        places = [(line.start, line.text) for line in lines if not _DATED.search(line.text)]
    places = [(start, clean_heading(heading)) for start, heading in places]
    if len({"", *(heading for _, heading in places)}) < 3:
        return [""] * len(sentences)
    return _find_above(places, sentences)


def _read_titles(doc: Doc) -> list[tuple[int, str]]:
    """Where each section of a Doc begins, in characters, and its title."""
    return [(span.start_char, span.label_) for span in read_sections(doc)]


def _find_above(places: Sequence[tuple[int, str]], sentences: Sequence[Span]) -> list[str]:
    """Which of some texts at places of a Doc each sentence stands below, "" if none."""
    starts, texts = [start for start, _ in places], ["", *(text for _, text in places)]
    return [texts[bisect_right(starts, _measure(sentence)[0])] for sentence in sentences]


def _count_parts(text: str) -> int:
    """How many parts of a text have headings, where those that follow each other head one part."""
    lines = find_heading_lines(text)
    between = (text[line.start + len(line.text) : after.start] for line, after in pairwise(lines))
    return bool(lines) + sum(bool(prose.strip()) for prose in between)


def _measure(sentence: Span) -> tuple[int, int]:
    """Where a sentence begins and ends without the space around it, in characters."""
    text, start = sentence.text, sentence.start_char
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())
