"""How much there is of each theme when: a table for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_MOST_COLUMNS = 24
_LENGTHS = (10, 7, 4)  # of a day, a month and a year in ISO 8601


class Column(NamedTuple):
    """A day, month or year, the number of all sentences then, and of those of each theme."""

    name: str
    total: int
    counts: dict[int, int]


def make_columns(timeline: Mapping[str, Mapping[int, int]]) -> list[Column]:
    """Return a timeline by day, by month where there are more than 24 days, or else by year. Days
    without a text are left out, and so are texts without a date.

    Args:
        timeline: Of `CorpusThemes`.

    Returns:
        At least two columns; none where the dates tell nothing apart.
    """
    dates = [date for date in timeline if date]
    for length in _LENGTHS:
        columns = _group(timeline, dates, length)
        if len(columns) <= _MOST_COLUMNS:
            break
    return columns if len(columns) > 1 else []


def _group(
    timeline: Mapping[str, Mapping[int, int]], dates: Sequence[str], length: int
) -> list[Column]:
    """Group dates by their first characters; those that are less exact by all that they have."""
    grouped: dict[str, dict[int, int]] = {}
    for date in dates:
        counts = grouped.setdefault(date[:length], {})
        for number, size in timeline[date].items():
            counts[number] = counts.get(number, 0) + size
    return [Column(name, sum(counts.values()), counts) for name, counts in sorted(grouped.items())]
