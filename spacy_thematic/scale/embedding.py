"""From texts to a store of embedded sentences, segments or chunks."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.about import __version__
from spacy_thematic.articles.csv_records import USUAL, Columns
from spacy_thematic.articles.file_parts import FilePart, split_file
from spacy_thematic.articles.sources import CHUNK, ReadLog, SourceError, bad_record, check_is_file
from spacy_thematic.chunking.chunker import Chunker
from spacy_thematic.chunking.files import FileChunker
from spacy_thematic.clustering.units import find_units, join_words
from spacy_thematic.engines import Engine
from spacy_thematic.files import check_is_outside, open_whole, readable, remove_unfinished
from spacy_thematic.lang.foreign import warn_of_language
from spacy_thematic.naming.keywords import find_terms_of_each
from spacy_thematic.pipeline.corpus_themes import find_clustered
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.layout import ensure_layout_pipe
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.reading import get_encoded_sentences
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pipeline.texts import (
    SUFFIXES,
    allow_long_texts,
    find_metadata,
    iter_files,
    make_doc,
    read_part,
)
from spacy_thematic.pretrained.paths import digest_model
from spacy_thematic.rows import batch_by_size, round_to_half
from spacy_thematic.scale.store import (
    SentenceStore,
    StoreRecord,
    StoreUnits,
    iter_blocks,
    make_schema,
)
from spacy_thematic.sentences.tokenizing import tokenize

PARTITION_BYTES = 16_000_000
"""The input of a partition: minutes of work, and less than a minute with `en_thematic_sm`."""
_BATCH_CHARACTERS = 500_000
_BATCH_UNITS = 8192
_SIZES = {"max_tokens": 256, "overlap": 0}
_ENDING = 16
"""In how many of 256 names of files a partition of half the size ends."""
_Embedded = tuple[list[tuple[Any, ...]], np.ndarray]
"""Of each unit of a text a row of the store, without its vector; and the vectors, (n, width)."""


@dataclass
class Partition:
    """Files, and parts of files with absolute paths, that are worked on together; the names of
    their files, as the user named them; and their size in bytes. Numbers are from 0."""

    number: int
    parts: list[FilePart] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    size: int = 0


def embed_files(
    paths: Sequence[Path],
    out: Path,
    engine: Engine,
    model: str = "en_thematic_sm",
    *,
    partition_bytes: int = PARTITION_BYTES,
    units: StoreUnits = "sentences",
    max_tokens: int = 256,
    overlap: int = 0,
    text_column: str = USUAL.text,
    id_column: str = USUAL.title,
    date_column: str = USUAL.date,
    skip_bad: bool = False,
    on_start: Callable[[int, int], None] = lambda done, total: None,
    on_partition: Callable[[ReadLog], None] = lambda log: None,
) -> SentenceStore:
    """Embed the sentences of files and folders, as `read_texts` takes them, into the store `out`;
    or their segments, as `thematic_segmenter` finds them, or chunks, with the `max_tokens` and
    `overlap` of `Chunker`. Memory does not grow with the input.

    A partition is written whole or not at all. Another call with the same paths, model and settings
    makes the partitions that are missing or whose texts have changed, and removes those whose texts
    are gone. The files depend neither on the engine nor on its number of workers. `on_start` is
    called with the bytes of input that are done already, and with all, `on_partition` when a
    partition is done, with what happened to its input, of `total_bytes`.

    Raises SourceError for what cannot be read, FileExistsError if anything else is at `out`,
    ValueError if the model cannot be found or used, or `out` was made from something else,
    WorkerLost if a worker was killed.
    """
    check_is_outside(out, paths)
    log = ReadLog(skip_bad=skip_bad, total_bytes=0)
    partitions = plan_partitions(paths, partition_bytes, log)
    digest = digest_model(model)
    nlp = load_embedder(model, digest)
    sizes: dict[str, Any] = {"max_tokens": max_tokens, "overlap": overlap}
    if units == "chunks":
        Chunker(model=nlp, **sizes)  # Checks them.
    elif sizes != _SIZES:
        raise ValueError(
            f"max_tokens and overlap are sizes of chunks, and what is embedded are {units}: give "
            'units="chunks" (--units chunks in the shell), or leave them out.'
        )
    record = StoreRecord(
        made_from={
            **sizes,
            "text column": text_column,
            "id column": id_column,
            "date column": date_column,
            "model": digest,
            "size of partitions": partition_bytes,
            "version of spacy-thematic": __version__,
            "units": units,
        },
        model=model,
        width=encode_texts(nlp, ["width"]).shape[1],
        paths=[readable(path) for path in paths],
        partitions=[_digest(partition) for partition in partitions],
        language=nlp.lang or "",
        units=units,
    )
    store = SentenceStore.create(out, record)
    store.write_topics(find_embedder(nlp).find_topics(record.width))
    missing = [partitions[number] for number in store.missing()]
    total = sum(partition.size for partition in partitions)
    on_start(total - sum(partition.size for partition in missing), total)
    if log.problems:
        on_partition(log)
    columns = Columns(text_column, id_column, date_column)
    work = partial(_embed, store=store, skip_bad=skip_bad, columns=columns)
    for done in engine.map(work, missing):
        on_partition(done)
    remove_unfinished(store.folder)  # A worker may have been killed, and its work done again.
    blocks = iter_blocks(store.part(0), ["text"]) if partitions else ()
    texts = (text for block in blocks for text in block.column("text").to_pylist())
    warn_of_language(texts, record.language)
    return store


def plan_partitions(paths: Iterable[Path], size: int, log: ReadLog) -> list[Partition]:
    """Cut files and folders, whose files are sorted by name, into partitions.

    The plan depends on the files alone. Small files share a partition, which the names of some end
    early, so that a file that is added moves few others to another partition. Large ones are cut if
    they are uncompressed JSONL, between lines, or Parquet, between row groups; any other is in one
    partition, whatever its size. If the log skips what cannot be read, the reader is left to skip a
    file that cannot be cut. Raises SourceError if a path does not exist, a folder holds nothing to
    read, or a Parquet file is damaged.
    """
    partitions: list[Partition] = []
    is_end = False
    for file in iter_files(paths, SUFFIXES, log):
        check_is_file(file, "files are read more than once")
        try:
            parts = list(split_file(file, size))
        except SourceError:
            if not log.skip_bad:
                raise
            parts = [FilePart(file, size=file.stat().st_size)]
        for part in parts:
            if not partitions or partitions[-1].size >= size or is_end:
                partitions.append(Partition(len(partitions)))
            last = partitions[-1]
            last.parts.append(replace(part, path=file.resolve()))
            last.names.append(readable(file))
            last.size += part.size
            chance = blake2b(last.names[-1].encode(), digest_size=1).digest()[0]
            is_end = 2 * last.size >= size and chance < _ENDING
    return partitions


def _embed(partition: Partition, store: SentenceStore, skip_bad: bool, columns: Columns) -> ReadLog:
    """Embed the units of a partition, and write them to its file, whole or not at all. Raises
    SourceError for what cannot be read, ValueError if vectors cannot be kept in 16 bits."""
    log = ReadLog(skip_bad=skip_bad)
    nlp = load_embedder(store.record.model, store.record.made_from["model"])
    schema = make_schema(store.record.width)
    n_texts = n_kept = 0
    with (
        open_whole(store.part(partition.number)) as file,
        parquet.ParquetWriter(
            file, schema, compression="zstd", use_dictionary=["id", "title", "date", "metadata"]
        ) as writer,
    ):
        embed: Callable[..., Iterator[_Embedded]] = _embed_texts
        if store.record.units == "chunks":
            made_from = store.record.made_from
            embed = partial(_embed_chunks, sizes={name: made_from[name] for name in _SIZES})
        elif store.record.units == "segments":
            segmenter = nlp.create_pipe("thematic_segmenter", config={"headings": False})
            embed = partial(_embed_texts, segment=segmenter)
        embedded = embed(nlp, partition, log, columns)
        for texts in batch_by_size(embedded, lambda text: len(text[0]), _BATCH_UNITS):
            block = _make_block(texts, schema)
            writer.write_batch(block, len(block) or 1)
            n_texts += len(texts)
            n_kept += block.column("kept").true_count
        counts = {"texts": n_texts, "skipped": log.count_unread(), "kept": n_kept}
        writer.add_key_value_metadata({key: str(value) for key, value in counts.items()})
    log.total_bytes = partition.size
    return log


def _digest(partition: Partition) -> str:
    """A digest of what a partition is made of: the names of files, and their content; of Parquet,
    of which a partition has row groups, the size and time of the file."""
    found = blake2b(digest_size=8)
    for part, name in zip(partition.parts, partition.names):
        found.update(repr((name, part.start, part.stop, part.first)).encode())
        if part.path.suffix.lower() == ".parquet":
            stat = part.path.stat()
            found.update(repr((stat.st_size, stat.st_mtime_ns)).encode())
            continue
        with suppress(OSError), part.path.open("rb") as file:  # The reader says what is wrong.
            file.seek(part.start)
            left = part.size
            while block := file.read(min(left, CHUNK)):
                found.update(block)
                left -= len(block)
    return found.hexdigest()


@lru_cache(maxsize=1)
def load_embedder(model: str, digest: str) -> Language:
    """Load a pipeline without what comes after its embedder, and with sentences that start on lines
    where the text is in lines, once for each digest of its files."""
    nlp = load_pipeline(model)
    ensure_layout_pipe(nlp)
    names = [name for name, _ in nlp.pipeline]
    last = [pipe for _, pipe in nlp.pipeline].index(find_embedder(nlp))
    nlp.select_pipes(disable=names[last + 1 :])
    allow_long_texts(nlp)
    return nlp


def _embed_chunks(
    nlp: Language, partition: Partition, log: ReadLog, columns: Columns, sizes: dict[str, Any]
) -> Iterator[_Embedded]:
    """Yield the chunks of each text of a partition, whose titles are the headings above them.
    sizes: settings of `Chunker`."""
    chunk_file = FileChunker(topics=False, model=nlp, vectors=True, **sizes)
    for part, name in zip(partition.parts, partition.names):
        for read, chunks in chunk_file(part, log, columns):
            rows = []
            for chunk in (found := [one for one in chunks if one.vector is not None]):
                title = " > ".join(filter(None, dict.fromkeys([read.title, *chunk.path])))
                words = find_terms_of_each([tokenize(nlp, chunk.text)[:]])[0]
                extent = chunk.start, chunk.end, chunk.text
                about = read.date, json.dumps(read.metadata)
                rows.append((f"{name}{read.place or ':1'}", title, *extent, True, words, *about))
            if found:
                yield rows, np.array([chunk.vector for chunk in found], "f")


def _embed_texts(
    nlp: Language,
    partition: Partition,
    log: ReadLog,
    columns: Columns,
    segment: Callable[[Doc], Doc] | None = None,
) -> Iterator[_Embedded]:
    """Yield the sentences of each text of a partition, or the segments if something cuts them."""
    texts = (
        (text, part.path, name)
        for part, name in zip(partition.parts, partition.names)
        for text in read_part(part, log, columns)
    )
    for batch in batch_by_size(
        texts, lambda one: sum(map(len, one[0].paragraphs)), _BATCH_CHARACTERS
    ):
        docs = []
        with nlp.memory_zone():
            for text, path, name in batch:
                try:
                    place = f"{name}:{text.number}", text.name
                    about = text.date, json.dumps(find_metadata(text, columns))
                    docs.append((make_doc(nlp, text), (place, about)))
                except ValueError as error:
                    bad_record(path, f"text {text.number}", str(error), log)
            for doc, (place, about) in nlp.pipe(docs, as_tuples=True):
                units, vectors = get_encoded_sentences(doc)
                kept = np.zeros(len(units), bool)
                kept[find_clustered(doc, units, vectors, set_aside=True)] = True
                words = find_terms_of_each(units)
                if segment is not None and units:
                    starts = [sentence.start for sentence in units]
                    units = [found.span for found in segment(doc)._.thematic_segments]
                    firsts = np.searchsorted(starts, [span.start for span in units])
                    firsts[0] = 0
                    vectors, of_each = find_units(vectors, firsts[1:], "texts")
                    words, kept = join_words(words, of_each), np.logical_or.reduceat(kept, firsts)
                rows = [
                    (*place, span.start_char, span.end_char, span.text, *of_unit, *about)
                    for span, *of_unit in zip(units, kept.tolist(), words)
                ]
                yield rows, vectors


def _make_block(texts: Sequence[_Embedded], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Texts as rows of a file. Raises ValueError if the vectors cannot be kept in 16 bits."""
    width = schema.field("vector").type.list_size
    vectors = pyarrow.array(_round(np.concatenate([vectors for _, vectors in texts])).ravel())
    columns = [*zip(*(row for rows, _ in texts for row in rows))] or [()] * (len(schema) - 1)
    arrays = [pyarrow.array(values, field.type) for values, field in zip(columns, schema)]
    arrays.append(pyarrow.FixedSizeListArray.from_arrays(vectors, width))
    return pyarrow.record_batch(arrays, schema=schema)


def _round(rows: np.ndarray) -> np.ndarray:
    rounded = round_to_half(rows)
    if rounded is None:
        sizes = np.abs(rows)
        raise ValueError(
            "The vectors of this model cannot be kept in 16 bits: entries lie between "
            f"{sizes.min():g} and {sizes.max():g}. Bring them to length one."
        )
    return rounded
