"""Sentences, segments or chunks like a question, in a store of them or in files."""

import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import lru_cache
from html import unescape
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, get_args
from unicodedata import normalize

import numpy as np

from spacy_thematic.articles.csv_records import USUAL
from spacy_thematic.articles.sources import ReadLog, open_source
from spacy_thematic.checks import is_whole
from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.engines import make_engine
from spacy_thematic.files import open_whole
from spacy_thematic.layout.lines import closes_sentence
from spacy_thematic.pipeline.corpus_themes import SENTENCES, CorpusThemes
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pipeline.texts import PROSE_SUFFIXES, STORE, SUFFIXES, iter_files
from spacy_thematic.pretrained.paths import BUNDLED, check_model_name, digest_model
from spacy_thematic.rows import unit_rows
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.store import INDEX, SentenceStore, StoreUnits, get_vectors, iter_blocks

_COLUMNS = ["id", "title", "start", "end", "text", "date", "metadata"]
_BLOCK = 8192  # rows
_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"<(?!\w+:)[/!?a-zA-Z][^<>]*>|\]\([^()\s]*\)")
_MOST_FILES = 8
"""How many are kept while the lines of hits are looked for."""

_CLOSE = 0.45
"""A cosine below which a unit seldom answers a question. Of 80 questions that a textbook or manuals
answer, none has only weak results with `en_thematic_md`, with `sm`, or of chunks with `md`; of 120
on other subjects 88, 82 and 98 in 100 have. Of 300 headings of three sources 1, 2 and 5 in 100
have, of 300 headings of others 82, 73 and 96. How far the best score stands above the rest of the
store tells less: its area under the curve is .48 to .82, that of the score itself .96 to 1."""

_NEAR = 50_000
"""Characters in which a text is looked for before all of the file is."""
_WORDS = 8
"""How many first words find the place of a text in a file that has others among its words, such as
the numbers of a list."""


@dataclass(frozen=True)
class Hit:
    """A sentence, segment or chunk that is similar to a question.

    Attributes:
        score: The cosine of its topic and that of the question.
        text: The sentence, segment or chunk.
        context: A sentence with the one before and the one after it; else the text.
        id: The file, a colon, and the number of the line, row or article in it.
        title: Of its text; of a chunk with the headings above it.
        start: Its first character in the text as it is read, without markup; of a chunk, in the
            text that was cut: that of the file, of its record, or what it was converted to.
        end: The character after its last.
        line: On which it begins in its file, from 1; None where the file has many texts, is not
            there any more, or says it in other words.
        theme: The name of its theme, where `themes` are given; None where it has none.
        is_weak: Whether a bundled model gave a score below .45, and a word of the question is not
            in the text. If all are weak, the texts probably do not answer the question.
        date: Of its text, ISO 8601, "" where it is not known.
        metadata: The other fields of its row or record.
    """

    score: float
    text: str
    context: str
    id: str
    title: str
    start: int
    end: int
    line: int | None = None
    theme: str | None = None
    is_weak: bool = False
    date: str = ""
    metadata: dict[str, Any] = field(default_factory=dict, hash=False)


