"""JSON records: one in each line, or the members of one array."""

import codecs
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.csv_records import SAMPLE, USUAL, choose_text, count_words
from spacy_thematic.articles.sources import (
    CHUNK,
    MAX_LINE,
    Lists,
    ReadLog,
    SourceError,
    bad_record,
    list_names,
    open_source,
    read_lines,
)

_EXPECTED = 'expected an array of records such as {"title": ..., "text": ...}, or an object of them'
_SEPARATOR = re.compile(r"\s*,?\s*")


def read_article_jsonl(path: Path, log: ReadLog, lists: Lists = False) -> Iterator[Article]:
    """Yield the articles of lines with one `Article.to_dict` record each, plain or compressed.
    Blank lines are skipped. Raises SourceError, which names the line, at one that is not an
    article, unless the log skips it."""
    for number, line in read_lines(path, log):
        try:
            article = Article.from_dict(parse_json(line))
            check_text(article)
        except ValueError as error:
            bad_record(path, f"line {number}", f"not an article: {error}", log)
            continue
        log.articles += 1
        yield article


def name_texts(
    records: Iterator[tuple[int, Any]], path: Path, log: ReadLog, text: str
) -> Iterator[tuple[int, Any]]:
    """Yield numbered records, lines or parsed. Where none of the first has a field "text", and no
    other is asked for, it is the one with most words, as in `read_csv_texts`; the log notes
    which."""
    sample = [*islice(records, SAMPLE)]
    name = _choose_field([_parse_line(one) for _, one in sample], text)
    if name is None:
        yield from chain(sample, records)
        return
    log.note_of(
        path, f'the field "{list_names([name])}" is read as the text, for it has most words'
    )
    for number, record in chain(sample, records):
        found = _parse_line(record)
        if isinstance(found, dict) and name in found:
            found[text] = found.pop(name)
        yield number, record if found is None else found


def _choose_field(records: Sequence[Any], text: str) -> str | None:
    """The field of the texts of some records where none has one that is called so."""
    objects = [record for record in records if isinstance(record, dict)]
    if text != USUAL.text or any(_has_text(record, text) for record in objects):
        return None
    n_words: Counter[str] = Counter()
    for record in objects:
        n_words += {name: count_words(own) for name, own in record.items() if isinstance(own, str)}
    return choose_text(n_words, len(records))


def _parse_line(record: Any) -> Any:
    """A record, also if it is a line of JSON; None if it is none."""
    with suppress(ValueError):
        return parse_json(record) if isinstance(record, bytes) else record
    return None


def read_json_records(path: Path, log: ReadLog, text: str = "text") -> Iterator[tuple[int, Any]]:
    """Yield (number from 1, record) for the members of one array; or, of one object, for itself, if
    it has a text or "sections", else for its members, and those of the arrays in it that have one;
    or, if none has, for those of the only array one level below that has; or for those in which
    `name_texts` will find most words. Of JSON lines, yield each line as it is. text: The field of
    the texts. Raises SourceError if the file is neither or, unless the log skips it, is not
    JSON."""
    with open_source(path, log) as stream:
        if stream.peek(CHUNK).removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"[":
            yield from _read_array(stream, path, log)
            return
        try:
            found = parse_json(stream.read(MAX_LINE + 1).removeprefix(codecs.BOM_UTF8))
        except ValueError as error:
            if "Extra data" in str(error):
                yield from read_lines(path, log)
            else:
                bad_record(path, "whole file", str(error), log)
            return
    if not isinstance(found, dict):
        raise SourceError(f"{path} is a JSON {type(found).__name__}: {_EXPECTED}")
    records = [found]
    if not _has_text(found, text):
        lists = {name: _list_objects(value) for name, value in found.items()}
        lists[""] = [value for value in found.values() if isinstance(value, dict)]
        below = {
            f"{name}.{inner}": _list_objects(value)
            for name, member in found.items()
            if isinstance(member, dict)
            for inner, value in member.items()
        }
        of_text = _pick(lists, text) or _pick(below, text) or _guess(lists | below, found, text)
        if not of_text and not lists[""] and not any(lists.values()):
            raise SourceError(f"{path} is a JSON object without records: {_EXPECTED}")
        if not of_text or (len(of_text) > 1 and not of_text.keys() <= lists.keys()):
            named = {name: own for name, own in (lists | below).items() if name and own}
            shown = "; ".join(f"{name} ({list_names([*own[0]])})" for name, own in named.items())
            raise SourceError(
                f'{path}: expected one list of objects with a "{text}" (--text-column names '
                f"another field), found {len(of_text) or 'none'}. Its lists of objects, and their "
                f"fields: {shown or 'none'}. Save the list that you mean as a file of its own"
            )
        records = [record for own in of_text.values() for record in own]
    yield from enumerate(records, start=1)


