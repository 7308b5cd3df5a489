"""Rows of CSV files, read with bounded memory."""

import csv
import io
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.documents import describe_recoded, is_utf8, is_windows_1252
from spacy_thematic.articles.sources import (
    Lists,
    ReadLog,
    SourceError,
    bad_record,
    bounded_lines,
    list_names,
    open_source,
)
from spacy_thematic.layout.dates import is_date

T = TypeVar("T")

_DELIMITERS = ",;\t|"
_LONGEST_FIELD = 2**20
"""Characters: as many as a text may have that spaCy reads. A quote that nothing closes is noticed
after them."""
_ENOUGH = 1 << 13
"""Bytes that tell how a file is encoded."""
_TOO_LONG = (
    f"a field has more than {_LONGEST_FIELD:,} characters, the most that is read from CSV: give "
    "longer texts as JSONL"
)
SAMPLE = 50
"""Rows, or records, that tell what a file holds."""
_FEWEST_WORDS, _OF_OTHERS = 2.5, 1.5
"""A column that is not called "text" has at least so many words a row, and so many times as many as
any other."""
_MOST_OF_NAME = 30
"""Words of the name of a column, unless it is a question of a survey."""
_FIRST_WORDS = 30
"""A cell whose first words are nothing but dates has no words."""
_SPEAKER = "speaker"
_LONGEST_TURN = 100
"""Words that a row has on average, up to which it is a turn of a conversation, and no speech. 16
interviews had 17 to 76."""
_NUMBERS = re.compile(r"(?=.*\d)[-+\d.,:/ TZ]+")
"""A number, a date or a time of day."""


class Columns(NamedTuple):
    """The names of the columns of CSV and Parquet, and of the fields of JSON, that hold texts, what
    they are called, and when they are from."""

    text: str = "text"
    title: str = "title"
    date: str = "date"


USUAL = Columns()
"""Of these, what is not the text need not be there."""
OF_BENCHMARK = ("Article Title", "Sentence", "SectionTitle", "Article Link")
"""The columns of the Wikipedia Sentence Clustering Benchmark (Ein Dor et al., 2018), which has one
sentence in each row, and the rows of an article together."""


def read_rows(path: Path, columns: Sequence[str], log: ReadLog) -> Iterator[tuple[str, ...]]:
    """Yield the named columns of each row of a CSV file with a header, each on one line.

    Column names are compared without case, spaces and underscores. A comma, a semicolon, a tab
    or a bar parts them, the one that the header has most of. A row is unusable if it lacks a
    column, or holds invalid UTF-8, NUL or a field of more than a million characters. Raises
    SourceError if a column is missing or, unless the log skips it, at an unusable row."""
    for *row, _ in _read(path, columns, (), log):
        yield tuple(" ".join(value.split()) for value in row)


def read_sentence_clustering(path: Path, log: ReadLog, lists: Lists = False) -> Iterator[Article]:
    """Yield the articles of the benchmark. Each sentence is a paragraph of its section."""
    rows = read_rows(path, OF_BENCHMARK, log)
    for (title, link), members in groupby(rows, key=lambda row: (row[0], row[3])):
        sections: dict[str, Section] = {}
        for _, sentence, heading, _ in members:
            section = sections.setdefault(heading, Section(heading, 2))
            section.paragraphs.append(sentence)
        log.articles += 1
        yield Article(title, link, list(sections.values()))


def read_csv_texts(path: Path, columns: Columns, log: ReadLog) -> Iterator[tuple[Any, ...]]:
    """Yield the text, with its lines, the title and the date of each row, as `read_rows` reads it;
    "" where it has no title or date; and all its fields by name. Where no column is called "text",
    and none is asked for, it is the one with most words, if no other has nearly as many; the log
    notes which."""
    return _read(path, columns[:1], columns[1:], log)


