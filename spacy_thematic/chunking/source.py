"""The source of chunks: a text, its blocks and its headings, by its markup."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from spacy_thematic.articles import documents, html, markdown
from spacy_thematic.articles.documents import INVISIBLE, PART_OF_WORD, without_buttons
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.headings import clean_headings, detect_headings
from spacy_thematic.layout.lines import Line, is_underlined, iter_lines
from spacy_thematic.layout.plain import DETECTORS, read_plain

Markup = Literal["auto", "html", "markdown", "plain"]


class Source(NamedTuple):
    """The text that is cut, and how it is laid out."""

    # What chunks are made of: the text itself, or what HTML shows, a line for each block, but for
    # what stands beside the text of a page.
    text: str
    prose: str  # The text with spaces in place of front matter, as long as the text.
    blocks: list[Block]
    headings: list[documents.Block]
    # The rows of each table of Markdown, and of tables of HTML those that have a header.
    tables: Sequence[Sequence[Block | documents.Block]] = ()
    # Where pieces of the text begin, and where they stand in the HTML; else None.
    origins: tuple[list[int], list[int]] | None = None
    start: int = 0  # Where the text begins, after front matter.
    title: str = ""  # What front matter calls the text, if no heading of level 1 does.

    def find_origin(self, place: int) -> int:
        """Return where a character of the text stands in the HTML."""
        assert self.origins is not None
        starts, origins = self.origins
        number = bisect_right(starts, place) - 1
        return origins[number] + place - starts[number]

    def find_starts(self) -> list[int]:
        """Return where blocks begin, and what is after headings, in order."""
        around = (place for heading in self.headings for place in (heading.start, heading.end))
        return sorted({*map(self._find_start, self.blocks), *around})

    def _find_start(self, block: Block) -> int:
        """Where a block begins: code with the space before its first line."""
        line = self.text.rfind("\n", 0, block.start) + 1
        is_indented = block.kind == "code" and not self.text[line : block.start].strip()
        return line if is_indented else block.start

    def find_table_header(self, place: int) -> str:
        """Return the first row of the table that a place is within, after that row; else ""."""
        number = bisect_right(self.tables, place, key=lambda table: table[0].end) - 1
        if number < 0 or place >= self.tables[number][-1].end:
            return ""
        header = self.tables[number][0]
        return self.text[header.start : header.end].strip()

    def find_paths(self) -> list[list[str]]:
        """Return what stands above the first heading, then for each heading the title, the
        headings above it, the highest first, and itself."""
        path: list[documents.Block] = []
        title = [self.title] if self.title else []
        paths = [title]
        for heading in self.headings:
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
            paths.append([*title, *(above.text for above in path)])
        return paths


def read_source(text: str, markup: Markup) -> Source:
    """Find the blocks and headings of a text. With "auto" it is HTML if it begins like a page, or
    like a piece of one and has no heading of Markdown; else Markdown, if it has one that is not
    there by chance; else plain text, in which lines may look like headings."""
    start = markdown.measure_front_matter(text) if markup != "plain" else 0
    if markup == "html" or (markup == "auto" and html.is_page(text[start:])):
        return _read_html(" " * start + text[start:])
    may_be = markup == "markdown" or (markup == "auto" and markdown.may_have_headings(text))
    blocks = without_buttons(markdown.find_blocks(text)) if may_be else []
    headings = [block for block in blocks if block.kind == "heading" and block.text]
    if markup == "auto" and not any(_is_meant(text[block.start : block.end]) for block in headings):
        headings = []
    if markup == "auto" and not headings and html.is_fragment(text[start:]):
        return _read_html(" " * start + text[start:])
    hidden = start or text.startswith("\ufeff")
    prose = " " * hidden + text[hidden:]
    has_title = [heading.level for heading in headings].count(1) == 1
    title = markdown.find_title(text) if start and not has_title else ""
    if headings or markup == "markdown":
        others = [detect for detect in DETECTORS.values() if detect is not detect_headings]
        known = [
            Block(*block[:3], block.level if block.kind == "heading" else 0)
            for block in blocks
            if block.kind in _KNOWN
        ]
        rows = [block for block in blocks if block.kind == "table"]
        firsts = [number for number, row in enumerate(rows) if row.level]
        tables = [rows[first:after] for first, after in pairwise([*firsts, len(rows)])]
        found = read_plain(prose, others, known=known)
        return Source(text, prose, found, headings, tables, None, start, title)
    found = read_plain(prose)
    titles = [block for block in found if block.kind == "heading"]
    names = clean_headings([prose[block.start : block.end] for block in titles], [prose])
    headings = [documents.Block(*block[:4], name) for block, name in zip(titles, names) if name]
    return Source(text, prose, found, without_buttons(headings), (), None, start, title)


def _is_meant(text: str) -> bool:
    """Whether a heading of Markdown is written as one: not so a "#" in a table or a patch of C, and
    a rule below a paragraph."""
    line, after, *_ = [*iter_lines(text), Line(0, ""), Line(0, "")]
    after_marks = line.text.lstrip("#")
    is_marked = after_marks != line.text and not after_marks.startswith("  ")
    is_marked = is_marked and not _OF_C.match(after_marks)
    return is_marked or is_underlined(line, after)


_OF_C = re.compile(r"\s*(?:include\s*[<\"]|(?:define|ifn?def|undef)\s+\w+(?:\s|\(|\Z))")
_KNOWN = ("code", "heading", "quote", "table")


def _read_html(text: str) -> Source:
    found = html.find_shown(html.find_blocks(text))
    shown: list[str] = []
    starts, origins = [], []
    blocks, headings = [], []
    length = 0
    for block, titled in zip(found, without_buttons(found)):
        starts.append(length)
        origins.append(block.start)
        first, end = length, 0
        for match in PART_OF_WORD.finditer(block.text):
            between = block.text[end : match.start()]
            if block.kind != "code":
                between = " " if end and between.strip(INVISIBLE) else ""
            shown += [between, match[0]]
            length += len(between)
            for offset, origin in html.find_pieces(
                *block.pieces, max(match.start(), 1), match.end()
            ):
                starts.append(length + offset - match.start())
                origins.append(origin)
            length += len(match[0])
            end = match.end()
        shown.append("\n")
        blocks.append(Block(block.kind, first, length, block.level))
        if titled.level and titled.text:
            headings.append(documents.Block("heading", first, length, titled.level, titled.text))
        length += 1
    joined = "".join(shown)
    tables: list[Sequence[Block]] = []
    of_rows = (pair for pair in zip(found, blocks) if "tr" in pair[0].within)
    for _, group in groupby(of_rows, lambda pair: pair[0].within.get("table")):
        rows = [*group]
        top = [pair for pair in rows if pair[0].within["tr"] == rows[0][0].within["tr"]]
        if all("th" in cell.within for cell, _ in top):
            header = top[0][1]._replace(end=top[-1][1].end)
            tables.append([header, *(block for _, block in rows[len(top) :])])
    return Source(joined, joined, blocks, headings, tables, (starts, origins))
