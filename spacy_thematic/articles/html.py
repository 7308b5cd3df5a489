"""HTML documents: headings and the prose of their paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import (
    Block,
    assemble,
    decode,
    find_files,
    read_documents,
)
from spacy_thematic.articles.sources import ReadLog

SUFFIXES = (".html", ".htm", ".xhtml")
_CHUNK = 1 << 16


def read_html(
    path: Path, log: ReadLog, skip_bad: bool = False, *, lists: bool = False
) -> Iterator[Article]:
    """Yield the articles of an HTML file, or of a folder of them, one for each file.

    Only `h1` to `h6` and `p` are kept, and not those in navigation, code, tables, lists and the
    like, nor those outside of `main` if there is one; with `lists` also quotations, definitions,
    captions, items of lists, but not links of fewer than four words, and text that stands in no
    paragraph, as in a `div`, if it has four words or more and ends as a sentence does. The title is
    the only `h1`, else `title`, else the name of the file.
    """
    return read_documents(path, log, skip_bad, partial(parse_html, lists=lists), SUFFIXES)


def is_html(path: Path, head: bytes) -> bool:
    """Whether a file looks like HTML, or a folder holds files with such names."""
    if path.is_dir():
        return next(find_files(path, SUFFIXES), None) is not None
    start = head[:1000].lower()
    return b"<!doctype html" in start or b"<html" in start or path.suffix.lower() in SUFFIXES


def parse_html(content: bytes, name: str, source: str, *, lists: bool = False) -> Article:
    """Make an article from an HTML document. `name` is the title if the document has none; `lists`
    is that of `read_html`."""
    from lxml import etree

    text = decode_html(content)
    collector = _Collector(lists)
    # A target receives events, and no tree is built: deep nesting costs nothing.
    parser: Any = etree.HTMLParser(target=collector, encoding="utf-8")
    data = text.encode("utf8")
    for start in range(0, len(data), _CHUNK):
        parser.feed(data[start : start + _CHUNK])
    if data:
        parser.close()
    collector.end_block()
    return assemble(collector.main_blocks(), collector.title() or name, source)


_CHARSET = re.compile(rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)


def decode_html(content: bytes) -> str:
    """Decode by the charset that a document declares, else as UTF-8.

    Raises:
        ValueError: If the bytes are not of that charset.
    """
    declared = _CHARSET.search(content[:4096])
    if declared:
        charset = declared[1].decode("ascii")
        try:
            return content.decode(charset).replace("\0", "")
        except LookupError:
            pass
        except UnicodeDecodeError as error:
            raise ValueError(
                f"not {charset.upper()} ({error.reason} at byte {error.start})"
            ) from error
    return decode(content)


_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_NO_PROSE = frozenset(
    (
        *("aside", "button", "dl", "figure", "footer", "head", "iframe", "math", "menu", "nav"),
        *("noscript", "object", "ol", "pre", "script", "select", "style", "svg", "table"),
        *("template", "textarea", "ul"),
    )
)
_LISTS = frozenset({"dl", "figure", "ol", "ul"})
_OF_LISTS = ("li", "dt", "dd", "figcaption", "blockquote")
_SHORTEST = 4
"""Words of a link that is an item of a list, or of text in no paragraph."""

_SENTENCE_END = re.compile(r"[.!?…:。！？؟।]['\"’”)\]]*\s*\Z")

_BLOCKS = frozenset(
    (
        *("address", "article", "blockquote", "body", "details", "div", "fieldset", "form"),
        *("header", "hr", "html", "main", "section"),
    )
)


class _Collector:
    """Gathers blocks from parser events."""

    def __init__(self, lists: bool) -> None:
        self.blocks: list[Block] = []
        self._no_prose = _NO_PROSE - _LISTS if lists else _NO_PROSE
        self._blocks = _BLOCKS | _LISTS if lists else _BLOCKS
        self._paragraphs = ("p", *_OF_LISTS) if lists else ("p",)
        self._reads_loose = lists
        self._title: list[str] = []
        self._in_title = False
        self._text: list[str] | None = None
        self._level = self._links = 0
        self._is_item = self._is_loose = self._is_linked = False
        self._outside: dict[str, int] = {}
        self._main: list[int] = []

    def main_blocks(self) -> list[Block]:
        """The blocks of the first `main` element, or all where there is none."""
        if not self._main:
            return self.blocks
        start, end = (*self._main, len(self.blocks))[:2]
        return self.blocks[start:end]

    def title(self) -> str:
        return " ".join("".join(self._title).split())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "title":
            self._in_title = not self._title
        elif tag in self._no_prose:
            self._outside[tag] = self._outside.get(tag, 0) + 1
        elif tag in self._paragraphs or tag in _HEADINGS:
            self.end_block()
            self._begin_block(_HEADINGS.get(tag, 0), is_item=tag == "li")
        elif tag in self._blocks:
            self.end_block()
            if tag == "main" and not self._main:
                self._main.append(len(self.blocks))
        elif tag == "br":
            self.data(" ")
        elif tag == "a":
            self._links += 1

    def end(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in self._outside:
            self._outside[tag] -= 1
            if self._outside[tag] == 0:
                del self._outside[tag]
        elif tag in self._paragraphs or tag in _HEADINGS or tag in self._blocks:
            self.end_block()
            if tag == "main" and len(self._main) == 1:
                self._main.append(len(self.blocks))
        elif tag == "a":
            self._links = max(self._links - 1, 0)

    def data(self, text: str) -> None:
        if self._in_title:
            self._title.append(text)
        elif self._text is not None and not self._outside:
            self._text.append(text)
            self._is_linked &= self._links > 0 or not text.strip()

    def end_block(self) -> None:
        if self._text is not None:
            text = "".join(self._text).replace("¶", "")
            if self._is_text(text):
                self.blocks.append(Block(self._level, text))
            self._text = None
        if self._reads_loose:
            self._begin_block(0, is_loose=True)

    def _is_text(self, text: str) -> bool:
        if self._is_loose and not _SENTENCE_END.search(text):
            return False
        is_sure = not self._is_loose and not (self._is_item and self._is_linked)
        return is_sure or len(text.split()) >= _SHORTEST

    def _begin_block(self, level: int, *, is_item: bool = False, is_loose: bool = False) -> None:
        self._text = []
        self._level, self._is_item, self._is_loose = level, is_item, is_loose
        self._is_linked = True

    def close(self) -> None:
        pass