def join_turns(
    rows: Iterator[tuple[int, tuple[Any, ...]]], path: Path, log: ReadLog
) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield numbered rows as `read_csv_texts` does, where a column "speaker" has values that return
    and the rows are short those that follow each other with the same title and date as one: a text
    in which each turn begins with who speaks, without fields. The log notes it. A turn without a
    speaker goes on with the one before it."""
    sample = [*islice(rows, SAMPLE)]
    rows = chain(sample, rows)
    columns = [name for _, row in sample[:1] for name in row[-1] if _normalize(name) == _SPEAKER]
    names = {row[-1].get(name, "") for _, row in sample for name in columns}
    n_words = sum(len(row[0].split()) for _, row in sample)
    if not 2 <= len(names) <= len(sample) / 2 or n_words > _LONGEST_TURN * len(sample):
        yield from rows
        return
    for (title, date), group in groupby(rows, key=lambda numbered: numbered[1][1:3]):
        turns = [*group]
        if len(turns) == 1:
            yield turns[0]
            continue
        log.note_of(
            path,
            f'rows are read as turns of one conversation, for the column "{columns[0]}" says who '
            "speaks. To read each row as a text, give this column another name",
        )
        said = [(row[-1].get(columns[0], "").strip(" :"), row[0]) for _, row in turns if row[0]]
        text = "\n\n".join(
            f"{'Speaker ' * name.isdecimal()}{name}: {words}" if name else words
            for name, words in said
        )
        yield turns[0][0], (text, title or path.stem, date, {})


def names_column(line: bytes, column: str) -> bool:
    """Tell whether a line, the first of a file, names a column among others, as prose does not."""
    text = line.decode("utf8", errors="replace").strip("\r\n")
    try:
        names = next(csv.reader([text], delimiter=max(_DELIMITERS, key=text.count)), [])
    except csv.Error:  # Such as lines that carriage returns alone end.
        return False
    is_asked = column != USUAL.text
    return (
        len(names) > (not is_asked)
        and not any(name.startswith(" ") for name in names)
        and _normalize(column) in map(_normalize, names)
    )


def _iter_rows(
    lines: Iterator[str], delimiter: str
) -> Iterator[tuple[int, list[str] | ValueError]]:
    """Yield rows, each with the number of its first line; in the place of one that cannot be read
    what is wrong with it. Where a quote opens that nothing closes, only its line is such a row, and
    those below it are read."""
    held: list[str] = []
    again: deque[str] = deque()
    n_read, is_over = 0, False

    def read_lines() -> Iterator[str]:
        nonlocal n_read, is_over
        while (line := again.popleft() if again else next(lines, None)) is not None:
            n_read += 1
            held.append(line)
            yield line
        is_over = True

    reader = csv.reader(read_lines(), delimiter=delimiter)
    while True:
        first = n_read + 1
        held.clear()
        row: list[str] | ValueError
        usual = csv.field_size_limit(_LONGEST_FIELD)
        try:
            row = next(reader)
            is_open = is_over
            if is_open:
                row = ValueError("a quote opens there and none closes it")
        except StopIteration:
            return
        except csv.Error as error:
            is_long = max(map(len, held)) > _LONGEST_FIELD
            if "new-line" in str(error):
                row = ValueError("carriage returns alone end its lines, where line feeds should")
            else:
                row = ValueError(f"not a row: {_TOO_LONG if is_long else error}")
            if is_open := len(held) > 1:
                row = ValueError(f"a quote opens there and none closes it, or {_TOO_LONG}")
        finally:
            csv.field_size_limit(usual)
        if is_open:
            again.extendleft(reversed(held[1:]))
            reader = csv.reader(read_lines(), delimiter=delimiter)
            n_read, is_over = first, False
        yield first, row


def _read(
    path: Path, columns: Sequence[str], optional: Sequence[str], log: ReadLog
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of columns, and those of others that need not be there, and then all fields
    by name."""
    with open_source(path, log) as stream:
        lines = _decode_lines(path, stream, log)
        first = next(lines, "")
        delimiter = max(_DELIMITERS, key=first.count)
        rows = _iter_rows(chain([first], lines), delimiter)
        header = _read_header(path, rows)
        named = header
        names = [
            f"{name}.{n}" if (n := header[:place].count(name)) else name
            for place, name in enumerate(header)
        ]  # Of several "note", the second is "note.1".
        if "text" in columns and "text" not in map(_normalize, header):
            sample = [*islice(rows, SAMPLE)]
            rows = chain(sample, rows)
            read = [row for _, row in sample if isinstance(row, list)]
            header = _name_text(path, header, read, log)
        places, others = _find_columns(path, columns, optional, header, named)
        n_long, first_long = 0, 0
        for line, row in rows:
            try:
                if isinstance(row, ValueError):
                    raise row
                if len(row) > len(header):
                    n_long, first_long = n_long + 1, first_long or line
                if row:
                    yield *_pick(row, places, others), dict(zip(names, row))
            except ValueError as error:
                if log.truncated:
                    return
                bad_record(path, f"line {line}", str(error), log)
    if n_long:
        log.note(
            f"{path}: rows with more fields than the first line names: {n_long:,}, the first on "
            f"line {first_long}. These fields are not read: put quotes around a text with a "
            f"{delimiter!r}"
        )


def _decode_lines(path: Path, stream: io.BufferedReader, log: ReadLog) -> Iterator[str]:
    """Decode lines of UTF-8, or windows-1252, which the log notes; what is neither stays
    surrogates. A line that is too short to tell is judged beside others of the file."""
    *whole, _ = stream.peek(_ENOUGH)[:_ENOUGH].split(b"\n")
    others = b"".join(line for line in whole if not is_utf8(line))
    n_decoded = 0
    for line in bounded_lines(stream):
        if is_utf8(line):
            yield line.decode("utf8")
        elif is_windows_1252(line) or is_windows_1252(line, others):
            n_decoded += 1
            others += line if len(others) < _ENOUGH else b""
            yield line.decode("cp1252")
        else:
            yield line.decode("utf8", errors="surrogateescape")
    if n_decoded:
        log.note(f"{path}: {describe_recoded(n_decoded)}")


