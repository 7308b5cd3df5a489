"""How much there is of each theme when: a table for the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_MOST_COLUMNS = 24
_PERIODS: list[tuple[int, Callable[[str], str]]] = [
    (2, lambda date: date[:10]),
    (_MOST_COLUMNS, lambda date: date[:7]),
    (3 * _MOST_COLUMNS, lambda date: f"{date[:4]}-Q{_month(date) // 3 + 1}" if date[4:] else date),
]
"""Days, months and quarters, each with the most months that dates may span to be shown by it."""


class Column(NamedTuple):
    """A day, month, quarter or year, the number of all sentences then, and of those of each
    theme."""

    name: str
    total: int
    counts: dict[int, int]


def make_columns(timeline: Mapping[str, Mapping[int, int]]) -> list[Column]:
    """Return a timeline by day where the dates span at most two months, by month in two years, by
    quarter in six, and else by year; by the next where there are more than 24 columns. Those
    without a text are left out, and so are texts without a date. Returns at least two columns; none
    where the dates tell nothing apart."""
    dates = sorted(filter(None, timeline))
    if not dates:
        return []
    first, last = (12 * int(date[:4]) + _month(date) for date in (dates[0], dates[-1]))
    columns = _group(timeline, dates, lambda date: date[:4])
    for most, name in reversed(_PERIODS):
        finer = _group(timeline, dates, name)
        if last - first < most and len(finer) <= _MOST_COLUMNS:
            columns = finer
    return columns if len(columns) > 1 else []


def _month(date: str) -> int:
    """From 0; 0 for a date that is a year."""
    return int(date[5:7] or 1) - 1


def _group(
    timeline: Mapping[str, Mapping[int, int]], dates: Sequence[str], name: Callable[[str], str]
) -> list[Column]:
    """Group dates by what a function calls them."""
    grouped: dict[str, dict[int, int]] = {}
    for date in dates:
        counts = grouped.setdefault(name(date), {})
        for number, size in timeline[date].items():
            counts[number] = counts.get(number, 0) + size
    return [Column(of, sum(counts.values()), counts) for of, counts in sorted(grouped.items())]
