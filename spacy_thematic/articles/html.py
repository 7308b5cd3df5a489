"""HTML documents: headings and the prose of their paragraphs."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import (
    BLANK_LINES,
    Block,
    assemble,
    count_words,
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
    like, nor hidden ones, nor those outside of `main` if it holds a good part of the text. With
    `lists` also quotations, definitions, captions, items of lists, but not links of fewer than four
    words; and text in a cell of a table, or in no paragraph, as in a `div`, if it has four words or
    more and ends as a sentence does. If nothing is left, all such text is kept. The title is the
    only `h1`, else `title`, else the name of the file. The log notes what was left out.
    """
    parse = partial(parse_html, lists=lists, log=log)
    return read_documents(path, log, skip_bad, parse, SUFFIXES)


def is_html(path: Path, head: bytes) -> bool:
    """Whether a file looks like HTML, or a folder holds files with such names."""
    if path.is_dir():
        return next(find_files(path, SUFFIXES), None) is not None
    return is_page(head[:_HEAD].decode("latin-1")) or path.suffix.lower() in SUFFIXES


_HEAD = 4096
_PAGE = re.compile(
    r"(?:\xef\xbb\xbf|\ufeff)?\s*+(?:(?:<\?xml\b[^>]*>|<!--.{0,4000}?-->)\s*+)*+"
    r"<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_page(text: str) -> bool:
    """Whether a text begins as an HTML document does, perhaps after comments."""
    return _PAGE.match(text, 0, _HEAD) is not None


_SELF_CLOSED = re.compile(
    r"<(title|script|style|textarea|iframe|noscript|template|select|svg|math|object)"
    r"(\b[^<>]*)/>",
    re.IGNORECASE,
)


def parse_html(
    content: bytes, name: str, source: str, *, lists: bool = False, log: ReadLog | None = None
) -> Article:
    """Make an article from an HTML document. `name` is the title if the document has none; `lists`
    is that of `read_html`; the log notes what is left out."""
    text = decode_html(content)
    blocks, title = read_blocks(text, lists, log, is_page=True)
    return assemble(blocks, title or name, source)


def read_blocks(
    text: str, lists: bool, log: ReadLog | None = None, *, is_page: bool = False
) -> tuple[list[Block], str]:
    """The blocks of an HTML document, or a piece of one, and its title. is_page: whether it is
    whole."""
    from lxml import etree

    collector = _Collector(lists)
    # A target receives events, and no tree is built: deep nesting costs nothing.
    parser: Any = etree.HTMLParser(target=collector, encoding="utf-8")
    # XML closes an element so; HTML would read on to an end that never comes.
    data = _SELF_CLOSED.sub(r"<\1\2></\1>", text).encode("utf8")
    for start in range(0, len(data), _CHUNK):
        parser.feed(data[start : start + _CHUNK])
    if data:
        parser.close()
    collector.end_block()
    blocks = collector.choose_blocks(is_page)
    if log:
        n_kept = sum(count_words(block.text) for block in blocks)
        log.leave_out(collector.left_out, collector.count_all() - n_kept, n_kept)
    return blocks, collector.title()


_CHARSET = re.compile(
    rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})"
    rb"|\A\s*<\?xml[^<>]{0,100}?encoding\s*=\s*[\"']([\w-]{1,40})",
    re.IGNORECASE,
)
# Browsers read these as what contains them: https://encoding.spec.whatwg.org/#names-and-labels
_READ_AS = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("utf-16", "utf-16-be", "utf-16-le"), "utf-8"),
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
}
_OTHER_NAMES = {"iso-8859-8-i": "iso8859-8", "x-gbk": "gb18030", "x-sjis": "cp932"}
_OTHER_NAMES |= {"x-mac-cyrillic": "mac-cyrillic", "unicode-1-1-utf-8": "utf-8"}
_UNREADABLE = "\ufffd"
_MOST_DAMAGE = 0.01
"""Share of characters that may be unreadable: browsers show pages with some, too."""


