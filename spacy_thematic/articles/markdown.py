"""Markdown, by CommonMark (https://spec.commonmark.org) with tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import (
    Block,
    Heading,
    assemble,
    decode,
    find_files,
    read_documents,
)
from spacy_thematic.articles.sources import ReadLog

if TYPE_CHECKING:
    from markdown_it.token import Token

SUFFIXES = (".md", ".markdown")


def read_markdown(
    path: Path, log: ReadLog, skip_bad: bool = False, *, lists: bool = False
) -> Iterator[Article]:
    """Yield the articles of a Markdown file, or of a folder of them, one for each file.

    Only prose is kept: no code, no tables, and no lists or quotations unless `lists` is true. The
    title is that of the front matter, else the only heading of level 1, else the name of the file.
    """
    return read_documents(path, log, skip_bad, partial(parse_markdown, lists=lists), SUFFIXES)


def is_markdown(path: Path, head: bytes) -> bool:
    """Whether a file, or one in a folder, has a name of Markdown."""
    if path.is_dir():
        return next(find_files(path, SUFFIXES), None) is not None
    return path.suffix.lower() in SUFFIXES


_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(.{0,20000}?)\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(\S[^\n]*)$", re.MULTILINE)


def parse_markdown(content: bytes, name: str, source: str, *, lists: bool = False) -> Article:
    """Make an article from a Markdown document. `name` is the title if the document has none.
    lists: whether items of lists and quotations are paragraphs."""
    from markdown_it import MarkdownIt

    text = decode(content)
    front_matter = _FRONT_MATTER.match(text)
    title = name
    if front_matter:
        text = text[front_matter.end() :]
        stated = _TITLE.search(front_matter[2])
        title = stated[1].strip().strip("'\"").strip() or name if stated else name
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    article = assemble(_blocks(tokens, lists), title, source)
    if title != name:
        article.title = title
    return article


_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}$")


def _blocks(tokens: list[Token], lists: bool) -> Iterator[Block]:
    """Headings, and the paragraphs outside of tables, and of lists and quotations unless `lists` is
    true."""
    level = 0
    in_paragraph = False
    for token in tokens:
        if token.type.endswith("_open"):
            in_paragraph = token.type == "paragraph_open"
        if token.type == "heading_open" and token.level == 0:
            level = int(token.tag[1])
        elif token.type == "paragraph_open":
            level = 0
        elif token.type == "inline" and (token.level == 1 or (lists and in_paragraph)):
            text = "".join(_words(token.children or []))
            yield Block(level, _ATTRIBUTES.sub("", text) if level else text)


_CODE_TAG = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)


def _words(tokens: list[Token]) -> Iterator[str]:
    """The text of inline tokens, without that between tags of script or style."""
    is_code = False
    for token in tokens:
        if token.type == "html_inline" and (tag := _CODE_TAG.match(token.content)):
            is_code = not tag[1]
        elif is_code:
            continue
        elif token.type in ("text", "code_inline"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "


def measure_front_matter(text: str) -> int:
    """Return how many characters of a Markdown document are front matter."""
    found = _FRONT_MATTER.match(text)
    return found.end() if found else 0


_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_MAYBE_HEADING = re.compile(r"^ {0,3}(?:#{1,6}(?:\s|$)|(?:=+|-+)[ \t]*$)", re.MULTILINE)


def find_markdown_headings(text: str) -> list[Heading]:
    """Find the headings of a Markdown document outside of lists and quotations, in order."""
    if not _MAYBE_HEADING.search(text.replace("\r", "\n")):
        return []
    from markdown_it import MarkdownIt

    offset = measure_front_matter(text)
    starts = [match.start() for match in _LINE.finditer(text, offset)]
    parser = MarkdownIt("commonmark").enable("table")
    blocks = MarkdownIt("commonmark").enable("table")
    blocks.core.ruler.enableOnly(["normalize", "block"])
    headings = []
    tokens = blocks.parse(text[offset:])
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            words = _words(parser.parseInline(inline.content)[0].children or [])
            first, after = opening.map
            title = " ".join(_ATTRIBUTES.sub("", "".join(words)).split())
            headings.append(Heading(starts[first], starts[after], int(opening.tag[1]), title))
    return [heading for heading in headings if heading.text]
