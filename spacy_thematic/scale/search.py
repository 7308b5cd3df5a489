"""Sentences like a question, in a store of embedded sentences or in files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from heapq import nlargest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from spacy_thematic.engines import make_engine
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.rows import unit_rows
from spacy_thematic.scale import STORE
from spacy_thematic.scale.arrow import pyarrow
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.store import SentenceStore, find_starts, get_vectors, iter_whole_texts

_COLUMNS = ["id", "title", "start", "end", "text", "vector"]


@dataclass(frozen=True)
class Hit:
    """A sentence like a question.

    Attributes:
        score: The cosine of its topic and that of the question.
        text: The sentence.
        context: The sentence with the one before and the one after it.
        id: The file, a colon, and the number of the line, row or article in it.
        title: Of its text.
        start: Its first character in the text.
        end: The character after its last.
    """

    score: float
    text: str
    context: str
    id: str
    title: str
    start: int
    end: int


def search(
    source: str | Path | Sequence[str | Path],
    query: str,
    top: int = 10,
    *,
    model: str | None = None,
    files: str = "*",
    on_part: Callable[[], None] = lambda: None,
) -> list[Hit]:
    """Find the sentences of a store, or of files and folders, whose topics are most like that of a
    question, in words of their own. All are compared, by blocks.

    Args:
        source: A store that `thematic embed` made; or files and folders, which are embedded first.
        query: A question, a sentence, some words.
        top: How many sentences to return at most.
        model: Of the vectors; None: the one that made the store, `en_thematic_md` for files.
        files: A pattern of the names of the files to look in, such as "*.md" or "minutes/*".
        on_part: Called when a partition was searched.

    Returns:
        The best first; of equal ones the first of the store. Equal sentences are there once.

    Raises:
        ValueError: If the query has no word that the model knows, `top` is less than 1, the store
            is not complete, or the model makes other vectors than the store has.
        SourceError: For files that cannot be read.
    """
    if top < 1:
        raise ValueError(f"Expected a top of 1 or more, found {top}.")
    paths = [source] if isinstance(source, (str, Path)) else [*source]
    first = Path(paths[0]) if len(paths) == 1 else None
    if first is not None and (first / STORE).is_file():
        return _search_store(SentenceStore.open(first), query, top, model, files, on_part)
    with TemporaryDirectory() as folder:
        out, name = Path(folder) / "store", model or "en_thematic_md"
        store = embed_files([*map(Path, paths)], out, make_engine("local"), name)
        return _search_store(store, query, top, model, files, on_part)


def _search_store(
    store: SentenceStore,
    query: str,
    top: int,
    model: str | None,
    files: str,
    on_part: Callable[[], None],
) -> list[Hit]:
    topics = store.read_topics()
    asked = unit_rows(encode_texts(load_pipeline(model or store.record.model), [query]), False)
    if asked.shape[1] != store.record.width:
        raise ValueError(
            f"Expected vectors of width {store.record.width}, which the store has, found "
            f"{asked.shape[1]}: name the model that made it, {store.record.model}."
        )
    if topics is not None:
        asked = unit_rows(asked @ topics, centre=False)
    if not asked.any():
        raise ValueError(f"The model knows no word of the query {query!r:.80}.")
    hits: dict[str, Hit] = {}
    for number in range(store.record.n_partitions):
        for block in iter_whole_texts(store.part(number), _COLUMNS):
            for hit in _search_block(block, asked[0], topics, top, files):
                known = hits.get(hit.text)
                if known is None or hit.score > known.score:
                    hits[hit.text] = hit
        best = nlargest(top, hits.values(), key=lambda hit: hit.score)
        hits = {hit.text: hit for hit in best}
        on_part()
    return [*hits.values()]


def _search_block(
    block: pyarrow.RecordBatch,
    asked: np.ndarray,
    topics: np.ndarray | None,
    top: int,
    files: str,
) -> Iterable[Hit]:
    """The best sentences of whole texts."""
    rows = unit_rows(get_vectors(block), centre=False)
    if topics is not None:
        rows = unit_rows(rows @ topics, centre=False)
    scores = rows @ asked
    ids = block.column("id").to_pylist()
    if files != "*":
        wanted = {one: fnmatch(one.rpartition(":")[0], files) for one in set(ids)}
        scores[[not wanted[one] for one in ids]] = -np.inf
    texts = block.column("text")
    starts = {0, len(block), *find_starts(block).tolist()}
    # Some may be equal.
    for row in np.argsort(-scores, kind="stable")[: 3 * top].tolist():
        if scores[row] > 0:
            around = range(row - (row not in starts), row + 1 + (row + 1 not in starts))
            values = {name: block.column(name)[row].as_py() for name in _COLUMNS[:-1]}
            context = " ".join(" ".join(texts[near].as_py() for near in around).split())
            yield Hit(float(scores[row]), context=context, **values)