def decode_html(content: bytes) -> str:
    """Decode by the charset that a document declares, as browsers do, else as UTF-8. What is UTF-8
    is read as such whatever it declares: who saves a page often converts it.

    Raises:
        ValueError: If the bytes are not of that charset.
    """
    declared = None if content.startswith(_BYTE_ORDER) else _CHARSET.search(content[:4096])
    charset = (declared[1] or declared[2]).decode("ascii").lower() if declared else "utf-8"
    try:
        codec = codecs.lookup(_OTHER_NAMES.get(charset, charset)).name
    except LookupError:
        codec = "utf-8"
    codec = _READ_AS.get(codec, codec)
    if codec == "utf-8" or (not content.isascii() and _is_utf8(content)):
        return decode(content.replace(b"\0", b"") if declared else content)
    text = content.decode(codec, errors="replace").replace("\0", "")
    if text.count(_UNREADABLE) > _MOST_DAMAGE * len(text):
        raise ValueError(f"not {charset.upper()} (from character {text.index(_UNREADABLE)} on)")
    return text


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_BYTE_ORDER = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_NO_TEXT = frozenset(
    (
        *("button", "head", "iframe", "noscript", "object", "script", "select", "style", "svg"),
        *("template", "textarea"),
    )
)
_LEFT_OUT = {
    **dict.fromkeys(("menu", "nav"), "menu"),
    **dict.fromkeys(("dl", "ol", "ul"), "list"),
    "aside": "aside",
    "figure": "figure",
    "footer": "footer",
    "math": "formula",
    "pre": "code block",
    "table": "table",
}
_LISTS = frozenset({"dl", "figure", "ol", "pre", "table", "ul"})
_OF_LISTS = ("li", "dt", "dd", "figcaption", "blockquote", "summary")
_CELLS = ("caption", "table", "tbody", "td", "th", "tr")
# What attributes do not hide: the whole page, and what has no content.
_SEEN = frozenset(
    (
        *("area", "body", "br", "col", "embed", "head", "hr", "html", "img", "input", "link"),
        *("main", "meta", "source", "wbr"),
    )
)
_SHORTEST = 4
"""Words of a link that is an item of a list, or of text in no paragraph."""
_LONG = 25
"""Words of such text that need not end as a sentence does, if most are no links."""
_LEAST_MAIN = 0.2
"""Share of the words that `main` must hold, if only its text counts."""

_SENTENCE_END = re.compile(r"[.!?…:。！？؟।][\"'”’)\]」』]*\s*\Z")
_PLAIN_WORD = re.compile(r"[(\"'“‘]?\w[\w’'-]*[.,;:!?)\"'”’]*")
_MOST_MARKS = 0.2
"""Share of words with other marks in them, in text that is no code."""
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)

_BLOCKS = frozenset(
    (
        *("address", "article", "blockquote", "body", "details", "div", "fieldset", "form"),
        *("header", "hr", "html", "main", "section"),
    )
)


_BREAK = "\x1e"


class _Found(NamedTuple):
    """A block, and whether it reads like text."""

    level: int
    text: str
    is_text: bool
    is_code: bool


