"""The articles of a corpus as flat files of word numbers, from which any of them is read at once.

Training reads articles in random order. A DocBin has to be unpacked from its beginning, and a Doc
takes 500 bytes a token; here an article is a few small reads, and memory does not grow with the
number of articles.
"""

import shutil
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import srsly
from spacy.attrs import ORTH, SPACY
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic.files import write_folder
from spacy_thematic.progress import show_bar
from spacy_thematic.rows import count_from
from spacy_thematic.triplets import docbin

FOLDER = "compiled"
HEADER = "header.json"
_FORMAT = 5
_KINDS = (docbin.SENTENCES, docbin.TITLES, docbin.FOREIGN, docbin.OTHERS)
_TYPES = {
    "words": "int32",  # numbers of forms, row after row
    "spaces": "uint8",  # whether white space follows a word
    "word_starts": "int64",  # where a row begins among the words, and the end
    "sections": "int32",  # the section of each row
    "headings": "int32",  # the number of its section's heading
    "paragraphs": "int32",  # its paragraph in the section; -1 where it has none
    "kinds": "uint8",  # its span group, as a number of `_KINDS`
    "row_starts": "int64",  # where an article begins among the rows, and the end
    "triplets": "int32",  # three row numbers each, counted from the article's first row
    "triplet_starts": "int64",  # where an article begins among the triplets, and the end
    "sizes": "int32",  # the tokens of an article's Doc
    "sources": "int32",  # the number of its source
}
_STARTS = ("word_starts", "row_starts", "triplet_starts")
_SENTENCE, _OTHER = _KINDS.index(docbin.SENTENCES), _KINDS.index(docbin.OTHERS)
_AT_ONCE = 1000  # articles


class ArticleBatch(NamedTuple):
    """Rows (sentences, and titles and foreign sentences that triplets name) of some articles."""

    words: np.ndarray  # form numbers, int32 (words)
    spaces: np.ndarray  # bool (words)
    lengths: np.ndarray  # words of each row, int32 (rows)
    sections: np.ndarray  # of each row, distinct between articles, int32 (rows)
    headings: np.ndarray  # the number of each row's heading in the corpus, int32 (rows)
    articles: np.ndarray  # the position of each row's article in the batch, int32 (rows)
    paragraphs: np.ndarray  # of each row in its section, -1 where it has none, int32 (rows)
    kinds: np.ndarray  # int (rows), a number of `_KINDS`
    triplets: np.ndarray  # int (m, 3) row numbers

    @property
    def is_sentence(self) -> np.ndarray:
        """Whether a row is a sentence of its article, an opener or another, bool (rows)."""
        return np.isin(self.kinds, (_SENTENCE, _OTHER))

    @property
    def is_other(self) -> np.ndarray:
        """Whether a row is a sentence that opens no paragraph, bool (rows)."""
        return self.kinds == _OTHER

    @property
    def is_in_triplet(self) -> np.ndarray:
        """Whether a triplet names a row, bool (rows)."""
        mask = np.zeros(len(self.lengths), bool)
        mask[self.triplets] = True
        return mask

    def select(self, mask: np.ndarray) -> Self:
        """Only the rows where the mask, bool (rows), is true, and the triplets of these."""
        if mask.all():
            return self
        words = np.repeat(mask, self.lengths)
        of_rows = ("lengths", "sections", "headings", "articles", "paragraphs", "kinds")
        return self._replace(
            words=self.words[words],
            spaces=self.spaces[words],
            triplets=(np.cumsum(mask) - 1)[self.triplets[mask[self.triplets].all(axis=1)]],
            **{name: getattr(self, name)[mask] for name in of_rows},
        )


def number_sections(articles: np.ndarray, sections: np.ndarray) -> np.ndarray:
    """Numbers of the sections of rows that are distinct between articles, int32 (rows), from those
    of their articles and those of their sections in these."""
    pairs = np.stack([articles, sections])
    return np.unique(pairs, axis=1, return_inverse=True)[1].ravel().astype("int32")


