"""Lines that say nothing: addresses, names of files, identifiers, pictures, notices of copyright,
lists of who was there, marks, dates, and rows with dot leaders."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from spacy_thematic.lang import get_words
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.dates import are_capitals, is_date
from spacy_thematic.layout.lines import (
    BULLETS,
    Line,
    are_wrapped,
    find_angled,
    group_unknown,
    is_rule,
    is_underlined,
    is_unknown,
)

_ENGLISH = get_words("en")
_NOTATION = re.compile(r"://|\A:[\w-]+:\Z|\A[/~]|/\S*/|[\\_=<>{}@|]|::|\[\[|\w{2,}\.\w{2,}")
_RULED = re.compile(r"([-=*_~#])\1{2,}.{0,60}\1{3,}")
"""Words within a line of marks."""

_BRACKETED = re.compile(r"\[\[.*\]\]|\[[^\s\]]+\]")
"""A link, an anchor, or a word for a program ("[source,console]")."""

_REMARK = re.compile(r"\s*(?:\((?:[^\s()]+ ?){1,3}\)|\[(?:[^][\s]+ ?){1,3}\])\Z")
"""A few words in brackets at the end of a line."""

_ID = re.compile(r"\b[A-Z]*\d{5,}\b")
_LABELLED = re.compile(r"[^\W\d_]+(?: [a-z]+){0,2}:\s+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PICTURE = re.compile(
    rf"\[(?i:{'|'.join(sorted(_ENGLISH.captions))})\b[^][]*\]|image::?\S+\[[^][]*\]"
)
_COPYRIGHT = re.compile(
    r"\W*(?:©|\(c\)|copyright\b)(?:\W|\(c\)|©|copyright\b){0,4}(?:19|20)\d\d\b", re.IGNORECASE
)
_WORDS_OF_ATTENDANCE = rf"\b(?:{'|'.join(sorted(_ENGLISH.attendance))})\b"
_ATTENDANCE = re.compile(
    rf"[^:.]{{0,30}}{_WORDS_OF_ATTENDANCE}[^:.]{{0,30}}:|#+ [^:.]{{0,30}}{_WORDS_OF_ATTENDANCE}\Z",
    re.IGNORECASE,
)
_BULLET = re.compile(rf"(?:[{BULLETS}]|\d{{1,2}}[.)])\s+")
_BETWEEN_NAMES = re.compile(r"\([^()]*\)|@[\w-]+|[,;&|]|\band\b")
_ADDRESS = re.compile(
    r"<[^<>\s@]{1,100}@[^<>\s@]{1,100}>|(?<!\S)\(?[\w.+-]{1,100}@[\w.-]{3,100}\)?(?!\S)"
)
"""Of mail."""
_FORM = re.compile(
    r"(?=[A-Z\d_]|\w@)(?:"  # It is faster to look at this first.
    r"\w@[\w-]+\.[A-Za-z]{2,}|_{4}|\b[A-Z]{2},? \d{5}(?:-\d{4})?\b"
    r"|\b(?:[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b"
    r"|(?<![\d.,])\d{3,5} (?:[A-Z][\w.'’-]* ){1,3}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Boulevard|Blvd|Drive|Lane|Way|Parkway|Highway)\b"
    r"|\b(?P<label>[A-Z]\w{1,30}): .{0,100}\b(?P=label):"
    r"|\A(?:(?P<twice>[A-Z]\w+) (?P=twice)\b ?){2,}\Z)"
)
"""An address of mail, room to write, the postal codes of three countries, a street with its number
("270 Longwood Rd"), and labels of two columns ("Title: CEO Title: Chair", "By By Name Name")."""
_OF_FIELDS, _ROW = re.compile(r"(?:\+-){4,}\+?"), re.compile(r"\|.*\|")
"""The rule between the fields of a packet, as RFCs draw it, and a row of fields."""

_LONGEST_NAME = 5
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 300
"""Characters of a line that may be none."""

_LEADERS = re.compile(r"(?:\s\.){6,}+|\s\.{6,}+|(?<!\.)\.{6,}+(?=\s*[-$€£(]{0,2}\d)")
_OF_LEADERS = 1 / 5
"""The characters of a row of a table, or of contents, that lead from a label to its figures."""

_FEWEST_DATES = 3
_FEW_WORDS = 4
"""Of a line that is such a word alone, above names."""

_LONGER = 4
"""Characters, such as those of markup that is gone, by which a line of marks may be longer than the
heading above it."""

_MOST_WORDS = 1
"""Words beside an address or a name of a file on a line that says nothing."""


def detect_notation(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides the lines without a letter, those of an address or a form, a name of a file
    or the like and hardly a word, those with words within marks, notices of copyright, pictures,
    those of a date alone, unless there are several, as in a diary, and who was present. In wrapped
    prose no other line stands with these between blank lines, but for who was present, a single
    word within brackets, and the fields of a packet."""
    is_wrapped = are_wrapped(lines)
    known = _find_attendance(lines) | _find_fields(lines)
    has_dates = sum(is_unknown(line) and is_date(line.text) for line in lines) >= _FEWEST_DATES
    marked = {line.start for line, after in pairwise(lines) if _is_marked(line, after)}
    headings = (marked | find_angled(lines)) - known
    for group in group_unknown(lines):
        group = [line for line in group if line.start not in headings]
        texts = [line.text[line.said :] for line in group]
        say_nothing = [_says_nothing(text) or (not has_dates and is_date(text)) for text in texts]
        is_open = not is_wrapped or all(say_nothing)
        for line, text, says_nothing in zip(group, texts, say_nothing):
            is_known = line.start in known or _BRACKETED.fullmatch(text)
            if is_known or (is_open and says_nothing):
                yield line.as_block("aside")


