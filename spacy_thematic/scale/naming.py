"""What names the themes of a store: a sample of what each says, read by the model of the store."""

import heapq
from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
import pyarrow
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.doc_layout import find_blocks, write_blocks
from spacy_thematic.layout.plain import DETECTORS
from spacy_thematic.naming.codes_and_units import drop_labels
from spacy_thematic.naming.content import Content, put_titles_above, read_content
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.text_encoder import Encoder
from spacy_thematic.rows import group_by, unit_rows
from spacy_thematic.scale.store import get_vectors
from spacy_thematic.sentences.tokenizing import tokenize

COLUMNS = ["id", "title", "start", "end", "text", "vector"]
_MOST, _OF_ALL, _LONGEST = 300, 10_000, 25
"""The most units of a cluster that are drawn, those of all clusters, and the rows of a unit."""

_OF_PARTS = [detect for name, detect in DETECTORS.items() if name != "headings"]
"""Of some sentences of a text no line is known to be a heading of the next one."""


class Drawn(NamedTuple):
    """A unit of a cluster. Those with the lowest keys are drawn, as if by chance, and the same
    however the partitions are cut. Its place is its partition, and its number among the rows."""

    place: tuple[int, int]
    key: bytes
    id: str
    title: str
    rows: list[tuple[int, int, str]]
    vectors: np.ndarray


def keep_lowest(drawn: list[Drawn], k: int) -> list[Drawn]:
    """Return those that are drawn of one of k clusters."""
    return heapq.nsmallest(max(1, min(_MOST, _OF_ALL // k)), drawn, lambda one: one.key)


def draw(
    drawn: list[list[Drawn]],
    block: pyarrow.RecordBatch,
    place: tuple[int, int],
    labels: np.ndarray,
    of_each: np.ndarray,
) -> None:
    """Draw units of a block of whole texts for their clusters. labels: of the units, (units,).
    of_each: the unit of each row, from 0, sorted. place: of the first row."""
    firsts = np.unique(of_each, return_index=True)[1].tolist()
    ids, starts = (block.column(name).to_pylist() for name in ("id", "start"))
    for cluster, units in enumerate(group_by(pairwise([*firsts, len(block)]), labels, len(drawn))):
        keyed = [
            Drawn(
                (place[0], place[1] + first),
                blake2b(f"{ids[first]} {starts[first]}".encode(), digest_size=8).digest(),
                *(ids[first], "", [(first, min(end, first + _LONGEST), "")], np.empty(0)),
            )
            for first, end in units
        ]
        drawn[cluster] = [
            one if len(one.vectors) else _read(one, block)
            for one in keep_lowest([*drawn[cluster], *keyed], len(drawn))
        ]


def _read(one: Drawn, block: pyarrow.RecordBatch) -> Drawn:
    ((first, end, _),) = one.rows
    own = block.slice(first, end - first)
    rows = zip(*(own.column(name).to_pylist() for name in ("start", "end", "text")))
    vectors = get_vectors(own).astype(np.float16)
    return one._replace(title=own.column("title")[0].as_py(), rows=[*rows], vectors=vectors)


def make_finder(
    drawn: Sequence[Sequence[Drawn]], nlp: Language, *, headings: bool = True
) -> HeadingFinder:
    """Make what finds the headings of clusters, by the units that were drawn of each, with the
    pipeline that encoded them. headings: whether it says which fit."""
    units = sorted((one.place, number, one) for number, own in enumerate(drawn) for one in own)
    texts = [[*own] for _, own in groupby(units, key=lambda unit: (unit[2].id, unit[2].title))]
    embedder = find_embedder(nlp)
    contents: list[Content] = []
    docs = nlp.pipe(
        (_make_doc(nlp, [one for *_, one in own]) for own in texts),
        disable=[name for name, pipe in nlp.pipeline if pipe is embedder],
    )
    title = ""
    for number, (doc, own) in enumerate(zip(docs, texts)):
        spans = _find_spans(doc, [one for *_, one in own])
        found = read_content(spans)
        if len(texts) > 1:
            put_titles_above(found, spans)
        else:
            title = doc._.thematic_title
        for content in found:
            content.doc = number  # The Doc is gone when the next one is read.
        contents += found
    if len(texts) > 1:
        drop_labels(contents)
    labels = np.array([number for _, number, one in units for _ in one.rows], int)
    rows = unit_rows(np.concatenate([one.vectors for *_, one in units]), centre=False)
    encoder = Encoder(embedder, nlp, nlp.vocab)
    score = encoder.score_headings if headings else None
    return HeadingFinder(group_by(contents, labels, len(drawn)), rows, labels, score, title)


def _make_doc(nlp: Language, units: Sequence[Drawn]) -> Doc:
    """A Doc of the rows of a text that are there, each on a line, with blank lines where others are
    left out."""
    rows = [row for one in units for row in one.rows]
    text = rows[0][2] + "".join(
        f"{_find_gap(before[1], start)}{own}" for before, (start, _, own) in pairwise(rows)
    )
    doc = tokenize(nlp, text)
    doc._.thematic_title = units[0].title.rpartition(" > ")[2]
    write_blocks(doc, find_blocks(doc, _OF_PARTS))
    return doc


def _find_gap(end: int, start: int) -> str:
    return "\n" if 0 <= start - end < 2 else "\n\n"


def _find_spans(doc: Doc, units: Sequence[Drawn]) -> list[Span]:
    """The rows in the Doc, each up to the next one that follows it."""
    rows = [row for one in units for row in one.rows]
    spans, place = [], 0
    for (_, end, text), (start, *_) in pairwise([*rows, (-1, -1, "")]):
        gap = _find_gap(end, start)
        after = place + len(text) + (len(gap) if gap == "\n" else 0)
        spans.append(doc.char_span(place, after, alignment_mode="expand") or doc[:0])
        place += len(text) + len(gap)
    return spans
