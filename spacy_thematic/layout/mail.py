"""Lines around what a mail, a letter or an article says: headers, quotations, greetings,
signatures."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, takewhile

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.dates import are_capitals, is_dateline
from spacy_thematic.layout.lines import Line, group_unknown
from spacy_thematic.layout.notation import are_names

_HEADER = re.compile(
    r"(?:from|to|cc|bcc|subject|date|sent|reply-to|in-reply-to|references|message-id"
    r"|mime-version|content-[a-z-]+|x-[a-z-]+):",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"(?:on|at) .{5,200} wrote:|-{3,} ?(?:original|forwarded) message ?-{3,}"
    r"|.{0,200}<[^<>\s]{1,100}(?:@| at )[^<>\s]{1,100}>(?: \w+){0,2}:",
    re.IGNORECASE,
)
_WROTE = re.compile(r"(?:.{1,80} )?wrote:", re.IGNORECASE)
_ABOVE_QUOTED = re.compile(r"-{3,} ?original message ?-{3,}|_{5,}", re.IGNORECASE)
_SENT_BY = re.compile(r"sent from my \S.{0,30}|get outlook for \S{1,30}", re.IGNORECASE)
_LANGUAGES = [get_words(language) for language in iter_languages()]
_GREETING = re.compile(
    rf"(?:{'|'.join(chain.from_iterable(own.greetings for own in _LANGUAGES))})"
    r"(?: [\w./'-]+){0,3}[,!]",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    "|".join(chain.from_iterable(own.closings for own in _LANGUAGES)), re.IGNORECASE
)
_LONGEST_CLOSING = 40
_BYLINE = re.compile(
    r"(?:By(?! \S+\Z)|(?:Written|Published|Posted|Reported) by)"
    r"(?: the (?:Hon|Rev)\b\.?)?(?: (?:and |[A-Z]\.? )?[A-Z][\w.'’-]+,?){1,6}"
    r"(?:\s*[·•|–—]\s*(?=.*\d)[^.!?]{1,60}|(?<=,) [Aa]uthor of [^.]{1,80}\.?[”\"]?)?"
)
_ADDRESSEE = re.compile(r"(?:[IVXLCDM]+\.|\d+\.)?[-–—\s]*(?:To|TO) \w.*")
_DEAR = re.compile(
    r"(?:My )?Dear(?:est)?(?: [\w.'’]+){1,4}(?:[,:;!.]? ?(?:--|[–—])+|[,:;!])", re.IGNORECASE
)
_YOURS = re.compile(r"\byours?\b", re.IGNORECASE)
_OF_HEAD, _OF_TAIL = 4, 4
"""Paragraphs at the start and the end of a letter that may frame it."""

_LONGEST_SIGNATURE = 5
_MOST_BELOW = 15
"""The lines between "--" and a blank one that may be a signature, or the footer of a list. Some
transcripts have "--" between a name and what is said."""

_LONGEST_SIGNED = 80
"""Characters of a line of a signature that a blank line parts from the closing."""


def detect_mail(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides what frames a letter, two headers or more in a row, what is quoted (after
    ">", or all below "Original Message" and headers), what introduces it, the author's name ("By
    Ann Lee", "Written by Ann"), and, after a blank line, greetings and signatures: what follows
    "--" up to a blank line, and a few lines from a closing such as "Regards," on."""
    headers = [bool(_HEADER.match(line.text)) for line in lines]
    quotes = [line.text.startswith(">") for line in lines]
    yield from _find_frame(lines)
    signature, former, n_said, is_quoted, is_closing = 0, "", 0, False, False
    for number, (line, is_header) in enumerate(zip(lines, headers)):
        signature -= 1
        if line.text:
            is_closing = _CLOSING.fullmatch(line.text) is not None
        if not line.text:
            is_closed = signature > 0 and is_closing
            following = lines[number + 1 : number + 2 + _LONGEST_SIGNATURE]
            signature = 1 + _LONGEST_SIGNATURE if is_closed and _is_signature(following) else 0
        elif line.text == "--":
            below = takewhile(bool, (one.text for one in lines[number + 1 :]))
            n_below = sum(1 for _ in islice(below, 1 + _MOST_BELOW))
            signature = 1 + n_below if n_below <= _MOST_BELOW else 0
        elif not former and is_closing:
            signature = _LONGEST_SIGNATURE
        elif _ABOVE_QUOTED.fullmatch(line.text):
            # What is forwarded without a word is what the mail says.
            is_quoted |= n_said > 0 and any(headers[number + 1 : number + 3])
        if line.text and (
            signature > 0
            or is_quoted
            or (is_header and sum(headers[max(number - 1, 0) : number + 2]) > 1)
            or quotes[number]
            or _INTRODUCTION.fullmatch(line.text)
            or (_WROTE.fullmatch(line.text) and any(quotes[number + 1 : number + 3]))
            or _SENT_BY.fullmatch(line.text)
            or is_byline(line.text)
            or (not former and _GREETING.fullmatch(line.text))
        ):
            yield line.as_block("aside")
        elif line.text and not line.kind:
            n_said += 1
        former = line.text


def is_byline(text: str) -> bool:
    """Tell whether a line is "by" and names, perhaps with a date, or with what else they wrote."""
    return _BYLINE.fullmatch(text) is not None


def _is_signature(following: Sequence[Line]) -> bool:
    """Whether each of a few lines up to a blank one may be a name, which may end with a full stop
    if it is a word alone, or what somebody is."""
    texts = [*takewhile(bool, (line.text for line in following))]
    return 0 < len(texts) <= _LONGEST_SIGNATURE and all(
        len(text) <= _LONGEST_SIGNED
        and (text[-1] not in ".!?:,;" or (text[-1] == "." and " " not in text))
        for text in texts
    )


def _find_frame(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield what frames a letter, if two or more of these are there, one of the first two among
    them: to whom it is ("To John Taylor."), a greeting, also one that a dash ends before prose,
    where and when it was written, and, near its end, a line with "your" or "yours" above a name."""
    parts = group_unknown(lines)
    asides: list[Line] = []
    greeting = None
    is_letter, n_found = False, 0
    for part in parts[:_OF_HEAD]:
        text = " ".join(line.text for line in part)
        is_addressee = part is parts[0] and _ADDRESSEE.fullmatch(text) and are_capitals(text)
        if is_addressee or is_dateline(text):
            asides += part
        elif greeting := _DEAR.match(part[0].text):
            greeted = part[0]
            break
        else:
            continue
        is_letter |= bool(is_addressee)
        n_found += 1
    for above, part in reversed([*pairwise(parts)][-_OF_TAIL:]):
        closing, name = above[-1].text, part[0].text.rstrip(".-–— ")
        if _YOURS.search(closing) and len(name.split()) <= _LONGEST_SIGNATURE and are_names(name):
            asides.append(part[0])
            if len(above) == 1 and len(closing) <= _LONGEST_SIGNED and closing[-1] not in ".!?":
                asides += above
            n_found += 1
            break
    if n_found + bool(greeting) < 2 or not (is_letter or greeting):
        return
    yield from (line.as_block("aside") for line in asides)
    if greeting:
        kind = "aside" if greeting.end() == len(greeted.text) else "prefix"
        yield Block(kind, greeted.start, greeted.start + greeting.end())


def is_closing(text: str) -> bool:
    """Tell whether a sentence is how letters end, in two words or more ("Kind regards")."""
    text = text.strip() if len(text) < _LONGEST_CLOSING else ""
    return " " in text and _CLOSING.fullmatch(text) is not None
