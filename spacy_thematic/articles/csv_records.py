"""Rows of CSV files, read with bounded memory."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from spacy_thematic.articles.lines import bad_record, bounded_lines
from spacy_thematic.articles.sources import ReadLog, SourceError, open_source


def read_rows(
    path: Path, columns: Sequence[str], log: ReadLog, skip_bad: bool
) -> Iterator[tuple[str, ...]]:
    """Yield the named columns of each row of a CSV file with a header.

    Column names are compared without case, spaces and underscores. A row is unusable if it lacks a
    column, or holds invalid UTF-8, NUL or a field beyond the limit of the csv module.

    Raises:
        SourceError: If a column is missing or, unless `skip_bad`, at an unusable row.
    """
    with open_source(path, log) as stream:
        lines = (line.decode("utf8", errors="surrogateescape") for line in bounded_lines(stream))
        rows = csv.reader(lines)
        places = _find_columns(path, columns, rows)
        while True:
            try:
                row = next(rows, None)
                if row is None:
                    return
                if row:
                    yield _pick(row, places)
            except (csv.Error, ValueError) as error:
                if log.truncated:
                    return
                bad_record(path, f"line {rows.line_num}", f"not a row: {error}", log, skip_bad)


def _find_columns(path: Path, columns: Sequence[str], rows: Iterator[list[str]]) -> list[int]:
    try:
        header = next(rows, [])
    except csv.Error:
        header = []
    bom = codecs.BOM_UTF8.decode("utf8")
    names = [_normalize(name.removeprefix(bom)) for name in header]
    missing = [name for name in columns if _normalize(name) not in names]
    if missing:
        raise SourceError(
            f"{path} has no column {', '.join(missing)}: expected a CSV file whose first line "
            f"names {', '.join(columns)}. Add this line"
        )
    return [names.index(_normalize(name)) for name in columns]


def _normalize(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()


def _pick(row: list[str], places: list[int]) -> tuple[str, ...]:
    if len(row) <= max(places):
        raise ValueError(f"{len(row)} fields where at least {max(places) + 1} are needed")
    values = tuple(" ".join(row[place].split()) for place in places)
    for value in values:
        try:
            value.encode("utf8")
        except UnicodeEncodeError as error:
            raise ValueError(f"not UTF-8 (character {error.start} of a field)") from error
        if "\0" in value:
            raise ValueError("a NUL character")
    return values
