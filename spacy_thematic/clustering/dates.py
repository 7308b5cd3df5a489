"""When a text is from: an ISO 8601 date, or the beginning of one."""

import datetime as dt
import re
from typing import Any

Timeline = dict[str, dict[int, int]]
"""Dates, "" for no date, to the numbers of themes, to the number of their sentences then."""

_DIVIDED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})")


def find_date(value: Any) -> str:
    """Return the year, month or day of an ISO 8601 date, with a time or without, or of a
    `datetime.date`, also where slashes or dots divide it (2024/5/31); "" for anything else."""
    date = str(value).replace("T", " ").partition(" ")[0]
    if found := _DIVIDED.fullmatch(date):
        date = f"{found[1]}-{found[2]:>02}-{found[3]:>02}"
    if len(date) not in (4, 7, 10) or not date.replace("-", "").isdecimal():
        return ""
    try:
        dt.date.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:  # Such as 2024-02-30.
        return ""
    return date


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
