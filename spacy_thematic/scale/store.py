"""A store of embedded sentences, segments or chunks, its units: a folder of `_store.json`, of
Parquet files, one a partition, and, where the model has learned topics, of `_topics.npy`, the map
from vectors to them.

Columns: `id`, the file as it was named, a colon, and the number of the line, row or article in it;
`title` of the text; `start` and `end`, characters in the text, its paragraphs joined by a blank
line, but for chunks in `MarkedText.text`, which was cut; `text` of the unit; `kept`, whether it is
clustered; `words`, those that may be keywords; `date` of the text, or ""; `metadata`, the other
fields of its row, as JSON; `vector`, float16 (width). The order is that of the input. Whole texts
are in a group of rows.

Rounding vectors to 16 bits changes the cosine of two sentences by at most 0.0002 with the bundled
models (measured on 200,000 pairs), and halves what is kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow
import srsly
from pyarrow import parquet
from pydantic import Field, StrictInt, StrictStr

from spacy_thematic.files import check_is_replaceable, open_whole, write_json
from spacy_thematic.pipeline.texts import STORE
from spacy_thematic.rows import check_vectors
from spacy_thematic.schemas import Schema

StoreUnits = Literal["sentences", "segments", "chunks"]

_FORMAT = 6
_TOPICS = "_topics.npy"
INDEX = "_search.npy"
"""What `search` keeps beside a store."""
_MOST = 1_000_000
_SHOWN = 200


class StoreRecord(Schema):
    """What `_store.json` says: what decides the content, by name; the files and folders that it was
    made of, as the user named them; a digest of what each partition was made of; the language of
    the model, as spaCy names it; and what has a row."""

    made_from: dict[str, Any]
    paths: list[StrictStr]
    partitions: list[Annotated[StrictStr, Field(pattern="^[0-9a-f]{16}$")]] = Field(
        max_length=_MOST
    )
    model: StrictStr
    width: StrictInt = Field(gt=0, le=_MOST)
    language: StrictStr
    units: StoreUnits

    @property
    def n_partitions(self) -> int:
        """How many partitions there are."""
        return len(self.partitions)


@dataclass(eq=False)
class SentenceStore:
    """A store of embedded sentences, which may not be complete yet."""

    folder: Path
    record: StoreRecord

    @classmethod
    def create(cls, folder: Path, record: StoreRecord) -> "SentenceStore":
        """Start a store, or go on with one that was made by the same settings, of which the
        partitions stay whose texts are the same. Raises FileExistsError if anything else is at
        `folder`, ValueError if the store there was made from something else."""
        folder = folder.resolve()
        check_is_replaceable(folder, STORE, "a store of embedded sentences")
        store = cls(folder, record)
        parts = [*folder.glob("part-*.parquet")]
        if (folder / STORE).is_file():
            former, made_from = cls._read(folder).record, record.made_from
            different = [key for key in made_from if former.made_from.get(key) != made_from[key]]
            if parts and different:
                raise ValueError(
                    f"{folder} holds a store that was made with other settings "
                    f"({', '.join(different)}): name a new folder, or remove this one."
                )
            if parts and not {*former.paths} & {*record.paths}:
                raise ValueError(
                    f"{folder} holds a store of other files and folders "
                    f"({', '.join(former.paths)[:_SHOWN]}): name a new folder, or remove this one."
                )
            if former.partitions != record.partitions:
                (folder / INDEX).unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / STORE, {"format": _FORMAT, **record.model_dump()})
        numbers = {digest: number for number, digest in enumerate(record.partitions)}
        for part in parts:
            number = numbers.get(part.stem.rpartition("-")[2])
            if number is None:
                part.unlink()
            else:
                part.rename(store.part(number))
        return store

    @classmethod
    def open(cls, folder: Path) -> "SentenceStore":
        """Open a complete store. Raises ValueError if there is none, it is not complete, or a file
        of it is damaged."""
        store = cls._read(folder.resolve())
        if missing := store.missing():
            raise ValueError(
                f"{folder} is not complete: {len(missing)} of {store.record.n_partitions} "
                "partitions are missing. The command that made it resumes there."
            )
        store.count_rows()  # This looks at each.
        return store

    @classmethod
    def _read(cls, folder: Path) -> "SentenceStore":
        path = folder / STORE
        if not path.is_file():
            raise ValueError(
                f"{folder} holds no {STORE}: expected a store of embedded sentences, as "
                '"python -m spacy thematic embed" makes it.'
            )
        try:
            record = srsly.read_json(path)
            found = record.pop("format")
            if found == _FORMAT:
                return cls(folder, StoreRecord.check(record))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is damaged ({error}): make the store again.") from error
        raise ValueError(
            f"{path} has format {found}, expected {_FORMAT}: it was made by another version of "
            "spacy-thematic."
        )

    def write_topics(self, topics: np.ndarray | None) -> None:
        """Keep the map from vectors to topics, (width, width of topics), if there is one."""
        if topics is not None and not (self.folder / _TOPICS).is_file():
            with open_whole(self.folder / _TOPICS) as file:
                np.save(file, topics)

    def read_topics(self) -> np.ndarray | None:
        """Read what `write_topics` kept; None where there is none. Raises ValueError
        if the file is damaged."""
        path = self.folder / _TOPICS
        if not path.is_file():
            return None
        try:
            topics = check_vectors(np.load(path, allow_pickle=False))
        except (ValueError, OSError, EOFError) as error:
            raise _damaged(path, f"is not a map to topics ({error})") from error
        if len(topics) != self.record.width:
            raise _damaged(path, f"has {len(topics)} rows, not {self.record.width}")
        return topics

    def part(self, number: int) -> Path:
        """The file of a partition. What it was made of is in its name."""
        return self.folder / f"part-{number:05d}-{self.record.partitions[number]}.parquet"

    def missing(self) -> list[int]:
        """The numbers of the partitions that are still to be made."""
        there = {path.name for path in self.folder.glob("part-*.parquet")}
        numbers = range(self.record.n_partitions)
        return [number for number in numbers if self.part(number).name not in there]

    def count_rows(self) -> list[int]:
        """The number of sentences of each partition. Raises ValueError if a file is damaged."""
        return [footer.num_rows for footer in self._footers]

    def count(self, what: str) -> list[int]:
        """A number that the writer noted for each partition: of "texts", "skipped", or sentences
        that are "kept", not set aside."""
        counts = []
        for number, footer in enumerate(self._footers):
            noted = (footer.metadata or {}).get(what.encode(), b"")
            if not noted.isdigit():
                raise _damaged(self.part(number), f"does not say its number of {what}")
            counts.append(int(noted))
        return counts

    def read_rows(self, number: int, rows: range, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Some rows of a partition, from no more of its groups than hold them. Raises ValueError if
        the file is damaged."""
        footer = self._footers[number]
        sizes = [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]
        firsts = np.cumsum([0, *sizes])
        first, last = (np.searchsorted(firsts, [rows[0], rows[-1]], side="right") - 1).tolist()
        blocks = iter_blocks(self.part(number), columns, range(first, last + 1))
        table = pyarrow.Table.from_batches(blocks)
        return table.slice(rows[0] - int(firsts[first]), len(rows)).to_pylist()

    @cached_property
    def _footers(self) -> list[Any]:
        """What the file of each partition says of itself, read when all are there."""
        expected = make_schema(self.record.width)
        footers = []
        for number in range(self.record.n_partitions):
            with open_part(self.part(number)) as file:
                if not file.schema_arrow.equals(expected):
                    found = f"expected {_describe(expected)}, found {_describe(file.schema_arrow)}"
                    raise _damaged(self.part(number), f"is not a partition of this store ({found})")
                footers.append(file.metadata)
        return footers


