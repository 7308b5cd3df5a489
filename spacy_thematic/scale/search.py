"""Sentences like a question, in a store of embedded sentences or in files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from heapq import nlargest
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

import numpy as np

from spacy_thematic.clustering.settings import is_whole
from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.engines import make_engine
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.scale import STORE
from spacy_thematic.scale.arrow import pyarrow
from spacy_thematic.scale.embedding import digest_model, embed_files
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
    source: str | Path,
    query: str,
    top: int = 10,
    *,
    model: str | None = None,
    files: str = "*",
    skip_bad: bool = False,
    on_part: Callable[[], None] = lambda: None,
) -> list[Hit]:
    """Find the sentences of a store, or of a file or folder, whose topics are most like that of a
    question. All are compared, by blocks.

    Args:
        source: A store that `thematic embed` made; or a file or folder, which is embedded first.
        query: A question, a sentence or a few words.
        top: How many sentences to return at most.
        model: Of the vectors; None: the one that made the store, `en_thematic_md` for files.
        files: A pattern of the files to look in, as glob has it, such as "*.md" or "minutes/*": of
            their names, or of the last parts of their paths.
        skip_bad: Whether to skip files and records that cannot be read.
        on_part: Called when a partition was searched.

    Returns:
        The best first; of equal ones the first of the store. Equal sentences are there once.

    Raises:
        ValueError: If the query is empty or has no word that the model knows, `top` is no whole
            number from 1, no file matches, the store is not complete, or another model made it.
        SourceError: For files that cannot be read.
    """
    if not is_whole(top, 1):
        raise ValueError(f"Expected top to be a whole number from 1, found {top!r:.50}.")
    if not isinstance(query, str) or not query.strip():
        raise ValueError(f"Expected a query with words, found {query!r:.80}.")
    source = Path(source) if isinstance(source, str) else source  # Or a place in the cloud.
    if (source / STORE).is_file():
        return _search_store(SentenceStore.open(source), query, top, model, files, on_part)
    with TemporaryDirectory() as folder:
        out, name = Path(folder) / "store", model or "en_thematic_md"
        store = embed_files([source], out, make_engine("local"), name, skip_bad=skip_bad)
        return _search_store(store, query, top, model, files, on_part)


def _search_store(
    store: SentenceStore,
    query: str,
    top: int,
    model: str | None,
    files: str,
    on_part: Callable[[], None],
) -> list[Hit]:
    name = model or store.record.model
    if digest_model(name) != store.record.made_from["model"]:
        raise ValueError(
            f"{name} is not the model that made the vectors of {store.folder}, which was "
            f"{store.record.model}: name that with --model, or make the store again."
        )
    topics = store.read_topics()
    if topics is None:
        topics = np.eye(store.record.width, dtype=np.float32)
    asked = map_to_topics(encode_texts(load_pipeline(name), [query]), topics)[0]
    if not asked.any():
        raise ValueError(f"The model knows no word of the query {query!r:.80}.")
    hits: dict[str, Hit] = {}
    is_found = False
    for number in range(store.record.n_partitions):
        for whole in iter_whole_texts(store.part(number), _COLUMNS):
            block = whole.filter(pyarrow.array(_match(whole.column("id").to_pylist(), files)))
            is_found = is_found or len(block) > 0
            for hit in _search_block(block, asked, topics, top):
                known = hits.get(hit.text)
                if known is None or hit.score > known.score:
                    hits[hit.text] = hit
        best = nlargest(top, hits.values(), key=lambda hit: hit.score)
        hits = {hit.text: hit for hit in best}
        on_part()
    if not is_found:
        raise ValueError(f"No file that was embedded matches the pattern {files!r}.")
    return [*hits.values()]


def _match(ids: list[str], pattern: str) -> list[bool]:
    """Whether the file of each id matches a pattern, by its name or the last parts of its path."""
    paths = {one: PurePath(one.rpartition(":")[0]) for one in set(ids)}
    wanted = {
        one: fnmatch(path.name, pattern) or fnmatch(f"/{path.as_posix()}", f"*/{pattern}")
        for one, path in paths.items()
    }
    return [wanted[one] for one in ids]


def _search_block(
    block: pyarrow.RecordBatch, asked: np.ndarray, topics: np.ndarray, top: int
) -> Iterable[Hit]:
    """The best sentences of whole texts, of equal ones the first."""
    if not len(block):
        return
    scores = map_to_topics(get_vectors(block), topics) @ asked
    texts = block.column("text")
    starts = {0, len(block), *find_starts(block).tolist()}
    found: set[str] = set()
    for row in np.argsort(-scores, kind="stable").tolist():
        values = {name: block.column(name)[row].as_py() for name in _COLUMNS[:-1]}
        if scores[row] <= 0 or len(found) == top:
            return
        if values["text"] not in found:
            found.add(values["text"])
            around = range(row - (row not in starts), row + 1 + (row + 1 not in starts))
            context = " ".join(" ".join(texts[near].as_py() for near in around).split())
            yield Hit(float(scores[row]), context=context, **values)
