"""Rows of CSV files, read with bounded memory."""

import codecs
import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from spacy_thematic.articles.lines import bad_record, bounded_lines
from spacy_thematic.articles.sources import ReadLog, SourceError, open_source

_DELIMITERS = ",;\t"
_SHOWN = 200
_SAMPLE = 50
_FEWEST_WORDS, _OF_OTHERS = 2.5, 1.5
"""A column that is not called "text" has at least so many words a row, and so many times as many as
any other."""


class Columns(NamedTuple):
    """The names of the columns of CSV and Parquet, and of the fields of JSON, that hold texts, what
    they are called, and when they are from."""

    text: str = "text"
    title: str = "title"
    date: str = "date"


USUAL = Columns()
"""Of these, what is not the text need not be there."""


def read_rows(
    path: Path, columns: Sequence[str], log: ReadLog, skip_bad: bool
) -> Iterator[tuple[str, ...]]:
    """Yield the named columns of each row of a CSV file with a header, each on one line.

    Column names are compared without case, spaces and underscores. A comma, a semicolon or a tab
    parts them, the one that the header has most of. A row is unusable if it lacks a column, or
    holds invalid UTF-8, NUL or a field beyond the limit of the csv module. Raises SourceError if a
    column is missing or, unless `skip_bad`, at an unusable row."""
    for row in _read(path, columns, (), log, skip_bad):
        yield tuple(" ".join(value.split()) for value in row)


def read_csv_texts(
    path: Path, columns: Columns, log: ReadLog, skip_bad: bool
) -> Iterator[tuple[Any, ...]]:
    """Yield the text, with its lines, the title and the date of each row, as `read_rows` reads it;
    "" where it has no title or date; and all its fields by name. Where no column is called "text",
    and none is asked for, it is the one with most words, if no other has nearly as many; the log
    notes which."""
    return _read(path, columns[:1], columns[1:], log, skip_bad, with_fields=True)


class _Rows:
    """Rows of CSV, by lines.

    Attributes:
        line_num: The lines that were read.
        open_line: The first line of a row that only the end of the file ended, in a field within
            quotes; 0 if there is none.
    """

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self._lines = iter(lines)
        self._is_over = False
        self._reader = csv.reader(self._read_lines(), delimiter=delimiter)
        self.open_line = 0

    def __iter__(self) -> Iterator[list[str]]:
        return self

    def __next__(self) -> list[str]:
        began = self.line_num + 1
        row = next(self._reader)
        if self._is_over:
            self.open_line = began
        return row

    @property
    def line_num(self) -> int:
        return self._reader.line_num

    def _read_lines(self) -> Iterator[str]:
        yield from self._lines
        self._is_over = True


def _read(
    path: Path,
    columns: Sequence[str],
    optional: Sequence[str],
    log: ReadLog,
    skip_bad: bool,
    with_fields: bool = False,
) -> Iterator[tuple[Any, ...]]:
    with open_source(path, log) as stream:
        lines = (line.decode("utf8", errors="surrogateescape") for line in bounded_lines(stream))
        first = next(lines, "")
        delimiter = max(_DELIMITERS, key=first.count)
        reader = _Rows(chain([first], lines), delimiter)
        header, sample = _read_header(reader), []
        names = _number_repeated(header)
        if "text" in columns and "text" not in map(_normalize, header):
            sample = _take(reader, _SAMPLE)
            header = _name_text(path, header, sample, log)
        places, others = _find_columns(path, columns, optional, header)
        rows = chain(sample, reader)
        n_long, first_long = 0, 0
        while True:
            try:
                row = next(rows, None)
                if row is None:
                    break
                if len(row) > len(header):
                    n_long, first_long = n_long + 1, first_long or reader.line_num
                if row:
                    fields = (dict(zip(names, row)),) if with_fields else ()
                    yield (*_pick(row, places, others), *fields)
            except (csv.Error, ValueError) as error:
                if log.truncated:
                    return
                bad_record(path, f"line {reader.line_num}", f"not a row: {error}", log, skip_bad)
        if reader.open_line:
            what = "a quote opens there and none closes it, so that all below is one field"
            bad_record(path, f"line {reader.open_line}", what, log, skip_bad)
    if n_long:
        log.note(
            f"{path}: {n_long:,} rows have more fields than the first line names, and what is in "
            f"those is not read (line {first_long}): put quotes around a text with a {delimiter!r}"
        )


def _number_repeated(header: Sequence[str]) -> list[str]:
    """The names of columns, those that stood before with a number ("note", "note.1")."""
    seen: Counter[str] = Counter()
    names = []
    for name in header:
        names.append(f"{name}.{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return names


def _read_header(rows: Iterator[list[str]]) -> list[str]:
    bom = codecs.BOM_UTF8.decode("utf8")
    try:
        return [name.removeprefix(bom) for name in next(rows, [])]
    except csv.Error:
        return []


def _take(rows: Iterator[list[str]], n: int) -> list[list[str]]:
    """At most n rows, up to one that cannot be read."""
    taken: list[list[str]] = []
    with suppress(csv.Error):
        taken.extend(islice(rows, n))
    return taken


def _name_text(
    path: Path, header: Sequence[str], sample: Sequence[Sequence[str]], log: ReadLog
) -> list[str]:
    """The names of columns, where the one with most words is called "text"."""
    n_words = [
        (sum(len(row[place].split()) for row in sample if place < len(row)), -place)
        for place in range(len(header))
    ]
    (most, place), (next_most, _) = [*sorted(n_words, reverse=True), (0, 0), (0, 0)][:2]
    if most < max(_FEWEST_WORDS * len(sample), _OF_OTHERS * next_most, 1):
        return [*header]
    log.note(f'{path}: the column "{header[-place]}" is read as the text, for it has most words')
    return [*header[:-place], "text", *header[-place + 1 :]]


def _find_columns(
    path: Path, columns: Sequence[str], optional: Sequence[str], header: Sequence[str]
) -> tuple[list[int], list[int | None]]:
    """The places of columns, and of those that need not be there."""
    names = [_normalize(name) for name in header]
    found = {name: place for place, name in reversed([*enumerate(names)])}
    asked = [name for name in optional if name not in USUAL]
    if missing := [name for name in (*columns, *asked) if _normalize(name) not in found]:
        is_text = missing == [*USUAL[:1]] == [*columns]
        raise SourceError(
            f"{path} has no column {', '.join(missing)}: its first line names "
            f"{', '.join(header)[:_SHOWN] or 'none'}. Rename the columns that you mean, or add a "
            f"first line, so that it names {', '.join((*columns, *asked))}"
            f"{', or name the column with --text-column, which cluster and chunk have' * is_text}"
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
