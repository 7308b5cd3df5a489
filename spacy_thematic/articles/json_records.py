"""JSON records: one a line, or the members of one array."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Callable

from spacy.util import registry

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.lines import MAX_LINE, bad_record, read_lines
from spacy_thematic.articles.sources import Reader, ReadLog, SourceError, open_source


@registry.readers("spacy-thematic.ArticleJSONL.v1")
def create_article_jsonl_reader(skip_bad: bool = False) -> Reader:
    """A reader of one `Article.to_dict` record a line, plain or compressed.

    The reader raises SourceError, naming the line, at a line that is no article; with
    `skip_bad` it counts the line as "bad record" and goes on. Blank lines are passed over.
    """
    return make_lines_reader(Article.from_dict, skip_bad)


def make_lines_reader(to_article: Callable[[Any], Article], skip_bad: bool) -> Reader:
    """A reader of JSON lines, of which `to_article` makes articles or raises ValueError."""
    return _make_reader(read_lines, "line", lambda line: to_article(parse_json(line)), skip_bad)


def make_array_reader(to_article: Callable[[Any], Article], skip_bad: bool) -> Reader:
    """A reader of one JSON array, of whose members `to_article` makes articles."""
    read_members = partial(_read_array, skip_bad=skip_bad)
    return _make_reader(read_members, "record", to_article, skip_bad)


def _make_reader(
    read_records: Callable[[Path, ReadLog], Iterator[tuple[int, Any]]],
    name: str,
    to_article: Callable[[Any], Article],
    skip_bad: bool,
) -> Reader:
    """A reader of numbered records. name: what a record is called in messages."""

    def read(path: Path, log: ReadLog) -> Iterator[Article]:
        for number, record in read_records(path, log):
            try:
                article = to_article(record)
                check_text(article)
            except ValueError as error:
                bad_record(path, f"{name} {number}", f"not an article: {error}", log, skip_bad)
                continue
            log.articles += 1
            yield article

    return read


_SEPARATOR = re.compile(r"\s*,?\s*")


def _read_array(path: Path, log: ReadLog, skip_bad: bool) -> Iterator[tuple[int, Any]]:
    """Yield (number from 1, member) for the members of an array, holding one at a time.

    Past malformed JSON there is no telling where the next member starts: reading ends there,
    with SourceError unless `skip_bad`.
    """
    decoder = json.JSONDecoder()
    with open_source(path, log) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
        buffer = text.read(_CHUNK).lstrip()
        if not buffer.startswith("["):
            raise SourceError(f"{path} starts with {buffer[:40]!r}: expected a JSON array")
        position = 1
        number = 1
        while True:
            position = _SEPARATOR.match(buffer, position).end()  # type: ignore[union-attr]
            try:
                member, position = decoder.raw_decode(buffer, position)
            except (json.JSONDecodeError, RecursionError) as error:
                held = buffer[position:]
                # Doubling what is held keeps the time linear in the length of a member.
                more = text.read(max(len(held), _CHUNK)) if len(held) < MAX_LINE else ""
                if more:
                    buffer, position = held + more, 0
                    continue
                if held.startswith("]") or log.truncated:
                    return
                reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested deeply"
                found = f"not JSON ({reason})"
                if isinstance(error, json.JSONDecodeError) and _breaks_off(error):
                    found += ": the file breaks off"
                bad_record(path, f"record {number}", found, log, skip_bad)
                log.truncated = True
                return
            yield number, member
            number += 1


_CHUNK = 1 << 16


def _breaks_off(error: json.JSONDecodeError) -> bool:
    """Whether JSON is wrong only in that it ends too early."""
    return error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")


def parse_json(line: bytes) -> object:
    """Decode one JSON value. Raises ValueError, saying what is wrong with it."""
    if len(line) > MAX_LINE:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    try:
        return json.loads(line.decode("utf8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 ({error.reason} at byte {error.start})") from error
    except json.JSONDecodeError as error:
        end = "" if line.endswith(b"\n") or not _breaks_off(error) else ": the file breaks off"
        raise ValueError(f"not JSON ({error.msg} at character {error.pos}){end}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def check_text(article: Article) -> None:
    """Raise ValueError if an article holds what no text can: NUL or half a surrogate pair."""
    texts = [article.title, article.source]
    for section in article.sections:
        texts += [section.title, *section.paragraphs]
    for text in texts:
        if "\0" in text:
            raise ValueError("a NUL character")
        try:
            text.encode("utf8")
        except UnicodeEncodeError as error:
            raise ValueError(f"half a surrogate pair at character {error.start}") from error