def _is_marked(line: Line, after: Line) -> bool:
    """Whether a line is a heading with a line of marks below it, about as long."""
    return is_underlined(line, after) and len(after.text) <= len(line.text) + _LONGER


def _find_fields(lines: Sequence[Line]) -> set[int]:
    """Where the lines begin that draw the fields of a packet."""
    found: set[int] = set()
    for has_text, group in groupby(lines, lambda line: bool(line.text)):
        drawn = [*group] if has_text else []
        if any(_OF_FIELDS.fullmatch(line.text) for line in drawn):
            found |= {line.start for line in drawn if _ROW.fullmatch(line.text)}
    return found


def _find_attendance(lines: Sequence[Line]) -> set[int]:
    """Where the lines begin that say who was present: such a word before a colon, and names after
    it, or on the lines below. Where empty lines are between, the last may be a heading, but for
    items that follow each other."""
    found: set[int] = set()
    is_listed = is_first = was_item = False
    filled = [line for line in lines if line.text]
    texts = [_BULLET.sub("", line.text) if line.kind in ("", "speaker") else "" for line in filled]
    leads = [_ATTENDANCE.match(text) for text in texts]
    if not any(leads):
        return found
    names = [
        bool(text) and are_names(text[lead.end() :] if lead else text)
        for text, lead in zip(texts, leads)
    ]
    empty = {line.start for before, line in pairwise(lines) if not before.text}
    for line, text, lead, has_names, goes_on in zip(
        filled, texts, leads, names, [*names[1:], False]
    ):
        is_item = text != line.text
        is_close = line.start not in empty or (is_item and was_item) or is_first or goes_on
        was_item = is_item
        is_first = lead is not None and lead.end() == len(text)
        is_lead = goes_on or not is_first or len(text.split()) < _FEW_WORDS
        is_listed = has_names and (is_lead if lead else is_listed and is_close)
        if is_listed and not (lead and text[0] == "#"):
            found.add(line.start)
    return found


def heads_names(title: str) -> bool:
    """Tell whether a title may stand above the names of those who were present."""
    return _ATTENDANCE.match(f"# {title}") is not None


def are_names(text: str) -> bool:
    """Tell whether a text is names of persons, or empty."""
    particles = _ENGLISH.particles
    names = [part.split() for part in _BETWEEN_NAMES.split(text.rstrip(". "))]
    return all(
        len(name) <= _LONGEST_NAME
        and all(word[0].isupper() or word in particles for word in name)
        and not any(map(str.isdigit, "".join(name)))
        for name in names
    )


def _says_nothing(text: str) -> bool:
    if sum(map(len, _LEADERS.findall(text))) > _OF_LEADERS * len(text):
        return True
    if len(text) > _LONGEST:
        return False
    if _RULED.fullmatch(text) or _PICTURE.fullmatch(text) or _COPYRIGHT.match(text):
        return True
    if (label := _LABELLED.match(text)) and _YEAR.search(text):
        value = text[label.end() :]  # "Release date: 3 May 2021".
        if is_date(value) or not any(map(str.isalpha, value)):
            return True
    # Of whom, and perhaps when: "-- Ann Lee <ann@x.org>  Sun, 3 May".
    rest = _ADDRESS.sub(" ", text)
    if (rest != text or is_of_form(text)) and are_capitals(rest.replace("-mail", "")):
        return True
    if not any(map(str.isalpha, text)):
        return text[0] not in "#=" and not is_rule(text)  # It may mark a heading.
    bare = _REMARK.sub("", text) if text[-1] in ")]" else text
    return any(map(_is_notation, {text, bare}))


def is_of_form(text: str) -> bool:
    """Tell whether a line holds an address, or what a form says twice or leaves open."""
    return _FORM.search(text) is not None


def _is_notation(text: str) -> bool:
    words = [*filter(_WORD.search, text.split())]
    has_id = bool(_ID.fullmatch(text) or (_LABELLED.match(text) and _ID.search(text)))
    n_notation = len([*filter(_NOTATION.search, words)]) or has_id
    return n_notation > 0 and len(words) - n_notation <= _MOST_WORDS