def _list_objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _pick(lists: dict[str, list[dict[str, Any]]], text: str) -> dict[str, list[dict[str, Any]]]:
    return {name: own for name, own in lists.items() if any(_has_text(one, text) for one in own)}


def _guess(
    lists: dict[str, list[dict[str, Any]]], whole: dict[str, Any], text: str
) -> dict[str, list[dict[str, Any]]]:
    """The list, or the object itself, with most words in the field that `name_texts` finds, if no
    other has nearly as many."""
    candidates = [*lists.values(), [whole]]
    n_words: dict[int, int] = {}
    for place, own in enumerate(candidates):
        if (field := _choose_field(own[:SAMPLE], text)) is not None:
            n_words[place] = sum(count_words(str(one.get(field))) for one in own)
    best = choose_text(n_words, 1)
    return {} if best is None else {"": candidates[best]}


def _has_text(record: dict[str, Any], text: str) -> bool:
    """Whether a record is an article, or has the field of the texts."""
    return not record.keys().isdisjoint({text, "sections"})


def _read_array(stream: BinaryIO, path: Path, log: ReadLog) -> Iterator[tuple[int, Any]]:
    """Yield (number from 1, member) for the members of an array, holding one at a time.

    After malformed JSON, nothing shows where the next member starts: reading ends there, with
    SourceError unless the log skips it.
    """
    decoder = json.JSONDecoder()
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
    buffer = text.read(CHUNK).lstrip()
    position = 1
    number = 1
    while True:
        position = _SEPARATOR.match(buffer, position).end()  # type: ignore[union-attr]
        try:
            member, position = decoder.raw_decode(buffer, position)
        except (json.JSONDecodeError, RecursionError) as error:
            held = buffer[position:]
            # Doubling the buffer keeps the time linear in the length of a member.
            more = text.read(max(len(held), CHUNK)) if len(held) < MAX_LINE else ""
            if more:
                buffer, position = held + more, 0
                continue
            if held.startswith("]") or log.truncated:
                return
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested deeply"
            found = f"not JSON ({reason})"
            if isinstance(error, json.JSONDecodeError) and _breaks_off(error):
                found += ": the file breaks off"
            bad_record(path, f"record {number}", found, log)
            log.truncated = True
            return
        yield number, member
        number += 1


def _breaks_off(error: json.JSONDecodeError) -> bool:
    """Whether JSON is wrong only in that it ends too early."""
    return error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")


def parse_json(line: bytes) -> object:
    """Decode one JSON value. Raises ValueError if the line is too long, not UTF-8 or not JSON; says
    which."""
    if len(line) > MAX_LINE:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    try:
        return json.loads(line.decode("utf8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 ({error.reason} at byte {error.start})") from error
    except json.JSONDecodeError as error:
        end = "" if line.endswith(b"\n") or not _breaks_off(error) else ": the file breaks off"
        found = error.msg.removesuffix(" at")
        raise ValueError(f"not JSON ({found} at character {error.pos}){end}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def check_text(article: Article) -> None:
    """Raise ValueError if an article holds what text cannot: NUL or half a surrogate pair."""
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
