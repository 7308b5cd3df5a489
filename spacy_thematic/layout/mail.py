"""What stands around what a mail or an article says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line

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
_SCRUBBED = re.compile(
    r"-{3,} next part -{3,}|An? (?:\S+ ){0,3}(?:attachment|message|text) was scrubbed\.{3}"
)
"""What Mailman leaves in place of an attachment; its name, type, size and address follow."""
_BYLINE = re.compile(
    r"By(?: (?:and |[A-Z]\.? )?[A-Z][\w.'’-]+,?){2,6}(?:\s*[·•|–—]\s*(?=.*\d)[^.!?]{1,60})?"
)
_LONGEST_SIGNATURE = 5
_LONGEST_SIGNED = 80
"""Characters of a line of a signature that a blank line parts from the closing."""


def detect_mail(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides two headers or more in a row, what is quoted (after ">", or all below
    "Original Message" and headers), what introduces it, the author's name ("By Ann Lee"), what
    Mailman says of an attachment, and, after a blank line, greetings and signatures: what follows
    "--" up to a blank line, and a few lines from a closing such as "Regards," on."""
    headers = [bool(_HEADER.match(line.text)) for line in lines]
    quotes = [line.text.startswith(">") for line in lines]
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
            signature = len(lines)
        elif _SCRUBBED.fullmatch(line.text):
            signature = 1 if line.text[0] == "-" else 1 + _LONGEST_SIGNATURE
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
            or _BYLINE.fullmatch(line.text)
            or (not former and _GREETING.fullmatch(line.text))
        ):
            yield line.as_block("aside")
        elif line.text and not line.kind:
            n_said += 1
        former = line.text


def _is_signature(following: Sequence[Line]) -> bool:
    """Whether each of a few lines up to a blank one may be a name, which may end with a full stop
    if it is a word alone, or what somebody is."""
    texts = [*takewhile(bool, (line.text for line in following))]
    return 0 < len(texts) <= _LONGEST_SIGNATURE and all(
        len(text) <= _LONGEST_SIGNED
        and (text[-1] not in ".!?:,;" or (text[-1] == "." and " " not in text))
        for text in texts
    )