def search(
    source: str | Path | Sequence[str | Path],
    query: str,
    top: int = 10,
    *,
    model: str | None = None,
    files: str = "*",
    themes: str | Path | None = None,
    theme: str | int | None = None,
    units: StoreUnits | None = None,
    text_column: str = USUAL.text,
    id_column: str = USUAL.title,
    date_column: str = USUAL.date,
    skip_bad: bool = False,
    on_part: Callable[[], None] = lambda: None,
    on_embedded: Callable[[ReadLog], None] = lambda log: None,
) -> list[Hit]:
    """Find the sentences, segments or chunks whose topics are most similar to the topic of a
    question, in a store, a file or a folder. The search is exact: all of them are compared.

    Args:
        source: A store that `thematic embed` made; or a file or folder, or a list of these, which
            are embedded first.
        query: A question, a sentence or a few words.
        top: How many to return at most.
        model: Of the vectors; None: the one that made those that are there, else `en_thematic_md`.
        files: A pattern of the files to look in, as glob has it, such as "*.md" or "minutes/*": of
            their names, or of the last parts of their paths.
        themes: A folder of saved themes. If `thematic cluster-store` made it of this store, it says
            the theme of each sentence; else each has the nearest.
        theme: The name or number of the one of these themes to look in; None: in all.
        units: What is found; None: what the store has, of files sentences.
        text_column: Of tables and records, where files are searched.
        id_column: The column or field of their titles.
        date_column: That of their dates.
        skip_bad: Whether to skip files and records that cannot be read.
        on_part: Called when a partition was read, which the first search in a store does.
        on_embedded: Called with what happened while a partition of files was read.

    Returns the best first; of equal ones the first of the store. Equal texts are there once. Raises
    ValueError if the query or the texts are empty, the query has no word that the model knows,
    `top` is no whole number from 1, no file matches, there is no such theme, the store is not
    complete, has other units, or another model made it or the themes; TypeError if the source is no
    path, or the model no name; SourceError for files that cannot be read.
    """
    sources = [source] if isinstance(source, str | Path) else source
    if not isinstance(sources, list | tuple) or not all(isinstance(s, str | Path) for s in sources):
        raise TypeError(
            "Expected as source the path of a store, or of a file or a folder, or a list of these, "
            f"found {source!r:.60}."
        )
    if units not in (None, *get_args(StoreUnits)):
        raise ValueError(
            f"Expected units to be None or one of {get_args(StoreUnits)}, found {units!r}."
        )
    model = None if model is None else check_model_name(model)
    if not is_whole(top, 1):
        raise ValueError(f"Expected top to be a whole number from 1, found {top!r:.50}.")
    if not isinstance(query, str) or not query.strip():
        raise ValueError(f"Expected a query with words, found {query!r:.80}.")
    paths = [*map(Path, sources)]
    is_store = len(paths) == 1 and (paths[0] / STORE).is_file()
    named = ", ".join(map(str, paths))
    if themes is None and theme is not None:
        raise ValueError("A theme is one of saved themes: give their folder as themes.")
    saved = CorpusThemes.load(themes) if themes is not None else None
    with TemporaryDirectory() as folder:
        if is_store:
            store = SentenceStore.open(paths[0])
            if units not in (None, store.record.units):
                raise ValueError(
                    f"{named} has vectors of {store.record.units}, not of {units}: make a store "
                    f"with embed --units {units}, or search the texts."
                )
        else:
            store = embed_files(
                _find_files(paths, files, skip_bad),
                Path(folder) / "store",
                make_engine("local"),
                model or (saved and saved.model) or "en_thematic_md",
                units=units or "sentences",
                text_column=text_column,
                id_column=id_column,
                date_column=date_column,
                skip_bad=skip_bad,
                on_partition=on_embedded,
            )
            if not sum(store.count_rows()):
                raise ValueError(f"{named}: there is no text to search.")
        scores = _score(store, named, query, model, on_part)
        if is_store:
            scores[~_match(store, files)] = 0
        theme_of = np.zeros(len(scores), dtype=np.int64)
        names: dict[int, str | None] = {0: None}
        if themes is not None and saved is not None:
            theme_of = _find_themes(store, Path(themes), saved, is_store)
            names |= {one.number: one.name for one in saved.themes}
        if theme is not None:
            wanted = [number for number, name in names.items() if theme in (number, name)]
            if not wanted or theme == 0:
                known = "; ".join(f"{n} {name}" for n, name in names.items() if name)
                raise ValueError(f"{themes} has no theme {theme!r}: it has {known}.")
            scores[~np.isin(theme_of, wanted)] = 0
        hits = _find_best(store, scores)
        read = lru_cache(_MOST_FILES)(read_prose)
        has_floor, asked = store.record.model in BUNDLED, _find_words(query)
        return [
            replace(
                hit,
                line=_find_line(hit, read),
                theme=names[int(theme_of[row])],
                is_weak=has_floor and hit.score < _CLOSE and not asked <= _find_words(hit.text),
            )
            for (row, hit), _ in zip(hits, range(top))
        ]


def _find_words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def read_prose(path: Path) -> str | None:
    """What a file of one text says, its markup as empty as its lines allow; None for others."""
    if not (path.name.lower().endswith(PROSE_SUFFIXES) and path.is_file()):
        return None
    with open_source(path, ReadLog()) as stream:
        return _drop_markup(stream.read().decode("utf8", "replace"))


def _drop_markup(text: str) -> str:
    shown = _MARKUP.sub(lambda markup: "\n" * markup[0].count("\n"), unescape(text))
    return normalize("NFC", shown)  # As `make_doc` does.


