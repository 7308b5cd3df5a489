"""Lines of a text that say nothing of a theme."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, takewhile
from typing import NamedTuple

from spacy_thematic.lang import get_words, iter_languages

_HEADER = re.compile(
    r"(?:from|to|cc|bcc|subject|date|sent|reply-to|in-reply-to|references|message-id"
    r"|mime-version|content-[a-z-]+|x-[a-z-]+):",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(r"on .{5,200} wrote:|-{3,} ?(?:original|forwarded) message ?-{3,}", re.I)
_ABOVE_QUOTED = re.compile(r"-{3,} ?original message ?-{3,}|_{5,}", re.IGNORECASE)
_SENT_BY = re.compile(r"sent from my \S.{0,30}|get outlook for \S{1,30}", re.IGNORECASE)
_LANGUAGES = [get_words(language) for language in iter_languages()]
_GREETING = re.compile(
    rf"(?:{'|'.join(chain.from_iterable(own.greetings for own in _LANGUAGES))})"
    r"(?: [\w.'-]+){0,3}[,!]",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    "|".join(chain.from_iterable(own.closings for own in _LANGUAGES)), re.IGNORECASE
)
_BYLINE = re.compile(
    r"By(?: (?:and |[A-Z]\.? )?[A-Z][\w.'’-]+,?){2,6}(?:\s*[·•|–—]\s*(?=.*\d)[^.!?]{1,60})?"
)
_CONFIDENTIAL = re.compile(
    r"this (?:e-?mail|message|communication)\b.{0,200}\b(?:confidential|privileged|intended)\b",
    re.IGNORECASE,
)
_CUE = re.compile(r"WEBVTT\b.*|(?:\d+:)?\d\d:\d\d[.,]\d{3} --> .*")
_SPEAKER_LINE = re.compile(
    r"[^\W\d_][\w.'-]*(?: [\w.'-]+){0,2},? +[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?[\])]?:?", re.I
)
_FEWEST_SPEAKER_LINES = 3
_LONGEST_SIGNATURE = 5
_LONGEST_SIGNED = 80
"""Characters of a line of a signature that a blank line parts from the closing."""


class Line(NamedTuple):
    """A line of a text without the space around it, and where it begins, in characters."""

    start: int
    text: str


@lru_cache(maxsize=1)  # The components ask for those of one text in turn.
def iter_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a text, the empty ones too."""
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(Line(start + len(line) - len(line.lstrip()), line.strip()))
        start += len(line) + 1
    return tuple(lines)


@lru_cache(maxsize=1)
def find_aside_lines(text: str) -> tuple[Line, ...]:
    """Return the lines around what a mail or an article says: two headers or more in a row, what is
    quoted (after ">", or all below "Original Message" and headers), what introduces it, the
    author's name ("By Ann Lee"), and, after a blank line, greetings and signatures: what follows
    "--" up to a blank line, a few lines from a closing such as "Regards," on, and that a mail is
    confidential. In what was said, the times of subtitles, and who speaks if it is a line of its
    own ("Ann (0:12):")."""
    lines = iter_lines(text)
    headers = [bool(_HEADER.match(line.text)) for line in lines]
    speaks = [bool(_SPEAKER_LINE.fullmatch(line.text)) for line in lines]
    is_cue = [bool(_CUE.fullmatch(line.text)) for line in lines]
    has_speakers = sum(speaks) >= _FEWEST_SPEAKER_LINES
    asides: list[Line] = []
    signature, former, n_said, is_quoted = 0, "", 0, False
    for number, (line, is_header) in enumerate(zip(lines, headers)):
        signature -= 1
        if not line.text:
            is_closed = signature > 0 and _CLOSING.fullmatch(former)
            following = (line.text for line in lines[number + 1 : number + 2 + _LONGEST_SIGNATURE])
            is_signed = is_closed and _is_signature([*takewhile(bool, following)])
            signature = 1 + _LONGEST_SIGNATURE if is_signed else 0
        elif line.text == "--" or (not former and _CONFIDENTIAL.match(line.text)):
            signature = len(lines)
        elif not former and _CLOSING.fullmatch(line.text):
            signature = _LONGEST_SIGNATURE
        elif _ABOVE_QUOTED.fullmatch(line.text):
            # What is forwarded without a word is what the mail says.
            is_quoted |= n_said > 0 and any(headers[number + 1 : number + 3])
        if line.text and (
            signature > 0
            or is_quoted
            or (is_header and sum(headers[max(number - 1, 0) : number + 2]) > 1)
            or line.text.startswith(">")
            or _INTRODUCTION.fullmatch(line.text)
            or _SENT_BY.fullmatch(line.text)
            or _BYLINE.fullmatch(line.text)
            or is_cue[number]
            or (line.text.isdecimal() and number + 1 < len(lines) and is_cue[number + 1])
            or (has_speakers and speaks[number])
            or (not former and _GREETING.fullmatch(line.text))
        ):
            asides.append(line)
        elif line.text:
            n_said += 1
        former = line.text
    return tuple(asides)


def _is_signature(lines: Sequence[str]) -> bool:
    """Whether each of a few lines may be a name, or what somebody is."""
    return 0 < len(lines) <= _LONGEST_SIGNATURE and all(
        len(line) <= _LONGEST_SIGNED and line[-1] not in ".!?:,;" for line in lines
    )
