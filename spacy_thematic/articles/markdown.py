"""Markdown, by CommonMark (https://spec.commonmark.org) with tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from spacy.util import registry

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import (
    Block,
    assemble,
    decode,
    find_files,
    make_document_reader,
)
from spacy_thematic.articles.sources import Reader

if TYPE_CHECKING:
    from markdown_it.token import Token

SUFFIXES = (".md", ".markdown")


@registry.readers("spacy-thematic.Markdown.v1")
def create_markdown_reader(skip_bad: bool = False) -> Reader:
    """A reader of a Markdown file or of a folder of them, one article a file.

    Only prose is kept: no code, tables, lists or quotations. The title is that of the front
    matter, the only heading of level 1, or the name of the file.
    """
    return make_document_reader(parse_markdown, SUFFIXES, skip_bad)


def is_markdown(path: Path, head: bytes) -> bool:
    """Whether a file is named as Markdown or a folder holds such files."""
    if path.is_dir():
        return next(find_files(path, SUFFIXES), None) is not None
    return path.suffix.lower() in SUFFIXES


_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(.{0,20000}?)\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(\S[^\n]*)$", re.MULTILINE)


def parse_markdown(content: bytes, name: str, source: str) -> Article:
    """Make an article of a Markdown document. `name` is the title if it states none."""
    from markdown_it import MarkdownIt

    text = decode(content)
    front_matter = _FRONT_MATTER.match(text)
    title = name
    if front_matter:
        text = text[front_matter.end() :]
        stated = _TITLE.search(front_matter[2])
        title = stated[1].strip().strip("'\"").strip() or name if stated else name
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    article = assemble(_blocks(tokens), title, source)
    if title != name:
        article.title = title
    return article


_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}$")


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    """Headings, and paragraphs that stand in no list, quotation or table."""
    level = 0
    for token in tokens:
        if token.type == "heading_open" and token.level == 0:
            level = int(token.tag[1])
        elif token.type == "paragraph_open":
            level = 0
        elif token.type == "inline" and token.level == 1:
            text = "".join(_words(token.children or []))
            yield Block(level, _ATTRIBUTES.sub("", text) if level else text)


_CODE_TAG = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)


def _words(tokens: list[Token]) -> Iterator[str]:
    """The text of inline tokens, without what stands between tags of script or style."""
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
