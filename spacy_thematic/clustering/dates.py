"""When a text is from: an ISO 8601 date, or the beginning of one."""

import calendar
import datetime as dt
import re
from typing import Any

Timeline = dict[str, dict[int, int]]
"""Dates, "" for no date, to the numbers of themes, to the number of their sentences then."""

_MONTHS = {name.lower(): month for month, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: month for name, month in _MONTHS.items()}
_MONTH = rf"(?P<m>{'|'.join(sorted(_MONTHS, reverse=True))})\.?"
_NTH = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_AT_END = [
    re.compile(rf"(?:^|[\s(]){date}[\s)\]*_#]*$", re.IGNORECASE)
    for date in (
        rf"{_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)",
        rf"{_MONTH} {_NTH},? {_YEAR}",
        rf"{_NTH}(?: of)? {_MONTH},? {_YEAR}",
    )
]


def find_date(value: Any) -> str:
    """Return the year, month or day of an ISO 8601 date, with a time or without, or of a
    `datetime.date`; "" for anything else."""
    date = str(value).replace("T", " ").partition(" ")[0]
    if len(date) not in (4, 7, 10) or not date.replace("-", "").isdecimal():
        return ""
    try:
        dt.date.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:  # Such as 2024-02-30.
        return ""
    return date


def find_date_at_end(line: str) -> str:
    """Return the day with which a line ends, such as "Date: 11 September 2019", in ISO 8601; "" if
    there is none."""
    for found in filter(None, (pattern.search(line) for pattern in _AT_END)):
        month = _MONTHS.get(found["m"].lower(), found["m"])
        return find_date(f"{found['y']}-{int(month):02}-{int(found['d']):02}")
    return ""


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