def _read_header(path: Path, rows: Iterator[tuple[int, list[str] | ValueError]]) -> list[str]:
    _, row = next(rows, (1, []))
    if isinstance(row, ValueError):
        raise SourceError(f"{path}, line 1: {row}. Repair this line, which names the columns")
    if not row:
        raise SourceError(
            f"{path} is empty: expected a line with the names of columns. Check the file"
        )
    return row


def _name_text(
    path: Path, header: Sequence[str], sample: Sequence[Sequence[str]], log: ReadLog
) -> list[str]:
    """The names of columns, where the one with most words is called "text"."""
    n_words = {
        place: sum(count_words(row[place]) for row in sample if place < len(row))
        for place in range(len(header))
    }
    place = choose_text(n_words, len(sample))
    if place is None:
        return [*header]
    name = list_names([header[place]])
    log.note_of(path, f'the column "{name}" is read as the text, for it has most words')
    if _is_row(header, place, sample):
        log.note(
            f"{path}: the first line looks like a row, but it was read as the names of the "
            "columns. Add a line above it that names them"
        )
    return [*header[:place], "text", *header[place + 1 :]]


def _is_row(header: Sequence[str], text: int, sample: Sequence[Sequence[str]]) -> bool:
    """Whether the first line has several words in the column of the texts, and these end as a
    sentence that states something, or are many and no question, or another column has a number or
    a date there as below."""
    n_words = len(header[text].split())
    if n_words < _FEWEST_WORDS:
        return False
    if n_words > _MOST_OF_NAME and not header[text].rstrip().endswith(("?", ":")):
        return True
    return header[text].rstrip().endswith((".", "!")) or any(
        _NUMBERS.fullmatch(cell.strip())
        and all(_NUMBERS.fullmatch(row[place].strip()) for row in sample if place < len(row))
        for place, cell in enumerate(header)
    )


def choose_text(n_words: Mapping[T, int], n_rows: int) -> T | None:
    """Choose the column, or the field, of the texts by how many words each has in some rows; None
    if the most are few, or another has nearly as many. Of two with as many it is the first."""
    most, next_most = sorted([*n_words.values(), 0, 0], reverse=True)[:2]
    if most < max(_FEWEST_WORDS * n_rows, _OF_OTHERS * next_most, 1):
        return None
    return max(n_words, key=n_words.__getitem__)


def count_words(cell: str) -> int:
    """Return how many words a cell has: none if it begins with dates alone."""
    words = cell.split()
    return 0 if is_date(" ".join(words[:_FIRST_WORDS])) else len(words)


def _find_columns(
    path: Path,
    columns: Sequence[str],
    optional: Sequence[str],
    header: Sequence[str],
    named: Sequence[str],
) -> tuple[list[int], list[int | None]]:
    """The places of columns, and of those that need not be there. `named` are the names in the
    file."""
    names = [_normalize(name) for name in header]
    found = {name: place for place, name in reversed([*enumerate(names)])}
    asked = [name for name in optional if name not in USUAL]
    if several := [name for name in columns if names.count(_normalize(name)) > 1]:
        raise SourceError(
            f"{path} has several columns {several[0]}, where one was expected: give the others "
            "another name"
        )
    if missing := [name for name in (*columns, *asked) if _normalize(name) not in found]:
        if read := [name for name in missing if _normalize(name) in map(_normalize, named)]:
            raise SourceError(
                f"{path}: the column {read[0]} is read as the text, for it has most words, so it "
                "cannot be the title or the date. Name the column of the texts with --text-column"
            )
        is_text = missing == [*USUAL[:1]] == [*columns]
        raise SourceError(
            f"{path} has no column {', '.join(missing)}: its first line names "
            f"{list_names(named)}. Rename the columns that you mean, or add a "
            f"first line, so that it names {', '.join(missing)}"
            f"{', or name the column with --text-column' * is_text}"
        )
    places = [found[_normalize(name)] for name in columns]
    return places, [found.get(_normalize(name)) for name in optional]


def _normalize(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()


def _pick(row: list[str], places: list[int], others: list[int | None]) -> tuple[str, ...]:
    if len(row) <= max(places):
        raise ValueError(
            f"not a row: it ends before column {max(places) + 1}, which is read; its fields: "
            f"{len(row)}"
        )
    picked = [row[place] for place in places]
    picked += ["" if place is None or place >= len(row) else row[place] for place in others]
    values = tuple(value.strip() for value in picked)
    for value in values:
        try:
            value.encode("utf8")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"not a row: not UTF-8 (character {error.start} of a field). Convert the file to "
                "UTF-8"
            ) from error
        if "\0" in value:
            raise ValueError("not a row: a NUL character")
    return values