def _describe(schema: pyarrow.Schema) -> str:
    return ", ".join(f"{field.name}: {field.type}" for field in schema)


def open_part(path: Path) -> parquet.ParquetFile:
    """Open the file of a partition. Raises ValueError if it is damaged."""
    try:
        return parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise _damaged(path, f"is not a readable Parquet file ({error})") from error


def make_schema(width: int) -> pyarrow.Schema:
    """The columns of a store."""
    kinds = {
        "id": pyarrow.string(),
        "title": pyarrow.string(),
        "start": pyarrow.int32(),
        "end": pyarrow.int32(),
        "text": pyarrow.string(),
        "kept": pyarrow.bool_(),
        "words": pyarrow.list_(pyarrow.string()),
        "date": pyarrow.string(),
        "metadata": pyarrow.string(),
        "vector": pyarrow.list_(pyarrow.float16(), width),
    }
    return pyarrow.schema(kinds)


def iter_blocks(
    path: Path, columns: Sequence[str], groups: Iterable[int] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """Yield some columns of each group of rows of a partition, or of some groups, which are whole
    texts. Raises ValueError if the file is damaged."""
    with open_part(path) as file:
        try:
            for group in range(file.num_row_groups) if groups is None else groups:
                table = file.read_row_group(group, [*columns]).combine_chunks()
                for block in table.to_batches():
                    block.validate(full=True)
                    if any(map(_has_null, block.columns)):
                        raise _damaged(path, "has rows without a value")
                    yield block
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged(path, f"is not a readable Parquet file ({error})") from error


def _has_null(column: pyarrow.Array) -> bool:
    is_list = pyarrow.types.is_list(column.type) or pyarrow.types.is_fixed_size_list(column.type)
    return column.null_count > 0 or (is_list and column.flatten().null_count > 0)


def find_starts(block: pyarrow.RecordBatch) -> np.ndarray:
    """The number of the first row of each text of a block but the first, (texts - 1,)."""
    ids = block.column("id").to_numpy(zero_copy_only=False)
    return np.flatnonzero(ids[1:] != ids[:-1]) + 1


def _damaged(path: Path, problem: str) -> ValueError:
    return ValueError(
        f"{path} {problem}: remove it, and run the command that made the store again."
    )


def get_vectors(block: pyarrow.RecordBatch) -> np.ndarray:
    """The vectors of a block, float32 (rows, width)."""
    column = block.column("vector")
    rows = column.flatten().to_numpy(zero_copy_only=False)
    return rows.astype("f").reshape(len(block), column.type.list_size)
