"""Markdown, by CommonMark (https://spec.commonmark.org) with tables."""

from __future__ import annotations

import re
from collections import Counter
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
    count_words,
    decode,
    find_files,
    read_documents,
    without_buttons,
)
from spacy_thematic.articles.html import read_blocks
from spacy_thematic.articles.sources import ReadLog

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

SUFFIXES = (".md", ".markdown", ".mdx")


def read_markdown(
    path: Path, log: ReadLog, skip_bad: bool = False, *, lists: bool = False
) -> Iterator[Article]:
    """Yield the articles of a Markdown file, or of a folder of them, one for each file.

    Only prose is kept: no code, no tables, and no lists or quotations unless `lists` is true. The
    title is that of the front matter, else the only heading of level 1, else the name of the file.
    The log notes what was left out.
    """
    parse = partial(parse_markdown, lists=lists, log=log)
    return read_documents(path, log, skip_bad, parse, SUFFIXES)


def is_markdown(path: Path, head: bytes) -> bool:
    """Whether a file, or one in a folder, has a name of Markdown."""
    if path.is_dir():
        return next(find_files(path, SUFFIXES), None) is not None
    return path.suffix.lower() in SUFFIXES


_FRONT_MATTER = re.compile(
    r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(?=[^\s])(.{0,20000}?)\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
# A line of YAML or TOML: a name and its value, a table, or what goes on with either.
_SETTING = re.compile(
    r"(?P<name>[\w.\"'-]{1,40}(?:[ ][\w.\"'-]{1,40}){0,2}[ \t]*[:=](?:\s|\Z))|[\s#\[}\]\"'-]|\Z"
)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(\S[^\n]*)$", re.MULTILINE)


def _match_front_matter(text: str) -> re.Match[str] | None:
    """Find front matter. What stands between two rules may be prose as well."""
    if not (found := _FRONT_MATTER.match(text)):
        return None
    lines = [_SETTING.match(line) for line in found[2].split("\n")]
    return found if all(lines) and any(line and line["name"] for line in lines) else None


def parse_markdown(
    content: bytes, name: str, source: str, *, lists: bool = False, log: ReadLog | None = None
) -> Article:
    """Make an article from a Markdown document. `name` is the title if the document has none.
    lists: whether items of lists and quotations are paragraphs. The log notes what is left out."""
    text = decode(content)
    front_matter = _match_front_matter(text)
    title = name
    if front_matter:
        text = text[front_matter.end() :]
        stated = _TITLE.search(front_matter[2])
        title = stated[1].strip().strip("'\"").strip() or name if stated else name
    article = assemble(_blocks(_make_parser().parse(text), lists, log), title, source)
    if title != name:
        article.title = title
    return article


def _make_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}$")
# The kind of a note ("> [!WARNING]"), a box to tick, the lines of code in MDX.
_MARK = re.compile(
    r"\s*\[(?:!\w[\w-]*\][+-]?|[ xX]\](?=\s))"
    r"|import\s[^.]{1,200}?\sfrom\s[\"'].*"
    r"|export\s+(?:(?:const|let|var|function|class)\s+\w+\s*[=({]|default\s+(?:function|class|[({])).*"
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,50}\]:?")


def _blocks(tokens: list[Token], lists: bool, log: ReadLog | None) -> Iterator[Block]:
    """Headings, and the paragraphs outside of tables, and of lists and quotations unless `lists` is
    true. Of HTML, what the reader of HTML takes."""
    level = n_kept = n_left_out = 0
    in_prose = False
    left_out = Counter(_LEFT_OUT[token.type] for token in tokens if token.type in _LEFT_OUT)
    for token in tokens:
        blocks = []
        if token.type.endswith("_open"):
            in_prose = token.type in ("heading_open", "paragraph_open")
            level = int(token.tag[1]) if token.type == "heading_open" and token.level == 0 else 0
        elif token.type == "inline":
            text = "".join(_words(token.children or []))
            text = _FOOTNOTE.sub("", _ATTRIBUTES.sub("", text) if level else _MARK.sub("", text, 1))
            if in_prose and (token.level == 1 or lists):
                blocks = [Block(level, text)]
            else:
                n_left_out += count_words(text)
        elif token.type == "html_block" and (token.level == 0 or lists):
            blocks, _ = read_blocks(token.content, lists, log)
            n_kept -= sum(count_words(text) for _, text in blocks)  # The log has them.
        elif token.type in ("fence", "code_block"):
            n_left_out += count_words(token.content)
        n_kept += sum(count_words(text) for _, text in blocks)
        yield from blocks
    if log:
        log.leave_out(left_out, n_left_out, n_kept)


_LEFT_OUT = {"fence": "code block", "code_block": "code block", "table_open": "table"}
_CODE_TAG = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<(?:br|/?p|/?div|hr|li)\b", re.IGNORECASE)


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
        elif token.type in ("softbreak", "hardbreak") or _BREAK_TAG.match(token.content):
            yield " "


def measure_front_matter(text: str) -> int:
    """Return how many characters of a Markdown document are front matter."""
    found = _match_front_matter(text)
    return found.end() if found else 0


_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_MAYBE_HEADING = re.compile(r"^\ufeff? {0,3}(?:#{1,6}(?:\s|$)|(?:=+|-+)[ \t]*$)", re.MULTILINE)


def find_markdown_headings(text: str) -> list[Heading]:
    """Find the headings of a Markdown document outside of lists and quotations, in order."""
    if not _MAYBE_HEADING.search(text.replace("\r", "\n")):
        return []
    offset = measure_front_matter(text) or text.startswith("\ufeff")
    starts = [match.start() for match in _LINE.finditer(text, offset)]
    parser, blocks = _make_parser(), _make_parser()
    blocks.core.ruler.enableOnly(["normalize", "block"])
    headings = []
    tokens = blocks.parse(text[offset:])
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            words = _words(parser.parseInline(inline.content)[0].children or [])
            first, after = opening.map
            title = " ".join(_ATTRIBUTES.sub("", "".join(words)).split())
            headings.append(Heading(starts[first], starts[after], int(opening.tag[1]), title))
    shown = without_buttons([Block(heading.level, heading.text) for heading in headings])
    headings = [heading._replace(text=text) for heading, text in zip(headings, shown)]
    return [heading for heading in headings if heading.text]
