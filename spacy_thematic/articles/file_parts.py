"""Parts of files, which several processes read at the same time: lines of JSONL, and row groups of
Parquet, read with bounded memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy_thematic.articles.csv_records import USUAL, Columns
from spacy_thematic.articles.sources import (
    SourceError,
    bounded_lines,
    check_is_file,
    is_as_stored,
)

_CHUNK = 1 << 20
_BATCH = 4096  # rows


@dataclass(frozen=True)
class FilePart:
    """A whole file, a run of lines of JSONL, or a run of row groups of Parquet.

    Attributes:
        start: The first byte of the lines, or the first row group.
        stop: The byte after the lines, or the row group after the last; None for a whole file.
        first: The number of the first line or row, from 1.
    """

    path: Path
    start: int = 0
    stop: int | None = None
    first: int = 1
    size: int = 0


def split_file(path: Path, size: int) -> Iterator[FilePart]:
    """Cut a file into parts of at least `size` bytes, but for the last. Only JSONL that is neither
    compressed nor UTF-16 is cut, between lines, and Parquet, between row groups. Raises SourceError
    if a Parquet file is damaged."""
    if path.name.lower().endswith(".parquet"):
        yield from _split_row_groups(path, size)
    elif path.name.lower().endswith(".jsonl") and is_as_stored(path):
        yield from _split_lines(path, size)
    else:
        yield FilePart(path, size=path.stat().st_size)


def read_part_lines(part: FilePart) -> Iterator[tuple[int, bytes]]:
    """Yield (line number in the file, line) for the lines of a part that are not blank, as
    `read_lines` does for a file."""
    with part.path.open("rb") as file:
        file.seek(part.start)
        for number, line in enumerate(bounded_lines(file), part.first):
            if line.strip():
                yield number, line
            if file.tell() >= (part.stop or 0):
                return


def _split_lines(path: Path, size: int) -> Iterator[FilePart]:
    with path.open("rb") as file:
        start, stop, first, n_lines = 0, 0, 1, 0
        while block := file.read(min(_CHUNK, size)):
            if stop - start + len(block) >= size:
                block += file.readline()
            stop += len(block)
            n_lines += block.count(b"\n")
            if stop - start >= size:
                yield FilePart(path, start, stop, first, stop - start)
                start, first, n_lines = stop, first + n_lines, 0
        if stop > start:
            yield FilePart(path, start, stop, first, stop - start)


def _split_row_groups(path: Path, size: int) -> Iterator[FilePart]:
    start, first, held, rows = 0, 1, 0, 0
    with _open(path) as file:
        groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
    for number, group in enumerate(groups, start=1):
        held, rows = held + group.total_byte_size, rows + group.num_rows
        if held >= size or number == len(groups):
            yield FilePart(path, start, number, first, held)
            start, first, held, rows = number, first + rows, 0, 0


def read_parquet_texts(
    path: Path, columns: Columns, start: int = 0, stop: int | None = None
) -> Iterator[tuple[str | None, str, str, dict[str, Any]]]:
    """Yield the text of each row, None for null, its title and its date, "" where there is none,
    and all its fields by name but those that hold several values. Raises SourceError if
    the column of texts is missing, or the file is damaged."""
    with _open(path) as file:
        names = file.schema_arrow.names
        asked = [own for own in columns[1:] if own not in USUAL]
        text, *_ = _find_columns(path, [columns.text, *asked], names)
        others = [next((n for n in names if n.lower() == own.lower()), "") for own in columns[1:]]
        groups = range(start, file.metadata.num_row_groups if stop is None else stop)
        wanted = [text, *filter(None, others)]
        plain = [field.name for field in file.schema_arrow if not field.type.num_fields]
        for batch in file.iter_batches(_BATCH, row_groups=list(groups), columns=plain):
            of = {name: batch.column(name).cast("string").to_pylist() for name in wanted}
            titles, dates = (of.get(name) or [None] * len(batch) for name in others)
            for row, title, date, fields in zip(of[text], titles, dates, batch.to_pylist()):
                yield row, title or "", date or "", fields


@contextmanager
def _open(path: Path) -> Iterator[Any]:
    """Open a Parquet file. What pyarrow raises while it is read becomes a SourceError."""
    import pyarrow
    from pyarrow import parquet

    check_is_file(path, "the end of a Parquet file is read first")
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except (pyarrow.ArrowException, OSError) as error:
        raise SourceError(
            f"{path} is not a readable Parquet file ({error}). Download it again"
        ) from error


def _find_columns(path: Path, columns: Sequence[str], names: Sequence[str]) -> list[str]:
    by_name = {name.lower(): name for name in names}
    found = [by_name.get(column.lower(), "") for column in columns]
    if not all(found):
        raise SourceError(
            f"{path} has the columns {', '.join(names)}: expected {', '.join(columns)}"
        )
    return found
