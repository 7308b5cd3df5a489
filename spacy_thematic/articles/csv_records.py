"""Rows of CSV files, read with bounded memory."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from spacy_thematic.articles.lines import bad_record, bounded_lines
from spacy_thematic.articles.sources import ReadLog, SourceError, open_source

_DELIMITERS = ",;\t"
_SHOWN = 200


def read_rows(
    path: Path, columns: Sequence[str], log: ReadLog, skip_bad: bool
) -> Iterator[tuple[str, ...]]:
    """Yield the named columns of each row of a CSV file with a header, each on one line.

    Column names are compared without case, spaces and underscores. A comma, a semicolon or a tab
    parts them, the one that the header has most of. A row is unusable if it lacks a column, or
    holds invalid UTF-8, NUL or a field beyond the limit of the csv module.

    Raises:
        SourceError: If a column is missing or, unless `skip_bad`, at an unusable row.
    """
    for row in _read(path, columns, (), log, skip_bad):
        yield tuple(" ".join(value.split()) for value in row)


def read_csv_texts(path: Path, log: ReadLog, skip_bad: bool) -> Iterator[tuple[str, ...]]:
    """Yield the text, with its lines, the title and the date of each row, as `read_rows` reads it;
    "" where it has no title or date."""
    return _read(path, ("text",), ("title", "date"), log, skip_bad)


def _read(
    path: Path, columns: Sequence[str], optional: Sequence[str], log: ReadLog, skip_bad: bool
) -> Iterator[tuple[str, ...]]:
    with open_source(path, log) as stream:
        lines = (line.decode("utf8", errors="surrogateescape") for line in bounded_lines(stream))
        first = next(lines, "")
        delimiter = max(_DELIMITERS, key=first.count)
        rows = csv.reader(chain([first], lines), delimiter=delimiter)
        places, others = _find_columns(path, columns, optional, rows)
        while True:
            try:
                row = next(rows, None)
                if row is None:
                    return
                if row:
                    yield _pick(row, places, others)
            except (csv.Error, ValueError) as error:
                if log.truncated:
                    return
                bad_record(path, f"line {rows.line_num}", f"not a row: {error}", log, skip_bad)


def _find_columns(
    path: Path, columns: Sequence[str], optional: Sequence[str], rows: Iterator[list[str]]
) -> tuple[list[int], list[int | None]]:
    """The places of columns, and of those that need not be there."""
    try:
        header = next(rows, [])
    except csv.Error:
        header = []
    bom = codecs.BOM_UTF8.decode("utf8")
    names = [_normalize(name.removeprefix(bom)) for name in header]
    found = {name: place for place, name in reversed([*enumerate(names)])}
    if missing := [name for name in columns if _normalize(name) not in found]:
        raise SourceError(
            f"{path} has no column {', '.join(missing)}: its first line names "
            f"{', '.join(header)[:_SHOWN] or 'none'}. Rename the columns that you mean, or add a "
            f"first line, so that it names {', '.join(columns)}"
        )
    places = [found[_normalize(name)] for name in columns]
    return places, [found.get(_normalize(name)) for name in optional]


def _normalize(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()


def _pick(row: list[str], places: list[int], others: list[int | None]) -> tuple[str, ...]:
    if len(row) <= max(places):
        raise ValueError(f"{len(row)} fields where at least {max(places) + 1} are needed")
    picked = [row[place] for place in places]
    picked += ["" if place is None or place >= len(row) else row[place] for place in others]
    values = tuple(value.strip() for value in picked)
    for value in values:
        try:
            value.encode("utf8")
        except UnicodeEncodeError as error:
            raise ValueError(f"not UTF-8 (character {error.start} of a field)") from error
        if "\0" in value:
            raise ValueError("a NUL character")
    return values
