"""Rows of Parquet files, read with bounded memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spacy_thematic.articles.csv_records import USUAL, Columns
from spacy_thematic.articles.sources import SourceError, check_is_file

_BATCH = 4096  # rows


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


def count_row_groups(path: Path) -> list[tuple[int, int]]:
    """Return the number of rows of each row group of a Parquet file, and of its uncompressed bytes.
    Raises SourceError if the file is damaged."""
    with _open(path) as file:
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        return [(group.num_rows, group.total_byte_size) for group in groups]


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
