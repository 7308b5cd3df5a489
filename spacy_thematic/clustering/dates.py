"""When a text is from: an ISO 8601 date, or the beginning of one."""

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any

from spacy_thematic.layout.notation import find_date_at_end

Timeline = dict[str, dict[int, int]]
"""Dates, "" for no date, to the numbers of themes, to the number of their sentences then."""

_DIVIDED = re.compile(r"(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})")
_IN_NUMBERS = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)")
_QUARTER = re.compile(r"(?:(?P<year>\d{4})[ -]?)?Q(?P<n>[1-4])(?(year)| (?P<last>\d{4}))")
_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")
_WITH_WORDS = {"%d-%b-%y": 10, "%d-%b-%Y": 10, "%B %Y": 7, "%b %Y": 7}
"""Of forms how much is known of the date, in characters of ISO 8601."""


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
    the month, as in 31 May 2024, 31-May-24, May 2024 and the headers of mail (RFC 5322); or of one
    such as 31/05/2024 or 31/05/24, if `find_order` has told the order; of a quarter (Q2 2024,
    2024-Q2) its first month. Return "" for anything else."""
    if order and (found := match_numbers(value)):
        month, day = (found[1], found[3]) if order == "month" else (found[3], found[1])
        year = found[4] if len(found[4]) == 4 else dt.datetime.strptime(found[4], "%y").year
        value = f"{year}-{month}-{day}"
    text = " ".join(str(value).split())
    if found := _QUARTER.fullmatch(text):
        text = f"{found['year'] or found['last']}-{3 * int(found['n']) - 2:02}"
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
    for form, size in _WITH_WORDS.items():
        with suppress(ValueError):
            return dt.datetime.strptime(text, form).date().isoformat()[:size]
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