class CompiledCorpus:
    """Articles as flat files, written by `compile_docs`: their distinct headings of sections and
    sources, "" where there is none, their languages, as far as they are known, the tokens of each
    article's Doc, int32 (articles), its triplets, int64 (articles), and a key that tells this
    corpus from others."""

    def __init__(self, folder: Path):
        self.folder = folder
        header = srsly.read_json(folder / HEADER)
        self.forms: list[str] = header["forms"]
        self.headings: list[str] = header["headings"]
        self.sources: list[str] = header["sources"]
        self.languages: list[str] = header["languages"]
        self._columns = {name: open_column(folder / name, dtype) for name, dtype in _TYPES.items()}
        self.sizes = np.array(self._columns["sizes"])
        self._row_starts = np.array(self._columns["row_starts"])
        self._triplet_starts = np.array(self._columns["triplet_starts"])
        self.n_triplets = np.diff(self._triplet_starts)
        self.n_rows = int(self._row_starts[-1])
        content = (folder / HEADER).read_bytes() + self._row_starts.tobytes()
        self.key = blake2b(content, digest_size=8).hexdigest()

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, articles: Sequence[int]) -> ArticleBatch:
        """Some articles, by their numbers, in this order."""
        numbers = np.asarray(articles, "int64")
        firsts, ends = self._row_starts[numbers], self._row_starts[numbers + 1]
        sizes = ends - firsts
        own = np.repeat(np.arange(len(numbers), dtype="int32"), sizes)
        rows = count_from(firsts, sizes)
        n_triplets = self.n_triplets[numbers]
        triplets = count_from(3 * self._triplet_starts[numbers], 3 * n_triplets)
        starts = np.repeat(np.cumsum(sizes) - sizes, n_triplets)
        return ArticleBatch(
            *self.read_rows(rows),
            sections=number_sections(own, self._columns["sections"][rows]),
            headings=self._columns["headings"][rows],
            articles=own,
            paragraphs=self._columns["paragraphs"][rows],
            kinds=self._columns["kinds"][rows],
            triplets=self._columns["triplets"][triplets].reshape(-1, 3) + starts[:, None],
        )

    def read_columns(self, *names: str) -> tuple[np.ndarray, ...]:
        """Whole columns, by the names of their files, such as "sections", "paragraphs", "kinds"."""
        return tuple(np.array(self._columns[name]) for name in names)

    def article_of_rows(self) -> np.ndarray:
        """The number of each row's article, int64 (rows)."""
        return np.repeat(np.arange(len(self)), np.diff(self._row_starts))

    def count_words(self, articles: Sequence[int], others: bool = False) -> np.ndarray:
        """How often each form occurs in the openers, titles and foreign sentences of articles, and
        with `others` in all their sentences, int64 (forms)."""
        counts = np.zeros(len(self.forms), "int64")
        for start in range(0, len(articles), _AT_ONCE):
            batch = self.take(articles[start : start + _AT_ONCE])
            if not others:
                batch = batch.select(~batch.is_other)
            counts += np.bincount(batch.words, minlength=len(counts))
        return counts

    def read_rows(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows by their numbers in the whole corpus. Returns form numbers, int32 (words), one row
        after the other; whether white space follows each, bool (words); words of each row, int32
        (rows)."""
        starts = self._columns["word_starts"][rows]
        sizes = self._columns["word_starts"][rows + 1] - starts
        words = count_from(starts, sizes)
        spaces = self._columns["spaces"][words] != 0
        return self._columns["words"][words], spaces, sizes.astype("int32")


def open_column(path: Path, dtype: str) -> np.ndarray:
    """The numbers of a flat file, which are read when they are used."""
    if not path.stat().st_size:
        return np.zeros(0, dtype)
    return np.memmap(path, dtype, "r")


def compile_docs(docs: Iterable[Doc], folder: Path, stamp: Any = None) -> None:
    """Write the Docs of a corpus as the flat files of a `CompiledCorpus`, whole or not at all. The
    stamp tells what the Docs come from."""
    _write(map(_read_doc, docs), folder, stamp)


def compile_shards(path: Path, vocab: Vocab) -> None:
    """Compile a folder of shards, into a folder inside it."""
    compile_docs(_show(docbin.read_shards(path, vocab)), path / FOLDER, _stamp(path))


def join_compiled(parts: Iterable[Path], path: Path) -> None:
    """Write the compiled form of a folder of shards, into a folder inside it, from that of each
    shard in order, by `compile_docs`: the same bytes as `compile_shards`."""
    _write(map(_read_compiled, map(CompiledCorpus, parts)), path / FOLDER, _stamp(path))


def open_compiled(path: Path, vocab: Vocab) -> CompiledCorpus:
    """The compiled form of shards; where there is none that belongs to them, a temporary one."""
    folder = path / FOLDER
    # There may be none, or it may be damaged.
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        if srsly.read_json(folder / HEADER)["stamp"] == _stamp(path):
            return CompiledCorpus(folder)
    return compile_temporarily(docbin.read_shards(path, vocab))


def compile_temporarily(docs: Iterable[Doc]) -> CompiledCorpus:
    """Compile Docs into a temporary folder that is removed when the corpus is no longer used."""
    parent = Path(tempfile.mkdtemp(prefix="spacy-thematic-"))
    try:
        compile_docs(_show(docs), parent / FOLDER)
        corpus = CompiledCorpus(parent / FOLDER)
    except BaseException:
        shutil.rmtree(parent, ignore_errors=True)
        raise
    weakref.finalize(corpus, shutil.rmtree, parent, ignore_errors=True)
    return corpus


def _show(docs: Iterable[Doc]) -> Iterable[Doc]:
    return show_bar(iterable=docs, desc="Compiling", unit=" articles")


def _stamp(path: Path) -> list[Any]:
    """What tells shards from others: their names, sizes and last bytes."""
    stamp: list[Any] = [_FORMAT]
    for shard in docbin.find_shards(path):
        size = shard.stat().st_size
        with shard.open("rb") as file:
            file.seek(max(0, size - 4096))
            stamp.append([shard.name, size, blake2b(file.read(), digest_size=8).hexdigest()])
    return stamp


# Articles that are to be written: columns as in the files, but with counts in place of starts; and
# what the numbers of some columns stand for, in the order of their first occurrence.
_Block = tuple[dict[str, np.ndarray], dict[str, list[str]]]


def _read_doc(doc: Doc) -> _Block:
    spans, triplets = docbin.read_article(doc)
    about = doc.spans[docbin.SENTENCES].attrs
    paragraphs = list(about.get("paragraphs", []))
    paragraphs += [-1] * (len(spans) - len(paragraphs))
    if docbin.OTHERS in doc.spans:
        spans += doc.spans[docbin.OTHERS]
        paragraphs += doc.spans[docbin.OTHERS].attrs["paragraphs"]
    groups = (doc.spans.get(key, ()) for key in _KINDS)
    last_ends = [max((span.end for span in group), default=0) for group in groups]
    bounds = np.array([(span.start, span.end) for span in spans], int).reshape(-1, 2)
    sizes = bounds[:, 1] - bounds[:, 0]
    tokens = doc.to_array([ORTH, SPACY]).reshape(-1, 2)[count_from(bounds[:, 0], sizes)]
    forms, words = _number(tokens[:, 0])
    labels, headings = _number(np.array([span.label for span in spans], "uint64"))
    strings = doc.vocab.strings
    columns = {
        "words": words,
        "spaces": tokens[:, 1],
        "word_starts": sizes,
        "sections": np.array([span.id for span in spans], int),
        "headings": headings,
        "paragraphs": np.array(paragraphs, int),
        "kinds": np.searchsorted(np.maximum.accumulate(last_ends), bounds[:, 1]),
        "row_starts": np.array([len(spans)]),
        "triplets": triplets.ravel(),
        "triplet_starts": np.array([len(triplets)]),
        "sizes": np.array([len(doc)]),
        "sources": np.zeros(1, int),
    }
    names = {
        "words": [strings[form] for form in forms],
        "headings": [strings[label] for label in labels],
        "sources": [about.get("source", "")],
        "languages": [about.get("lang", "")],
    }
    return columns, names


def _number(values: np.ndarray) -> tuple[list[int], np.ndarray]:
    """The distinct values in the order of their first occurrence, and the number of each."""
    distinct, firsts, numbers = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    return distinct[order].tolist(), np.argsort(order)[numbers]


def _read_compiled(corpus: CompiledCorpus) -> _Block:
    columns = dict(zip(_TYPES, corpus.read_columns(*_TYPES)))
    columns |= {name: np.diff(columns[name]) for name in _STARTS}
    names = {
        "words": corpus.forms,
        "headings": corpus.headings,
        "sources": corpus.sources,
        "languages": corpus.languages,
    }
    return columns, names


def _write(blocks: Iterable[_Block], folder: Path, stamp: Any) -> None:
    write_folder(folder, lambda new: _fill(blocks, new, stamp), HEADER, "a compiled corpus")


def _fill(blocks: Iterable[_Block], folder: Path, stamp: Any) -> None:
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    ends = dict.fromkeys(_STARTS, 0)
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / name).open("wb")) for name in _TYPES}

        def write(name: str, values: np.ndarray) -> None:
            files[name].write(values.astype(_TYPES[name]).tobytes())

        for name in _STARTS:
            write(name, np.zeros(1))
        for columns, names in blocks:
            for name, own in names.items():
                seen = numbers[name]
                of_own = np.array([seen.setdefault(one, len(seen)) for one in own], int)
                if name in columns:
                    columns[name] = of_own[columns[name]]
            for name, column in columns.items():
                if name in ends:
                    bounds = np.cumsum([ends[name], *column])
                    ends[name] = int(bounds[-1])
                    column = bounds[1:]
                write(name, column)
    header = {
        "stamp": stamp,
        "languages": sorted(filter(None, numbers["languages"])),
        "forms": list(numbers["words"]),
        "headings": list(numbers["headings"]),
        "sources": list(numbers["sources"]),
    }
    srsly.write_json(folder / HEADER, header, indent=0)
