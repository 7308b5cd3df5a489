"""Reading articles of any known format, recognised by content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Union

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.html import create_html_reader, is_html
from spacy_thematic.articles.json_records import create_article_jsonl_reader
from spacy_thematic.articles.markdown import create_markdown_reader, is_markdown
from spacy_thematic.articles.mediawiki import Page, create_mediawiki_dump_reader, read_pages
from spacy_thematic.articles.segment_wiki import create_segment_wiki_reader
from spacy_thematic.articles.sentence_clustering import COLUMNS as CLUSTERING_COLUMNS
from spacy_thematic.articles.sentence_clustering import create_sentence_clustering_reader
from spacy_thematic.articles.sources import Reader, ReadLog, SourceError, check_exists, open_source
from spacy_thematic.articles.triplets_csv import COLUMNS as TRIPLET_COLUMNS
from spacy_thematic.articles.triplets_csv import (
    TripletGroup,
    is_section_triplets,
    read_triplet_groups,
    refuse_as_articles,
)
from spacy_thematic.articles.wikisection import create_wikisection_reader
from spacy_thematic.articles.wikitext_lm import create_wikitext_lm_reader

_HEAD_BYTES = 1 << 16


Record = Union[Article, Page, TripletGroup]
"""An article; a page of wikitext, which a worker turns into one; or triplets without articles."""


@dataclass(frozen=True)
class Format:
    """A format of articles: how it is recognised and how it is read.

    sniff: given the path and the first bytes after decompression (none for a folder),
        whether this is the format.
    create: makes the reader of articles, given `skip_bad`.
    read_records: given the path, the log and `skip_bad`, yields what `thematic corpus` takes in the
        place of articles, if there is such.
    """

    name: str
    description: str
    sniff: Callable[[Path, bytes], bool]
    create: Callable[[bool], Reader]
    read_records: Callable[[Path, ReadLog, bool], Iterator[Record]] | None = None


def _is_dump(path: Path, head: bytes) -> bool:
    return b"<mediawiki" in head[:2000]


def _is_jsonl(path: Path, head: bytes) -> bool:
    return head.startswith(b"{") and b'"sections"' in head


def _is_segment_wiki(path: Path, head: bytes) -> bool:
    return head.startswith(b"{") and b'"section_texts"' in head


def _is_wikisection(path: Path, head: bytes) -> bool:
    return head.startswith(b"[") and b'"annotations"' in head


def _is_sentence_clustering(path: Path, head: bytes) -> bool:
    header = head.partition(b"\n")[0].lower()
    return b"," in header and b"article title" in header and b"sentence" in header


def _is_wikitext_lm(path: Path, head: bytes) -> bool:
    return re.match(rb"= [^=\s][^\n]* = ?\r?\n", head) is not None


FORMATS = [
    Format(
        "mediawiki",
        "MediaWiki pages-articles XML dump",
        _is_dump,
        create_mediawiki_dump_reader,
        read_pages,
    ),
    Format(
        "segment_wiki", "gensim segment_wiki output", _is_segment_wiki, create_segment_wiki_reader
    ),
    Format("jsonl", "one article a line as JSON", _is_jsonl, create_article_jsonl_reader),
    Format("wikisection", "WikiSection JSON", _is_wikisection, create_wikisection_reader),
    Format(
        "sentence_clustering",
        f"CSV of the Sentence Clustering Benchmark (columns {', '.join(CLUSTERING_COLUMNS)})",
        _is_sentence_clustering,
        create_sentence_clustering_reader,
    ),
    Format(
        "section_triplets",
        f"CSV of the Wikipedia-sections triplets (columns {', '.join(TRIPLET_COLUMNS)}), or the "
        "folder of its three files",
        is_section_triplets,
        refuse_as_articles,
        read_triplet_groups,
    ),
    Format("wikitext", "WikiText corpus", _is_wikitext_lm, create_wikitext_lm_reader),
    Format("markdown", "Markdown file or folder of them", is_markdown, create_markdown_reader),
    Format("html", "HTML file or folder of them", is_html, create_html_reader),
]
"""The known formats. The first whose sniff says yes reads the source."""


def read_articles(
    path: Path,
    *,
    format: str = "auto",
    skip_bad: bool = False,
    log: ReadLog | None = None,
) -> Iterator[Article]:
    """Yield the articles of a file or folder.

    format: the name of a format in `FORMATS`, or "auto" to recognise it by content.
    skip_bad: count records that cannot be used, and go on, rather than raise.
    log: filled in while reading.

    Raises SourceError if the source cannot be used or its format is not known.
    """
    log = ReadLog() if log is None else log
    return _choose_format(path, format).create(skip_bad)(path, log)


def read_records(
    path: Path, *, format: str = "auto", skip_bad: bool = False, log: ReadLog
) -> Iterator[Record]:
    """As `read_articles`, but the pages of a dump come as wikitext, for parsing them, with
    `Page.to_article`, is the costly part and can be shared out to processes; and released triplets
    can be read. A compressed source that breaks off raises SourceError at its end, unless
    `skip_bad`."""
    chosen = _choose_format(path, format)
    if chosen.read_records is not None:
        records = chosen.read_records(path, log, skip_bad)
    else:
        records = chosen.create(skip_bad)(path, log)
    return records if skip_bad else _refuse_a_break(records, log)


def _refuse_a_break(records: Iterator[Record], log: ReadLog) -> Iterator[Record]:
    yield from records
    if log.truncated:
        raise SourceError(
            f"{log.break_message}. Fetch it again, or use what comes before by --skip-bad"
        )


def _choose_format(path: Path, format: str) -> Format:
    check_exists(path)
    return find_format(path) if format == "auto" else _named_format(format)


def find_format(path: Path) -> Format:
    """Recognise the format of a file or folder. Raises SourceError if it is none we know."""
    head = b""
    if not path.is_dir():
        with open_source(path, ReadLog()) as stream:
            while len(head) < _HEAD_BYTES and (data := stream.read1(_HEAD_BYTES)):
                head += data
        head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not head:
            raise SourceError(f"{path} is empty: expected articles. Check the file")
    for entry in FORMATS:
        if entry.sniff(path, head):
            return entry
    found = "a folder" if path.is_dir() else f"a file that starts with {head[:40]!r}"
    raise SourceError(
        f"{path} is {found}: none of the known formats ({_known_formats()}). "
        "Convert it to one of them, or name the format if it was not recognised"
    )


def _named_format(name: str) -> Format:
    for entry in FORMATS:
        if entry.name == name:
            return entry
    raise SourceError(f'There is no format "{name}": choose "auto" or one of {_known_formats()}')


def _known_formats() -> str:
    return ", ".join(f'"{entry.name}": {entry.description}' for entry in FORMATS)


__all__ = [
    "FORMATS",
    "Format",
    "Record",
    "create_article_jsonl_reader",
    "find_format",
    "read_articles",
    "read_records",
]
