"""From a store of embedded sentences to the segments of its texts."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.about import __version__
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.engines import Engine
from spacy_thematic.files import check_is_replaceable, open_whole, write_json
from spacy_thematic.scale import check_is_outside
from spacy_thematic.scale.arrow import parquet, pyarrow
from spacy_thematic.scale.draft import Draft
from spacy_thematic.scale.embedding import digest_model, load_embedder
from spacy_thematic.scale.store import (
    SentenceStore,
    find_starts,
    get_vectors,
    iter_whole_texts,
    open_part,
)
from spacy_thematic.segmentation.settings import SegmentSettings
from spacy_thematic.sentences.tokenizing import tokenize
from spacy_thematic.span_keys import SENTENCES_KEY, make_group

SEGMENTS = "_segments.json"
"""Readers of folders of Parquet leave out names that begin like this."""
_SCHEMA = pyarrow.schema(
    [
        ("id", pyarrow.string()),
        ("title", pyarrow.string()),
        ("segment", pyarrow.int32()),
        ("start", pyarrow.int32()),
        ("end", pyarrow.int32()),
        ("sentences", pyarrow.int32()),
        ("level", pyarrow.int32()),
        ("strength", pyarrow.float32()),
        ("heading", pyarrow.string()),
        ("label", pyarrow.string()),
        ("keywords", pyarrow.list_(pyarrow.string())),
    ]
)


def segment_store(
    store: SentenceStore,
    out: Path,
    settings: SegmentSettings,
    engine: Engine,
    on_part: Callable[[], None] = lambda: None,
) -> int:
    """Cut the texts of a complete store into segments, as `thematic_segmenter` does where Docs have
    the vectors of the store, and return how many there are.

    Work that was stopped resumes. The files depend neither on the engine nor on its number of
    workers, and memory does not grow with the number of texts. `out` receives a Parquet file for
    each partition, with the columns `id` and `title` of the text; `segment`, its number in the
    text; `start` and `end`, characters of the text, from its first sentence to its last;
    `sentences`, how many; and `level`, `strength`, `heading`, `label` and `keywords`, see
    `Segment`.

    Raises:
        ValueError: If the model has changed since the store was made, or a file is damaged.
        FileExistsError: If anything but segments is at `out`.
        WorkerLost: If a worker was killed.
    """
    check_is_outside(out, [store.folder])
    check_is_replaceable(out, SEGMENTS, "segments", (SEGMENTS, "part-*.parquet"))
    model, digest = store.record.model, store.record.made_from["model"]
    if digest_model(model) != digest:
        raise ValueError(
            f"{model} has changed since {store.folder} was made: embed the texts again."
        )
    made_from = {
        "store": store.record.made_from,
        "settings": asdict(settings),
        "version of spacy-thematic": __version__,
    }
    draft = Draft(out, made_from)
    parts = [store.part(number) for number in range(store.record.n_partitions)]
    work = partial(_segment, model=model, digest=digest, settings=settings, folder=draft.folder)
    total = 0
    for n in engine.map(work, parts):
        total += n
        on_part()
    write_json(draft.folder / SEGMENTS, {"segments": total, "settings": asdict(settings)})
    draft.finish()
    return total


def _segment(part: Path, model: str, digest: str, settings: SegmentSettings, folder: Path) -> int:
    """Cut the texts of a partition of a store with the pipeline that made the vectors, write their
    segments to a Parquet file, whole or not at all, unless it is there, and return how many there
    are."""
    out = folder / part.name
    if out.is_file():
        with open_part(out) as done:
            return done.metadata.num_rows
    nlp = load_embedder(model, digest)
    segmenter = nlp.create_pipe("thematic_segmenter", config=asdict(settings))
    n = 0
    with (
        single_thread(),
        open_whole(out) as file,
        parquet.ParquetWriter(file, _SCHEMA, compression="zstd") as writer,
    ):
        for text in _iter_texts(part):
            with nlp.memory_zone():
                rows = _describe(segmenter(_make_doc(nlp, text)), text)
            writer.write_batch(pyarrow.RecordBatch.from_pylist(rows, schema=_SCHEMA))
            n += len(rows)
    return n


class _Text(NamedTuple):
    """The sentences of a text: columns of the store, and vectors, (n, width)."""

    rows: list[dict[str, Any]]
    vectors: np.ndarray


def _iter_texts(part: Path) -> Iterator[_Text]:
    names = ["id", "title", "start", "end", "lines", "text"]
    for block in iter_whole_texts(part, [*names, "vector"]):
        rows, vectors = block.select(names).to_pylist(), get_vectors(block)
        for first, after in pairwise([0, *find_starts(block).tolist(), len(block)]):
            yield _Text(rows[first:after], vectors[first:after])


def _describe(doc: Doc, text: _Text) -> list[dict[str, Any]]:
    """The segments of the Doc of a text, as rows of the file."""
    starts = [span.start for span in doc.spans[SENTENCES_KEY]]
    found = []
    segments = doc._.thematic_segments
    firsts = np.searchsorted(starts, [segment.span.start for segment in segments]).tolist()
    for segment, first, after in zip(segments, firsts, [*firsts[1:], len(starts)]):
        found.append(
            {
                "id": text.rows[first]["id"],
                "title": text.rows[first]["title"],
                "segment": segment.number,
                "start": text.rows[first]["start"],
                "end": text.rows[after - 1]["end"],
                "sentences": after - first,
                "level": segment.level,
                "strength": segment.strength,
                "heading": segment.heading,
                "label": segment.label,
                "keywords": segment.keywords,
            }
        )
    return found


def _make_doc(nlp: Language, text: _Text) -> Doc:
    """The Doc of a text again: its sentences, and lines that end between them."""
    sentences = [row["text"].strip() for row in text.rows]
    spaces = ["\n" * row["lines"] or " " for row in text.rows]
    doc = tokenize(nlp, "".join(map(str.__add__, sentences, spaces)))
    places = np.cumsum([0, *(len(s) + len(space) for s, space in zip(sentences, spaces))])
    starts = np.searchsorted([token.idx for token in doc], places).tolist()
    spans = [doc[start:end] for start, end in pairwise(starts)]
    doc.spans[SENTENCES_KEY] = make_group(doc, spans)
    doc._.thematic_vectors = text.vectors
    doc._.thematic_title = text.rows[0]["title"]
    return doc
