"""From a file that `thematic chunk --vectors` wrote to a store of its chunks, whose vectors are
topics already."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from pydantic import StrictInt, StrictStr

from spacy_thematic.articles.sources import ReadLog, open_source
from spacy_thematic.files import open_whole
from spacy_thematic.scale.arrow import parquet
from spacy_thematic.scale.embedding import make_block
from spacy_thematic.scale.store import SentenceStore, StoreRecord, make_schema
from spacy_thematic.schemas import Schema

_BLOCK = 8192  # lines
_LONGEST = 1 << 22
"""Bytes of a first line that are looked at."""


class _Chunk(Schema, extra="ignore"):
    """What is read of a line."""

    source: StrictStr
    title: StrictStr
    path: list[StrictStr]
    text: StrictStr
    start: StrictInt
    end: StrictInt
    vector: list[float] | None
    model: StrictStr
    model_digest: StrictStr


def has_chunks(path: Path) -> bool:
    """Whether a file begins with a chunk that has a vector and says which model made it."""
    if not path.is_file():
        return False
    with open_source(path, ReadLog(), is_head=True) as stream:
        try:
            first = srsly.json_loads(stream.readline(_LONGEST).decode("utf8"))
        except ValueError:
            return False
    return isinstance(first, dict) and {"model_digest", "vector"} <= first.keys()


def store_chunks(path: Path, folder: Path) -> SentenceStore:
    """Write the chunks of a file to a store. Raises ValueError if a line is no chunk, or models or
    widths differ."""
    lines = _read(path)
    first = next(lines)
    width = len(first.vector or ())
    record = StoreRecord(
        made_from={"model": first.model_digest},
        model=first.model,
        width=width,
        n_partitions=1,
        units="chunks",
    )
    store = SentenceStore.create(folder, record)
    schema = make_schema(width)
    with open_whole(store.part(0)) as file, parquet.ParquetWriter(file, schema) as writer:
        block = [first, *islice(lines, _BLOCK - 1)]
        while block:
            writer.write_batch(make_block(_make_columns(block), schema))
            block = list(islice(lines, _BLOCK))
    return store


def _read(path: Path) -> Iterator[_Chunk]:
    """Yield the chunks of a file that have vectors."""
    first = None
    with open_source(path, ReadLog()) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                chunk = _Chunk.check(srsly.json_loads(line.decode("utf8")))
                if chunk.vector is None:
                    continue  # It has no word.
                first = first or chunk
                _check_is_like(chunk, first)
            except ValueError as error:
                raise ValueError(
                    f"{path}, line {number}: {error}. Expected chunks of one model, as "
                    '"python -m spacy thematic chunk --vectors" writes them: write the file again.'
                ) from error
            yield chunk
    if first is None:
        raise ValueError(f"{path}: no chunk has a vector.")


def _check_is_like(chunk: _Chunk, first: _Chunk) -> None:
    if chunk.model_digest != first.model_digest:
        raise ValueError(f"{chunk.model} made its vector, and {first.model} those before")
    found = chunk.vector or []
    if len(found) != len(first.vector or ()) or not np.isfinite(found).all():
        raise ValueError(
            f"expected a vector of {len(first.vector or ())} numbers, found {found!r:.50}"
        )


def _make_columns(chunks: list[_Chunk]) -> dict[str, list[Any]]:
    """As `SentenceStore` has them."""
    n = len(chunks)
    return {
        "id": [_add_number(chunk.source) for chunk in chunks],
        "title": [" > ".join(filter(None, [chunk.title, *chunk.path])) for chunk in chunks],
        "start": [chunk.start for chunk in chunks],
        "end": [chunk.end for chunk in chunks],
        "lines": [0] * n,
        "text": [chunk.text for chunk in chunks],
        "kept": [True] * n,
        "words": [[]] * n,
        "vector": [np.array([chunk.vector for chunk in chunks], "f")],
    }


def _add_number(source: str) -> str:
    """The file and the number of a text in it, which a chunk of a file of one text does not say."""
    return source if re.search(r":\d+$", source) else f"{source}:1"
