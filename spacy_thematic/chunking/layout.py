"""The blocks and headings of a text, by its markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

from spacy_thematic.articles.documents import Heading
from spacy_thematic.articles.html import is_page
from spacy_thematic.articles.html_places import find_html_places
from spacy_thematic.articles.markdown import find_markdown_headings, measure_front_matter
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.headings import clean_heading, detect_headings
from spacy_thematic.layout.lines import Line
from spacy_thematic.layout.plain import DETECTORS, read_plain

Markup = Literal["auto", "html", "markdown", "plain"]

_FRAGMENT = re.compile(
    r"\ufeff?\s*<(?:body|div|h[1-6]|p|section|article|main|table|[ou]l)\b", re.IGNORECASE
)


class Layout(NamedTuple):
    """How a text is laid out.

    Attributes:
        text: What chunks are made of: the text itself, or the prose of HTML.
        prose: The text with spaces in place of markup, as long as the text. Each block of HTML
            begins a line, and there is no other line in it.
        blocks: Of the prose, in order.
        headings: In order.
        tags: Where the markup of blocks of HTML begins; None for other texts.
    """

    text: str
    prose: str
    blocks: list[Block]
    headings: list[Heading]
    tags: Sequence[int] | None = None

    def show(self, start: int, end: int) -> str:
        """Return what a part of the text says: of HTML its words, a line for each block."""
        part = self.text[start:end]
        if self.tags is None:
            return part
        return "\n".join(filter(None, (" ".join(line.split()) for line in part.split("\n"))))

    def find_starts(self) -> list[int]:
        """Return where blocks begin, and what is after headings, in order."""
        around = (place for heading in self.headings for place in (heading.start, heading.end))
        return sorted({*(self.tags or ()), *(block.start for block in self.blocks), *around})

    def find_paths(self) -> list[list[str]]:
        """Return for each heading those above it, the highest first, and itself."""
        path: list[Heading] = []
        paths = []
        for heading in self.headings:
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
            paths.append([above.text for above in path])
        return paths


def read_layout(text: str, markup: Markup) -> Layout:
    """Find the blocks and headings of a text.

    Args:
        text: Of any kind.
        markup: What it is written in. "auto": HTML if it begins like a page, or like a piece of one
            and has no heading of Markdown; else Markdown, if it has one; else plain text, in which
            lines may look like headings.
    """
    if markup == "html" or (markup == "auto" and is_page(text)):
        return _read_html(text)
    headings = find_markdown_headings(text) if markup != "plain" else []
    if markup == "auto" and not headings and _FRAGMENT.match(text):
        return _read_html(text)
    hidden = (markup != "plain" and measure_front_matter(text)) or text.startswith("\ufeff")
    prose = " " * hidden + text[hidden:]
    if headings or markup == "markdown":
        others = (detect for detect in DETECTORS.values() if detect is not detect_headings)
        return Layout(text, prose, read_plain(prose, [partial(_mark, headings), *others]), headings)
    blocks = read_plain(prose)
    headings = [
        Heading(block.start, block.end, block.level, clean_heading(prose[block.start : block.end]))
        for block in blocks
        if block.kind == "heading"
    ]
    return Layout(text, prose, blocks, [heading for heading in headings if heading.text])


def _mark(headings: Sequence[Heading], lines: Sequence[Line]) -> Iterator[Block]:
    """The lines that are headings that are known."""
    left = iter(headings)
    heading = next(left, None)
    for line in lines:
        while heading and heading.end <= line.start:
            heading = next(left, None)
        if heading and line.text and heading.start <= line.start:
            yield Block("heading", line.start, line.end, heading.level)


def _read_html(text: str) -> Layout:
    prose, starts, headings = find_html_places(text)
    shown = list(prose.replace("\n", " ").replace("\r", " "))
    for start in starts:
        shown[start] = "\n"  # In place of a tag.
    prose = "".join(shown)
    levels = {heading.start: heading.level for heading in headings}
    blocks = []
    for start, end in pairwise([*starts, len(prose)]):
        part = prose[start:end]
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            kind = "heading" if start in levels else "paragraph"
            blocks.append(Block(kind, first, start + len(part.rstrip()), levels.get(start, 0)))
    return Layout(prose, prose, blocks, headings, starts)
