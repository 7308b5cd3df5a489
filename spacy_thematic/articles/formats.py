"""Reading articles of any known format, recognised by content."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.html import is_html, read_html
from spacy_thematic.articles.json_records import read_article_jsonl
from spacy_thematic.articles.markdown import is_markdown, read_markdown
from spacy_thematic.articles.mediawiki import (
    Page,
    find_dump_language,
    is_dump,
    read_mediawiki_dump,
    read_pages,
)
from spacy_thematic.articles.sentence_clustering import COLUMNS as CLUSTERING_COLUMNS
from spacy_thematic.articles.sentence_clustering import read_sentence_clustering
from spacy_thematic.articles.sources import (
    Reader,
    ReadLog,
    SourceError,
    open_source,
    resolve_source,
)

_HEAD_BYTES = 1 << 16


Record = Article | Page
"""An article; or a page of wikitext, which a worker turns into one."""


@dataclass(frozen=True)
class Format:
    """A format of articles: how it is recognised and how it is read.

    Attributes:
        sniff: Recognises it, given the path and the first bytes after decompression (empty for a
            folder).
        read_records: Yields what `thematic corpus` takes instead of articles; None if it takes
            the articles.
    """

    name: str
    description: str
    sniff: Callable[[Path, bytes], bool]
    read: Reader
    read_records: Callable[[Path, ReadLog, bool], Iterator[Record]] | None = None


def _is_dump(path: Path, head: bytes) -> bool:
    return is_dump(head)


def _is_jsonl(path: Path, head: bytes) -> bool:
    return head.startswith(b"{") and b'"sections"' in head


def _is_sentence_clustering(path: Path, head: bytes) -> bool:
    header = head.partition(b"\n")[0].lower()
    return b"," in header and b"article title" in header and b"sentence" in header


FORMATS = [
    Format(
        "mediawiki",
        "MediaWiki pages-articles XML dump",
        _is_dump,
        read_mediawiki_dump,
        read_pages,
    ),
    Format("jsonl", "one article a line as JSON", _is_jsonl, read_article_jsonl),
    Format(
        "sentence_clustering",
        f"CSV of the Sentence Clustering Benchmark (columns {', '.join(CLUSTERING_COLUMNS)})",
        _is_sentence_clustering,
        read_sentence_clustering,
    ),
    Format("markdown", "Markdown file or folder of them", is_markdown, read_markdown),
    Format("html", "HTML file or folder of them", is_html, read_html),
]
"""The known formats. The first that recognises a source reads it."""


def read_articles(
    path: Path, *, skip_bad: bool = False, log: ReadLog | None = None
) -> Iterator[Article]:
    """Yield the articles of a file, plain or compressed, or of a folder. `skip_bad` counts and
    skips unusable records. Raises SourceError if the source cannot be used or its format is
    unknown."""
    log = ReadLog() if log is None else log
    return find_format(path).read(path, log, skip_bad)


def read_records(path: Path, *, skip_bad: bool = False, log: ReadLog) -> Iterator[Record]:
    """Yield the records of a file or folder from which a corpus is made.

    Unlike `read_articles`, this yields the pages of a dump as wikitext, since parsing them with
    `Page.to_article` is the costly part and can be shared by several processes. Raises SourceError
    as `read_articles` does; and, unless `skip_bad`, at the end of a compressed source that breaks
    off."""
    chosen = find_format(path)
    read = chosen.read_records or chosen.read
    records = read(path, log, skip_bad)
    return records if skip_bad else _refuse_a_break(records, log)


def _refuse_a_break(records: Iterator[Record], log: ReadLog) -> Iterator[Record]:
    yield from records
    if log.truncated:
        raise SourceError(
            f"{log.break_message}. Download it again, or use what comes before it with --skip-bad"
        )


def find_format(path: Path) -> Format:
    """Recognise the format of a file or folder. Raises SourceError if the file is empty or the
    format is unknown."""
    head = _read_head(resolve_source(path))
    if not head and not (path.is_dir() and any(path.iterdir())):
        raise SourceError(f"{path} is empty: expected articles. Check the path")
    for entry in FORMATS:
        if entry.sniff(path, head):
            return entry
    if path.name.lower().endswith(".txt"):
        raise SourceError(
            f"{path} is plain text, which has no sections: expected articles with headings, such "
            f"as Markdown, HTML or a dump. Known formats: {_known_formats()}"
        )
    found = "a folder" if path.is_dir() else f"a file that starts with {head[:40]!r}"
    raise SourceError(
        f"Cannot recognise the format of {path}, {found}. Known formats: {_known_formats()}. "
        "Convert it to one of them, or give plain text the ending .txt. Of WikiSection, "
        "WikiText and segment_wiki, which are no longer read, "
        "projects/pretrain/scripts/dataset_articles.py makes JSONL, and of the Wikipedia-sections "
        "triplets projects/papers/scripts/released_triplets.py makes a corpus"
    )


def find_language(path: Path) -> str:
    """The code of the language that a source says it is in: dumps alone say it; else "". Raises
    SourceError if the source cannot be read."""
    head = _read_head(resolve_source(path))
    return find_dump_language(head) if is_dump(head) else ""


def choose_language(option: str, source: Path, default: str) -> tuple[str, str]:
    """Return the language of a source: the one that is asked for, else what the source says, else
    the default; and a warning if the source says another than is asked for, else "". Raises
    SourceError if the source cannot be read."""
    said, warning = find_language(source), ""
    if option and said not in ("", option):
        warning = f'{source} says that its language is "{said}"; --lang {option} is used'
    return option or said or default, warning


def starts_with_record(path: Path) -> bool:
    """Whether a file begins as a JSON object does. Raises SourceError if the file cannot be
    read."""
    return re.match(rb'\{\s*"', _read_head(path)) is not None


def _read_head(path: Path) -> bytes:
    """The first bytes after decompression, none of a folder. A pipe is read from there again."""
    head = b""
    if path.is_dir():
        return head
    with open_source(path, ReadLog(), is_head=True) as stream:
        while len(head) < _HEAD_BYTES and (data := stream.read1(_HEAD_BYTES)):
            head += data
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()


def _known_formats() -> str:
    return ", ".join(f'"{entry.name}": {entry.description}' for entry in FORMATS)
