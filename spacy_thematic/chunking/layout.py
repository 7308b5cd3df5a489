"""The blocks and headings of a text, by its markup."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from spacy_thematic.articles.documents import Heading
from spacy_thematic.articles.html import is_page
from spacy_thematic.articles.html_places import find_html_places
from spacy_thematic.articles.markdown import find_markdown_headings, measure_front_matter

Markup = Literal["auto", "html", "markdown", "plain"]

_FRAGMENT = re.compile(
    r"\ufeff?\s*<(?:body|div|h[1-6]|p|section|article|main|table|[ou]l)\b", re.IGNORECASE
)
# After empty lines, and where an item of a list or a row of a table begins. A run of empty lines is
# read once, and never given back: it matches at the end of a text too, where no block begins.
_BLOCK = re.compile(
    r"(?:(?<=\n)|(?<=\r)(?!\n)|\A)"
    r"(?:(?:[ \t]*+(?:\r\n?|\n))++|(?=[ \t]*+(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+\S|\|)))"
)


class Layout(NamedTuple):
    """How a text is laid out.

    Attributes:
        prose: The text with spaces in place of markup, as long as the text.
        blocks: Where paragraphs, headings and items of lists begin, in order.
        headings: In order.
    """

    prose: str
    blocks: list[int]
    headings: list[Heading]

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
            and has no heading of Markdown; else Markdown, which plain text is too.
    """
    if markup == "html" or (markup == "auto" and is_page(text)):
        return _make_layout(*find_html_places(text))
    headings = find_markdown_headings(text) if markup != "plain" else []
    if markup == "auto" and not headings and _FRAGMENT.match(text):
        return _make_layout(*find_html_places(text))
    hidden = (markup != "plain" and measure_front_matter(text)) or text.startswith("\ufeff")
    prose = " " * hidden + text[hidden:]
    blocks = [match.end() for match in _BLOCK.finditer(text) if match.end() < len(text)]
    return _make_layout(prose, blocks, headings)


def _make_layout(prose: str, blocks: list[int], headings: list[Heading]) -> Layout:
    around = (place for heading in headings for place in (heading.start, heading.end))
    return Layout(prose, sorted({*blocks, *around}), headings)
