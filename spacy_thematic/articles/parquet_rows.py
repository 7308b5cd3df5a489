"""Rows of Parquet files, read with bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from spacy_thematic.articles.sources import ReadLog, SourceError

MAGIC = b"PAR1"
_BATCH = 4096  # rows


def read_parquet_rows(
    path: Path, columns: Sequence[Sequence[str]], log: ReadLog
) -> Iterator[tuple[str, ...]]:
    """Yield some columns of each row of a Parquet file of texts. Needs pyarrow.

    Args:
        path: The file.
        columns: The names that each column may have, in any case.
        log: Filled in while reading.

    Raises:
        SourceError: If pyarrow or a column is missing, or the file is damaged.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise SourceError(f"{path} is a Parquet file: install pyarrow to read it") from error
    log.total_bytes = (log.total_bytes or 0) + path.stat().st_size
    read = log.bytes_read
    try:
        with parquet.ParquetFile(path) as file:
            names = _find_columns(path, columns, file.schema_arrow.names)
            n_rows = max(1, file.metadata.num_rows)
            done = 0
            for batch in file.iter_batches(_BATCH, columns=names):
                texts = [batch.column(name).cast(pyarrow.string()).to_pylist() for name in names]
                done += len(batch)
                log.bytes_read = read + path.stat().st_size * done // n_rows
                for row in zip(*texts):
                    yield tuple(" ".join((text or "").split()) for text in row)
    except (pyarrow.ArrowException, OSError) as error:
        raise SourceError(
            f"{path} is not a readable Parquet file ({error}). Download it again"
        ) from error


def _find_columns(path: Path, columns: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    by_name = {name.lower(): name for name in names}
    found = [next((by_name[n.lower()] for n in c if n.lower() in by_name), "") for c in columns]
    if not all(found):
        wanted = ", ".join(" or ".join(names) for names in columns)
        raise SourceError(f"{path} has the columns {', '.join(names)}: expected {wanted}")
    return found
