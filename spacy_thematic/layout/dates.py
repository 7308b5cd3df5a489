"""Dates: when a text is from, as an ISO 8601 date or the beginning of one, and lines that say only
when, or where and when.

A date is read in every language that names its months. Elsewhere the names are English: in others
they may be no months ("Mars 2020").
"""

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any

from spacy_thematic.lang import get_words, iter_languages

Timeline = dict[str, dict[int, int]]
"""Dates, "" for no date, to the numbers of themes, to the number of their sentences then."""

_ENGLISH = get_words("en")


def _number(names: Iterable[str]) -> dict[str, int]:
    return {name.lower(): n for n, name in enumerate(names, start=1)}


def _any_of(names: Iterable[str]) -> str:
    return f"(?P<m>{'|'.join(sorted(names, reverse=True))})"


_ENGLISH_MONTHS = _number(_ENGLISH.months) | _number(name[:3] for name in _ENGLISH.months)
_OTHER_MONTHS = {
    name: n
    for language in iter_languages()
    if language != "en"
    for name, n in _number(get_words(language).months).items()
}
_MONTHS = _OTHER_MONTHS | _ENGLISH_MONTHS

_MONTH = rf"{_any_of(_ENGLISH_MONTHS)}\.?"
_NTH = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_OTHER_DAY = rf"(?P<d>\d{{1,2}})(?:er|\.)? (?:de )?{_any_of(_OTHER_MONTHS)}(?: de)? {_YEAR}"
_TIME = (
    r"(?:,? (?:at )?\d{1,2}(?::\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?| ?[ap]\.?m\.?)(?: [A-Z]{2,4})?)?"
)
_AT_END = [
    re.compile(rf"(?:^|[\s(]){date}{_TIME}[\s)\]*_#]*$", re.IGNORECASE)
    for date in (
        rf"{_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)",
        rf"{_MONTH} {_NTH},? {_YEAR}",
        rf"{_NTH}(?: of)? {_MONTH},? {_YEAR}",
        _OTHER_DAY,
    )
]
DAY = rf"\d+ (?:{'|'.join(_ENGLISH.months)})\b|{_OTHER_DAY}\b"
"""A day with the name of its month, as a pattern: of other languages than English with its year."""

_MONTH_OF_DAY = re.compile(
    rf"(?:{'|'.join(sorted(_OTHER_MONTHS.keys() - _ENGLISH_MONTHS.keys()))})\b"
    rf"|{_any_of(_OTHER_MONTHS)} {_YEAR}",
    re.IGNORECASE,
)
_MONTH_OF_YEAR = re.compile(rf"{_any_of(_MONTHS)}(?: de)? (?P<y>\d{{4}})", re.IGNORECASE)
_DIVIDED = re.compile(r"(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})")
_IN_NUMBERS = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)")
_QUARTER = re.compile(r"(?:(?P<year>\d{4})[ -]?)?Q(?P<n>[1-4])(?(year)| (?P<last>\d{4}))")
_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")

_TIMES = frozenset().union(*(get_words(language).times for language in iter_languages()))
_OF_DATES = _TIMES | _ENGLISH.before_dates | _ENGLISH.after_times | _ENGLISH_MONTHS.keys()
_OF_DATES |= {day[:3] for day in _ENGLISH.times if day.endswith("day")}
_OF_ADDRESSES = _ENGLISH.links | _ENGLISH.determiners | _ENGLISH.particles | _OF_DATES
_OF_ADDRESSES |= {"st", "nd", "rd", "th"}
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST, _LONGEST_NAMES = 300, 100
"""Characters of a line that may be a date, or names."""


def find_order(values: Iterable[Any]) -> str:
    """Return whether dates in numbers that end with the year, such as 8/16/2016 or 8/16/16, begin
    with the "day" or with the "month", as numbers above 12 tell; "" if none tells, they disagree,
    or the first may be the year (16/8/31)."""
    found = [date for value in values if (date := match_numbers(value))]
    firsts, seconds = (any(int(date[place]) > 12 for date in found) for place in (1, 3))
    n_first, n_last = (len({date[place] for date in found}) for place in (1, 4))
    if firsts and n_first <= n_last and any(len(date[4]) == 2 for date in found):
        return ""
    return "" if firsts == seconds else "day" if firsts else "month"


