"""Reading articles: the package's own JSONL, and any known format told by its content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from spacy.util import registry

from .article import Article
from .lines import MAX_LINE, bad_record, read_lines
from .mediawiki import create_mediawiki_dump_reader
from .reading import Reader, ReadLog, SourceError, check_exists, open_source

_HEAD_BYTES = 1 << 16


@registry.readers("spacy-thematic.ArticleJSONL.v1")
def create_article_jsonl_reader(skip_bad: bool = False) -> Reader:
    """A reader of one `Article.to_dict` record a line, plain or compressed.

    The reader raises SourceError, naming the line, at a line that is no article; with
    `skip_bad` it counts the line as "bad record" and goes on. Blank lines are passed over.
    """

    def read(path: Path, log: ReadLog) -> Iterator[Article]:
        for number, line in read_lines(path, log):
            try:
                article = parse_record(line)
            except ValueError as error:
                bad_record(path, f"line {number}", f"not an article: {error}", log, skip_bad)
                continue
            log.articles += 1
            yield article

    return read


def parse_record(line: bytes) -> Article:
    """Read one line of JSONL. Raises ValueError, saying what is wrong with it."""
    article = Article.from_dict(parse_json(line))
    if b"\\u" in line:
        check_text(article)
    return article


def parse_json(line: bytes) -> object:
    """Decode one JSON value. Raises ValueError, saying what is wrong with it."""
    if len(line) > MAX_LINE:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    try:
        return json.loads(line.decode("utf8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 ({error.reason} at byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at character {error.pos})") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def check_text(article: Article) -> None:
    """Raise ValueError if an article holds what no text can: NUL or half a surrogate pair."""
    for section in article.sections:
        for text in (article.title, article.source, section.title, *section.paragraphs):
            if "\0" in text:
                raise ValueError("a NUL character")
            try:
                text.encode("utf8")
            except UnicodeEncodeError as error:
                raise ValueError(f"half a surrogate pair at character {error.start}") from error


@dataclass(frozen=True)
class Format:
    """A format of articles: how it is recognised and how it is read.

    sniff: given the path and the first bytes after decompression (none for a folder),
        whether this is the format.
    create: makes the reader, given `skip_bad`.
    """

    name: str
    description: str
    sniff: Callable[[Path, bytes], bool]
    create: Callable[[bool], Reader]


def _is_dump(path: Path, head: bytes) -> bool:
    return b"<mediawiki" in head[:2000]


def _is_jsonl(path: Path, head: bytes) -> bool:
    return head.startswith(b"{") and b'"sections"' in head


FORMATS = [
    Format(
        "mediawiki", "MediaWiki pages-articles XML dump", _is_dump, create_mediawiki_dump_reader
    ),
    Format("jsonl", "one article a line as JSON", _is_jsonl, create_article_jsonl_reader),
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
    path = check_exists(path)
    chosen = find_format(path) if format == "auto" else _named_format(format)
    return chosen.create(skip_bad)(path, ReadLog() if log is None else log)


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
