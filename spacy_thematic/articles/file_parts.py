"""Parts of files, which several processes read at the same time."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy_thematic.articles.parquet_rows import count_row_groups
from spacy_thematic.articles.sources import bounded_lines, is_as_stored

_CHUNK = 1 << 20


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
    groups = count_row_groups(path)
    for number, (n_rows, n_bytes) in enumerate(groups, start=1):
        held, rows = held + n_bytes, rows + n_rows
        if held >= size or number == len(groups):
            yield FilePart(path, start, number, first, held)
            start, first, held, rows = number, first + rows, 0, 0
