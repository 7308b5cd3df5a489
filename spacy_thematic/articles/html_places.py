"""Where the prose, the blocks and the headings of an HTML document stand in its text."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from spacy_thematic.articles.documents import Block, Heading, clean, without_buttons

_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|svg|template|title)\b(?:[^<>]*/>|.*?(?:</(?P=raw)\s*>|\Z))"
    r"|<(?P<close>/?)(?P<tag>[a-z][a-z0-9-]*)(?:\"[^\"]{0,4000}\"|'[^']{0,4000}'|[^'\"<>])*>?"
    r"|<[!?][^<>]*>?",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_HEADING = re.compile(r"h[1-6]")
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figure", "footer", "form", "header", "hr", "html", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "table", "tr", "ul"),
    )
)


class HtmlPlaces(NamedTuple):
    """What stands where in an HTML document.

    Attributes:
        prose: The document with spaces in place of its tags, comments, scripts and title, and
            characters in place of references to them. It is as long as the document.
        blocks: Where a paragraph, a heading, an item of a list and the like begins, in order.
        headings: In order. They begin and end with their tags.
    """

    prose: str
    blocks: list[int]
    headings: list[Heading]


def find_html_places(text: str) -> HtmlPlaces:
    """Find them in a document, or a piece of one, however broken it is."""
    pieces, blocks, spans = [], [], []
    position, heading = 0, None
    for match in _MARKUP.finditer(text):
        pieces += [text[position : match.start()], " " * len(match[0])]
        position = match.end()
        tag = (match["tag"] or "").lower()
        is_heading = bool(_HEADING.fullmatch(tag))
        if not is_heading and tag not in _BLOCKS:
            continue
        if heading:
            # A heading that is not closed ends where another block begins or ends.
            end = match.end() if is_heading and match["close"] else match.start()
            spans.append((heading[0], end, heading[1]))
            heading = None
        if not match["close"]:
            blocks.append(match.start())
            heading = (match.start(), int(tag[1])) if is_heading else None
    prose = _REFERENCE.sub(_resolve, "".join([*pieces, text[position:]]))
    shown = [
        Block(level, " ".join(clean(prose[start:end]).replace("¶", "").split()))
        for start, end, level in spans
    ]
    headings = [
        Heading(start, end, level, text)
        for (start, end, level), text in zip(spans, without_buttons(shown))
    ]
    return HtmlPlaces(prose, blocks, [heading for heading in headings if heading.text])


def _resolve(reference: re.Match[str]) -> str:
    found = unescape(reference[0])
    is_text = len(found) == 1 and (found.isprintable() or found == "\xa0")
    return (found if is_text else " ").ljust(len(reference[0]))