class _Collector:
    """Gathers blocks from parser events."""

    def __init__(self, lists: bool) -> None:
        kinds = _NO_TEXT | _LEFT_OUT.keys()
        self.left_out: Counter[str] = Counter()
        self._found: list[_Found] = []
        self._no_prose = kinds - _LISTS if lists else kinds
        self._blocks = _BLOCKS | _LISTS | {*_CELLS} if lists else _BLOCKS
        self._paragraphs = ("p", *_OF_LISTS) if lists else ("p",)
        self._reads_loose = lists
        self._title: list[str] = []
        self._in_title = self._is_broken = self._is_counted = False
        self._text: list[str] | None = None
        self._level = self._links = self._n_linked = 0
        self._is_item = self._is_loose = self._is_linked = False
        self._outside: dict[str, int] = {}
        self._kind = ""
        self._words_outside = 0
        self._open = {"pre": 0, "table": 0}
        self._rejected = self._rejected_before = 0
        self._main: list[int] = []

    def choose_blocks(self, is_page: bool) -> list[Block]:
        """The blocks of the `main` elements if they hold enough, else all. Of a page that would be
        blank otherwise, those that do not read like text too."""
        found, main = self._found, self._main
        if is_page and not any(block.is_text and not block.level for block in found):
            found = [b._replace(is_text=b.is_text or not b.is_code) for b in found]
        pairs = zip(main[::2], [*main[1::2], len(found)])
        in_main = [block for start, end in pairs for block in found[start:end]]
        if _count_text(in_main) >= _LEAST_MAIN * _count_text(found):
            found = in_main if main else found
        return [Block(block.level, block.text) for block in found if block.is_text]

    def count_all(self) -> int:
        """The words that were found, inside and outside of blocks."""
        return self._words_outside + sum(count_words(block.text) for block in self._found)

    def title(self) -> str:
        return " ".join("".join(self._title).split())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        is_outside = tag in self._no_prose or tag in self._outside
        if tag == "title" and "svg" not in self._outside:
            self._in_title = not self._title
        elif is_outside or (tag not in _SEEN and _is_hidden(attributes)):
            if not self._outside:
                self._is_counted = False
                self._kind = _LEFT_OUT.get(tag, "") if is_outside else "hidden part"
            self._outside[tag] = self._outside.get(tag, 0) + 1
        elif tag in self._paragraphs or tag in _HEADINGS:
            self.end_block()
            self._begin_block(_HEADINGS.get(tag, 0), is_item=tag == "li")
        elif tag in self._blocks:
            self.end_block()
            if tag == "main" and len(self._main) % 2 == 0:
                self._main.append(len(self._found))
            elif tag in self._open:
                self._rejected_before = self._rejected
                self._open[tag] += 1
        elif tag == "br":
            self._break_line()
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
            if tag == "main" and len(self._main) % 2:
                self._main.append(len(self._found))
            elif self._open.get(tag):
                self._open[tag] -= 1
                self.left_out[_LEFT_OUT[tag]] += self._rejected > self._rejected_before
                self._rejected_before = self._rejected
        elif tag == "a":
            self._links = max(self._links - 1, 0)

    def data(self, text: str) -> None:
        if self._in_title:
            self._title.append(text)
        elif self._outside:
            if self._kind and text.strip():
                self._words_outside += count_words(text)
                self.left_out[self._kind] += not self._is_counted
                self._is_counted = True
        elif self._text is not None:
            self._text.append(text)
            if text.strip():
                self._is_linked &= self._links > 0
                self._is_broken = False
                self._n_linked += len(text) if self._links else -len(text)

    def end_block(self) -> None:
        if self._text is not None:
            text = "".join(self._text).replace("¶", "")
            is_code = self._open["pre"] > 0
            for part in BLANK_LINES.split(text) if is_code else [text]:
                if not part.strip(f"{_BREAK} \n"):
                    continue
                is_text = self._is_text(part)
                self._rejected += not is_text
                pieces = part.split(_BREAK) if not self._level else [part]
                self._found += [
                    _Found(self._level, piece, is_text, is_code)
                    for piece in pieces
                    if piece.strip()
                ]
            self._text = None
        if self._reads_loose:
            self._begin_block(0, is_loose=True)

    def _break_line(self) -> None:
        """Two lines after each other divide paragraphs, one divides words."""
        self.data(_BREAK if self._is_broken else " ")
        self._is_broken = True

    def _is_text(self, text: str) -> bool:
        if self._level:
            return True
        is_loose = self._is_loose or any(self._open.values())
        if self._open["pre"] and _has_marks(text):
            return False
        if is_loose and not _SENTENCE_END.search(text):
            return self._n_linked < 0 and count_words(text) >= _LONG
        is_sure = not is_loose and not (self._is_item and self._is_linked)
        return is_sure or count_words(text) >= _SHORTEST

    def _begin_block(self, level: int, *, is_item: bool = False, is_loose: bool = False) -> None:
        self._text = []
        self._level, self._is_item, self._is_loose = level, is_item, is_loose
        self._is_linked, self._n_linked = True, 0
        self._is_broken = False

    def close(self) -> None:
        pass


def _is_hidden(attributes: dict[str, str]) -> bool:
    return (
        ("hidden" in attributes and attributes["hidden"] != "until-found")
        or attributes.get("aria-hidden", "").lower() == "true"
        or "mw-editsection" in attributes.get("class", "")
        or _HIDDEN.search(attributes.get("style", "")) is not None
    )


def _has_marks(text: str) -> bool:
    """Whether many words hold marks that are seldom in prose."""
    words = text.split()
    return sum(_PLAIN_WORD.fullmatch(word) is None for word in words) > _MOST_MARKS * len(words)


def _count_text(blocks: Iterable[_Found]) -> int:
    return sum(count_words(block.text) for block in blocks if block.is_text and not block.level)
