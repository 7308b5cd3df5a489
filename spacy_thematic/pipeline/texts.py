"""The texts that a user names: plain text, Markdown, JSONL, CSV, Parquet, folders, or articles;
and the Docs that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.articles import html, markdown
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.csv_records import read_csv_texts
from spacy_thematic.articles.documents import decode, find_files
from spacy_thematic.articles.file_parts import FilePart, read_part_lines
from spacy_thematic.articles.formats import find_format, read_articles, starts_with_record
from spacy_thematic.articles.json_records import check_text, parse_json
from spacy_thematic.articles.lines import bad_record, read_lines
from spacy_thematic.articles.parquet_rows import read_parquet_texts
from spacy_thematic.articles.sources import ReadLog, SourceError, check_exists, open_source
from spacy_thematic.clustering.dates import find_date
from spacy_thematic.files import readable
from spacy_thematic.sentences import tokenizing
from spacy_thematic.span_keys import SECTIONS_KEY

_COMPRESSED = ("", ".gz", ".bz2", ".xz")
_TEXT = tuple(kind + ending for kind in (".txt", ".text", ".vtt", ".srt") for ending in _COMPRESSED)
_JSONL = tuple(f".jsonl{ending}" for ending in _COMPRESSED)
_CSV = tuple(kind + ending for kind in (".csv", ".tsv") for ending in _COMPRESSED)
PROSE_SUFFIXES = (*_TEXT, *markdown.SUFFIXES, *html.SUFFIXES)
"""Files of one text."""
SUFFIXES = (*PROSE_SUFFIXES, *_JSONL, ".parquet")
"""What is read from a folder. A file that is named itself may have any name."""

_MOST_CHARACTERS = 100_000_000
_SHOWN = 40
_BREAK = "\n\n"
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass
class NamedText:
    """A text, its paragraphs, and the title of each paragraph's section, "" if it is in none.

    Attributes:
        number: Of its line or row in the file, or of the article, from 1.
        date: ISO 8601, "" where none is given.
    """

    name: str
    paragraphs: list[str]
    sections: list[str] = field(default_factory=list)
    number: int = 1
    date: str = ""


def read_texts(paths: Iterable[Path], log: ReadLog, skip_bad: bool = False) -> Iterator[NamedText]:
    """Read the texts of files and folders.

    A `.txt` file, subtitles as `.vtt` or `.srt`, and a file without ending whose format is not
    known, are one text with blank lines between paragraphs. A line of `.jsonl`, and of a pipe or a
    file without ending that begins as JSON does, is an article, or a record with "text" and perhaps
    "title"; a row of `.parquet`, and of `.csv` or `.tsv` that is
    named itself, has these as columns. All may have a "date"; what is not in ISO 8601 there is
    passed over, and counted in the log. Everything else is a source of articles, as for
    `read_articles`.

    Args:
        paths: Files, and folders, whose files are sorted by name. No file is read twice.
        log: Notes what was read, and what could not be.
        skip_bad: Whether to skip what cannot be read.

    Yields:
        Texts that hold a word.

    Raises:
        SourceError: For what cannot be read. It names the file and the line.
    """
    for file in iter_files(paths, SUFFIXES, log, skip_bad):
        yield from read_part(FilePart(file), log, skip_bad)


def read_part(part: FilePart, log: ReadLog, skip_bad: bool = False) -> Iterator[NamedText]:
    """Read the texts of a file, or of some of its lines or rows, as `read_texts` does."""
    log.truncated = False
    try:
        for text in _read_part(part, log, skip_bad):
            if any(map(str.strip, text.paragraphs)):
                yield text
        if log.truncated and not skip_bad:
            raise SourceError(
                f"{log.break_message}. Fetch it again, or take what came before with --skip-bad"
            )
    except SourceError as error:
        if not skip_bad:
            raise
        log.skip("bad file", str(error), part.path)


def iter_files(
    paths: Iterable[Path],
    suffixes: tuple[str, ...],
    log: ReadLog | None = None,
    skip_bad: bool = False,
) -> Iterator[Path]:
    """Yield the files that are named, whatever their names, and those in folders, none twice.

    Args:
        paths: Files, and folders, whose files are sorted by name.
        suffixes: Of the files to take from folders.
        log: Notes what of a folder cannot be read.
        skip_bad: Whether to skip that.

    Raises:
        SourceError: If a path does not exist, a folder has no such file or, unless `skip_bad`, one
            in it cannot be read.
    """
    seen: set[Path] = set()
    for path in paths:
        files = [check_exists(path)]
        if path.is_dir():
            files = list(find_files(path, suffixes, log, skip_bad))
            if not files:
                raise SourceError(f"{path} holds no file that ends in {', '.join(suffixes)}")
        for file in files:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def allow_long_texts(nlp: Language) -> None:
    """Raise the limit on the length of a text, which is there for the memory that a parser or an
    entity recognizer needs, in a pipeline without them."""
    if not {"parser", "ner"} & {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}:
        nlp.max_length = _MOST_CHARACTERS


def make_doc(nlp: Language, text: NamedText) -> Doc:
    """Make a Doc of the paragraphs, with blank lines between, in which each starts a sentence. If
    sections have titles, `doc.spans["sections"]` has a span for each paragraph. The name is
    `doc._.thematic_title`, the date `doc._.thematic_date`.

    Raises:
        ValueError: If the text is longer than `nlp.max_length`.
    """
    joined = _BREAK.join(text.paragraphs)
    if len(joined) > nlp.max_length:
        raise ValueError(
            f'The text "{text.name}" has {len(joined):,} characters, more than the '
            f"{nlp.max_length:,} of nlp.max_length: split it."
        )
    doc = tokenizing.make_doc(nlp, joined)
    doc._.thematic_title = text.name
    if text.date:
        doc._.thematic_date = text.date
    spans: list[Span] = []
    starts = np.zeros(len(doc), np.int64)
    start = 0
    for paragraph, title in zip(text.paragraphs, text.sections or [""] * len(text.paragraphs)):
        end = start + len(paragraph)
        span = doc.char_span(start, end, label=title, alignment_mode="expand")
        if span is not None:
            starts[spans[-1].end if spans else 0 : span.start] = -1
            starts[span.start] = 1
            spans.append(span)
        start = end + len(_BREAK)
    if spans:
        # All at once: each assignment to `is_sent_start` looks through the whole Doc.
        doc.from_array(["SENT_START"], starts.astype(np.uint64))
    if any(span.label for span in spans):
        doc.spans[SECTIONS_KEY] = SpanGroup(doc, name=SECTIONS_KEY, spans=spans)
    return doc


def _read_part(part: FilePart, log: ReadLog, skip_bad: bool) -> Iterator[NamedText]:
    path, name = part.path, part.path.name.lower()
    is_unknown = not path.suffix and not _has_format(path)
    if name.endswith(_JSONL) or (is_unknown and starts_with_record(path)):
        yield from _read_records(part, log, skip_bad)
    elif name.endswith(_TEXT) or is_unknown:
        yield _read_plain(path, log)
    elif name.endswith(".parquet"):
        rows = read_parquet_texts(path, part.start, part.stop)
        yield from _read_rows(part, rows, log, skip_bad)
    elif name.endswith(_CSV) and not _has_format(path):
        yield from _read_rows(part, read_csv_texts(path, log, skip_bad), log, skip_bad)
    else:
        if name.endswith(markdown.SUFFIXES):
            articles = markdown.read_markdown(path, log, skip_bad, lists=True)
        elif name.endswith(html.SUFFIXES):
            articles = html.read_html(path, log, skip_bad, lists=True)
        else:
            articles = read_articles(path, log=log, skip_bad=skip_bad)
        for number, article in enumerate(articles, start=1):
            yield _from_article(article, number)


def _has_format(path: Path) -> bool:
    try:
        find_format(path)
    except SourceError:
        return False
    return True


def _read_plain(path: Path, log: ReadLog) -> NamedText:
    with open_source(path, log) as stream:
        content = stream.read()
    try:
        text = decode(content)
    except ValueError as error:
        raise SourceError(
            f"{path} is not UTF-8 text: {error}. Convert it, or skip it with --skip-bad"
        ) from error
    return NamedText(_stem(path), _split_paragraphs(text))


def _read_records(part: FilePart, log: ReadLog, skip_bad: bool) -> Iterator[NamedText]:
    path = part.path
    lines = read_lines(path, log) if part.stop is None else read_part_lines(part)
    for number, line in lines:
        try:
            article, date = _parse_record(line, _default_name(path, number))
        except ValueError as error:
            bad_record(path, f"line {number}", str(error), log, skip_bad)
        else:
            yield _from_article(article, number, _read_date(date, log))


def _read_rows(
    part: FilePart,
    rows: Iterable[tuple[Any, ...]],
    log: ReadLog,
    skip_bad: bool,
) -> Iterator[NamedText]:
    path = part.path
    for number, (text, title, date) in enumerate(rows, start=part.first):
        try:
            if text is None:
                raise ValueError("there is no text")
            article = _make_article(text, title, _default_name(path, number))
        except ValueError as error:
            bad_record(path, f"row {number}", str(error), log, skip_bad)
        else:
            yield _from_article(article, number, _read_date(date, log))


def _default_name(path: Path, number: int) -> str:
    return f"{_stem(path)} {number}"


def _stem(path: Path) -> str:
    return readable(path.name.split(".")[0])


def _parse_record(line: bytes, name: str) -> tuple[Article, object]:
    """An article, and its date, if any."""
    record = parse_json(line)
    if isinstance(record, dict) and "sections" in record:
        article = Article.from_dict(record)
        check_text(article)
        return article, record.get("date")
    if isinstance(record, dict) and isinstance(record.get("text"), str):
        return _make_article(record["text"], record.get("title"), name), record.get("date")
    raise ValueError('expected an object with a "text", or an article with "sections"')


def _make_article(text: str, title: object, name: str) -> Article:
    """An article without sections, called `name` where it has no title."""
    if isinstance(title, str) and title.strip():
        name = title
    article = Article(name, "", [Section("", 1, _split_paragraphs(text))])
    check_text(article)
    return article


def _read_date(value: object, log: ReadLog) -> str:
    date = find_date(value)
    if value not in (None, "") and not date:
        log.bad_date = log.bad_date or repr(value)[:_SHOWN]
        log.bad_dates += 1
    return date


def _from_article(article: Article, number: int, date: str = "") -> NamedText:
    pairs = [
        (paragraph, section.title)
        for section in article.sections
        for paragraph in section.paragraphs
    ]
    paragraphs, titles = [paragraph for paragraph, _ in pairs], [title for _, title in pairs]
    return NamedText(article.title, paragraphs, titles, number, date)


def _split_paragraphs(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").strip()
    return _BLANK_LINES.split(text) if text else []