def _find_line(hit: Hit, read: Callable[[Path], str | None]) -> int | None:
    content = read(Path(hit.id.rpartition(":")[0]))
    return count_lines(content, find_place(hit.text, content))


def find_place(text: str, content: str | None, start: int = 0) -> int | None:
    """The place in a file of one text, of which `read_prose` gives the content, where a sentence or
    chunk begins, from one on where it may be; None where the file says it in other words."""
    if content is None:
        return None
    text = _drop_markup(text)
    words, first_line = _WORD.findall(text), _WORD.findall(text.strip().partition("\n")[0])
    before, after = r"(?<![^\W_])", r"(?![^\W_])"
    forms = [
        (r"[\W_]+".join(shown), *ends)
        for shown, *ends in (
            (words, before, after),
            (words[:_WORDS], before, after),
            (first_line, r"^(?:[^\w\n]|_)*", r"(?:[^\w\n]|_)*$"),
            (first_line[:_WORDS], before, after),
        )
        if shown
    ]
    near = [(start, start + _NEAR)] if start else []
    for first, last in (*near, (start, len(content)), (0, start)):
        for form, opening, closing in forms:
            pattern = re.compile(f"{opening}{form}{closing}", re.MULTILINE)
            if found := pattern.search(content, first, last):
                return found.end() - len(found[0].lstrip())
    return None


def count_lines(content: str | None, place: int | None) -> int | None:
    """The line of a place, from 1; None of none."""
    return None if content is None or place is None else content.count("\n", 0, place) + 1


def _score(
    store: SentenceStore, source: str, query: str, model: str | None, on_part: Callable[[], None]
) -> np.ndarray:
    """The cosine of a question and each sentence of a store, (sentences,). Without a map to
    topics the vectors themselves are compared."""
    made_by = store.record.model
    name = model or made_by
    if digest_model(name) != store.record.made_from["model"]:
        if made_by == name:
            raise ValueError(
                f"Another version of {name} made the vectors of {source}: make them again."
            )
        raise ValueError(
            f"{name} is not the model that made the vectors of {source}, which was {made_by}: "
            "name that as model (--model in the shell), or make them again."
        )
    topics = store.read_topics()
    asked = _map(encode_texts(load_pipeline(name), [query]), topics)[0]
    if not asked.any():
        raise ValueError(f"The model knows no word of the query {query!r:.80}.")
    index = _read_index(store, topics, on_part)
    blocks = (index[first : first + _BLOCK] for first in range(0, len(index), _BLOCK))
    return np.concatenate([np.zeros(0, "f"), *(block.astype("f") @ asked for block in blocks)])


def _map(vectors: np.ndarray, topics: np.ndarray | None) -> np.ndarray:
    return unit_rows(vectors, centre=False) if topics is None else map_to_topics(vectors, topics)


def _read_index(
    store: SentenceStore, topics: np.ndarray | None, on_part: Callable[[], None]
) -> np.ndarray:
    """The topics of the sentences of a store, float16 (sentences, width), rows of length one or
    zero. The first search writes them beside it: to make them takes ten times as long as to read
    them."""
    width = store.record.width if topics is None else topics.shape[1]
    path, shape = store.folder / INDEX, (sum(store.count_rows()), width)
    if path.is_file():
        with suppress(ValueError, OSError, EOFError):
            index = np.load(path, mmap_mode="r", allow_pickle=False)
            if index.shape == shape and index.dtype == np.float16:
                return index
    index = np.zeros(shape, dtype=np.float16)
    first = 0
    for number in range(store.record.n_partitions):
        for block in iter_blocks(store.part(number), ["vector"]):
            index[first : first + len(block)] = _map(get_vectors(block), topics)
            first += len(block)
        on_part()
    with suppress(OSError), open_whole(path) as file:  # A store may be there only to read.
        np.save(file, index)
    return index


def _find_files(sources: list[Path], pattern: str, skip_bad: bool) -> list[Path]:
    """The files that match a pattern, or the sources themselves where all do. Raises ValueError if
    none does."""
    if pattern == "*":
        return sources
    files = iter_files(sources, SUFFIXES, ReadLog(skip_bad=skip_bad))
    if not (found := [file for file in files if _fits(file, pattern)]):
        raise ValueError(
            f"No file of {', '.join(map(str, sources))} matches the pattern {pattern!r}."
        )
    return found