def match_numbers(value: Any) -> re.Match[str] | None:
    """Match a date in numbers that ends with the year, perhaps before a time."""
    return _IN_NUMBERS.fullmatch(" ".join(str(value).split()).partition(" ")[0])


def find_date(value: Any, order: str = "") -> str:
    """Return the year, month or day of an ISO 8601 date, with a time or without, or of a
    `datetime.date`, also where slashes or dots divide it (2024/5/31); or of a date with the name of
    the month, as in 31 May 2024, 31-May-24, 3 de mayo de 2024, Mai 2024 and the headers of mail
    (RFC 5322); or of one such as 31/05/2024 or 31/05/24, if `find_order` has told the order; of a
    quarter (Q2 2024, 2024-Q2) its first month. Return "" for anything else."""
    if order and (found := match_numbers(value)):
        month, day = (found[1], found[3]) if order == "month" else (found[3], found[1])
        year = found[4] if len(found[4]) == 4 else dt.datetime.strptime(found[4], "%y").year
        value = f"{year}-{month}-{day}"
    text = " ".join(str(value).split())
    if found := _QUARTER.fullmatch(text):
        text = f"{found['year'] or found['last']}-{3 * int(found['n']) - 2:02}"
    elif found := _MONTH_OF_YEAR.fullmatch(text):
        text = f"{found['y']}-{_MONTHS.get(found['m'].lower(), 0):02}"
    date = text.replace("T", " ").partition(" ")[0]
    if (found := _DIVIDED.fullmatch(date)) and (found[2] or len(date) == len("20240531")):
        date = f"{found[1]}-{found[3]:>02}-{found[4]:>02}"
    if _ISO.fullmatch(date):
        with suppress(ValueError):  # Such as 2024-02-30.
            dt.date.fromisoformat(f"{date}-01-01"[:10])
            return date
        return ""
    with suppress(TypeError, ValueError, IndexError, OverflowError):
        return parsedate_to_datetime(text).date().isoformat()
    for form in ("%d-%b-%y", "%d-%b-%Y"):
        with suppress(ValueError):
            return dt.datetime.strptime(text, form).date().isoformat()
    return find_date_at_end(text)


def read_date(value: Any) -> str:
    """Return `doc._.thematic_date` as `find_date` does, "" where it is None. Raises ValueError if
    it is not a date."""
    date = find_date(value)
    if value and not date:
        raise ValueError(
            f"Expected doc._.thematic_date to be a date such as 2024-05-31, 2024-05 or 2024, found "
            f"{value!r}: give it in this form (ISO 8601), or leave it None."
        )
    return date


def find_date_at_end(line: str) -> str:
    """Return the day with which a line ends, perhaps before a time of day, such as "Date: 11
    September 2019" and "le 1er mai 2021", in ISO 8601; "" if there is none."""
    for found in filter(None, (pattern.search(line) for pattern in _AT_END)):
        month = _MONTHS.get(found["m"].lower(), found["m"])
        try:
            return dt.date(int(found["y"]), int(month), int(found["d"])).isoformat()
        except ValueError:  # Such as 2024-02-30.
            return ""
    return ""


def goes_on_day(number: str, text: str) -> bool:
    """Tell whether a text begins with the month of a day whose number a full stop follows, as in
    German 24. "Mai"; before a month that English calls so, too, only with the year."""
    is_day = number.isdecimal() and 0 < int(number) <= 31
    return is_day and _MONTH_OF_DAY.match(text) is not None


def is_date(text: str) -> bool:
    """Tell whether a text is numbers and words of time ("Day 19: January 22, 2020")."""
    has_digit = len(text) <= _LONGEST and any(map(str.isdigit, text))
    words = _WORD.findall(text.lower()) if has_digit else []
    return bool(words) and _OF_DATES.issuperset(words)


def is_dateline(text: str) -> bool:
    """Tell whether a text is where and when something was written ("Ayr, May 3, 1816")."""
    words = _WORD.findall(text)
    has_date = any(map(str.isdigit, text)) and any(word.lower() in _OF_DATES for word in words)
    return has_date and are_capitals(text)


def are_capitals(text: str) -> bool:
    """Tell whether all words of a text begin with capitals, but for short ones and those of
    time, and it is not too long for a few names."""
    words = _WORD.findall(text)
    return len(text) <= _LONGEST_NAMES and all(
        word[0].isupper() or word.lower() in _OF_ADDRESSES for word in words
    )