def _fits(path: PurePath, pattern: str) -> bool:
    """Whether a pattern matches the name of a file, or the last parts of its path."""
    return fnmatch(path.name, pattern) or fnmatch(f"/{path.as_posix()}", f"*/{pattern}")


def _match(store: SentenceStore, pattern: str) -> np.ndarray:
    """Whether the file of each sentence matches a pattern, by its name or the last parts of its
    path, (sentences,). Raises ValueError if none does."""
    if pattern == "*":
        return np.ones(sum(store.count_rows()), dtype=bool)
    found = []
    for number in range(store.record.n_partitions):
        for block in iter_blocks(store.part(number), ["id"]):
            ids = block.column("id").dictionary_encode()
            paths = (PurePath(one.rpartition(":")[0]) for one in ids.dictionary.to_pylist())
            wanted = [_fits(path, pattern) for path in paths]
            found.append(np.array(wanted, dtype=bool)[ids.indices.to_numpy()])
    if not any(map(np.any, found)):
        raise ValueError(f"No file that was embedded matches the pattern {pattern!r}.")
    return np.concatenate(found)


def _find_themes(
    store: SentenceStore, folder: Path, saved: CorpusThemes, is_kept: bool
) -> np.ndarray:
    """The number of the theme of each row of a store, 0 for none, (rows,), as it stands in the
    folder of the themes, or else the nearest. Warns where that folder has those of another store,
    and this one is kept. Raises ValueError if another model found the themes."""
    parts = [store.part(number) for number in range(store.record.n_partitions)]
    own = [folder / SENTENCES / part.name for part in parts]
    if all(part.is_file() for part in own):
        blocks = (block for part in own for block in iter_blocks(part, ["theme"]))
        found = [np.zeros(0, np.int64), *(block.column("theme").to_numpy() for block in blocks)]
        if sum(map(len, found)) == sum(store.count_rows()):
            return np.concatenate(found)
    elif is_kept and any((folder / SENTENCES).glob("part-*")):
        warnings.warn(
            f"{folder} holds themes of another store, or of this one before its texts changed: "
            "each result has the theme nearest to it. Run cluster-store again to find the themes "
            "of these texts.",
            stacklevel=3,
        )
    made_by = store.record.model
    if saved.model and made_by in BUNDLED and saved.model != made_by:
        raise ValueError(
            f"{saved.model} found the themes in {folder}, and {made_by} made the vectors of the "
            f"texts: use the model {saved.model} (--model in the shell) for both."
        )
    numbers = np.array([theme.number for theme in saved.themes])
    nearest = []
    for block in (block for part in parts for block in iter_blocks(part, ["vector", "kept"])):
        kept = block.column("kept").to_numpy(zero_copy_only=False)
        nearest.append(np.where(kept, numbers[saved.predict(get_vectors(block))], 0))
    return np.concatenate([np.zeros(0, np.int64), *nearest])


def _find_best(store: SentenceStore, scores: np.ndarray) -> Iterator[tuple[int, Hit]]:
    """Yield the sentences whose scores, (sentences,), are above 0, and their numbers, the best
    first; of equal sentences the first."""
    sizes = store.count_rows()
    firsts = np.cumsum([0, *sizes])
    seen: set[str] = set()
    for row in np.argsort(-scores, kind="stable").tolist():
        if scores[row] <= 0:
            return
        number = int(np.searchsorted(firsts, row, side="right")) - 1
        place = row - int(firsts[number])
        around = int(store.record.units == "sentences")
        rows = range(max(0, place - around), min(sizes[number], place + around + 1))
        near = store.read_rows(number, rows, [*_COLUMNS, "kept"])
        values = near[place - rows[0]]
        if near[-1] is not values and _leads_on(near[-1]):
            near.pop()
        if values["text"] in seen:
            continue
        seen.add(values["text"])
        own = (one["text"] for one in near if one["id"] == values["id"])
        values = {name: values[name] for name in _COLUMNS}
        values["metadata"] = json.loads(values["metadata"])
        yield row, Hit(float(scores[row]), context=" ".join(" ".join(own).split()), **values)


def _leads_on(row: dict[str, Any]) -> bool:
    """Whether a sentence says nothing by itself and does not end as one: who speaks next."""
    return not row["kept"] and not closes_sentence(row["text"].strip())
