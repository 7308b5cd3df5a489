"""What light markups have in common: lines that are blocks, or parts of one. The reader of each
finds the blocks of a document, and `parse_markdown` makes an article of them."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import ClassVar

from spacy_thematic.articles.documents import DEEPEST, Block, promote_bold
from spacy_thematic.articles.markdown import measure_front_matter

LONGEST_NAMED = 100
"""Characters of a text that a name stands for wherever it does, so that no document grows much."""

_VERBATIM = ("code", "hidden", "html")


class LineReader:
    """Finds the blocks of a document, line by line. Each markup has a subclass.

    Attributes:
        lines: Without front matter, tabs, and spaces at their ends.
        number: Of the line that is read.
        kind: Of the block that the next line belongs to, "" before one begins.
        blocks: Those that have ended.
    """

    SUFFIXES: ClassVar[tuple[str, ...]]
    """Of its files."""
    BOLD: ClassVar[re.Pattern[str]]
    """Matches a paragraph that is bold."""

    def __init__(self, text: str) -> None:
        text = text[measure_front_matter(text) :].expandtabs()
        self.lines = [line.rstrip() for line in text.splitlines()]
        self.number = 0
        self.kind = ""
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._missing: set[str] = set()

    def find_blocks(self) -> list[Block]:
        """Read all lines. Of the blocks, bold ones are headings or paragraphs."""
        while self.number < len(self.lines):
            if line := self.lines[self.number]:
                self.read_line(line)
            else:
                self.end()
            self.number += 1
        self.end()
        return promote_bold(self.blocks)

    def read_line(self, line: str) -> None:
        """Read a line with text, and perhaps some after it."""
        raise NotImplementedError

    def show(self, text: str) -> str:
        """Remove the markup within a text."""
        raise NotImplementedError

    def look_at(self, n: int) -> str:
        """Return a line after the one that is read, "" behind the last."""
        return "".join(self.lines[self.number + n : self.number + n + 1])

    def take_to(self, line: str) -> list[str]:
        """Take all lines before the next one that is this one, which is skipped; none without it,
        but all if it is an empty line."""
        start = self.number + 1
        if line not in self._missing:
            try:
                self.number = self.lines.index(line, start)
                return self.lines[start : self.number]
            except ValueError:
                self._missing.add(line)
        self.number = self.number if line else len(self.lines)
        return self.lines[start : self.number]

    def take_while(self, begins: re.Pattern[str]) -> list[str]:
        """Take the line that is read, and those after it that begin so as well."""
        start = self.number
        while begins.match(self.look_at(1)):
            self.number += 1
        return self.lines[start : self.number + 1]

    def take_below(self, indent: int) -> list[str]:
        """Take the lines that are indented more, and the empty ones between."""
        start = self.number + 1
        for number in range(start, len(self.lines)):
            if line := self.lines[number]:
                if measure_indent(line) <= indent:
                    break
                self.number = number
        return self.lines[start : self.number + 1]

    def begin(self, kind: str, text: str = "") -> None:
        """End a block and begin one, perhaps with a line."""
        self.end()
        self.kind = kind
        self._text += [text] if text else []

    def take(self, line: str) -> None:
        """Add a line to the block that was begun."""
        self._text.append(line.strip())

    def end(self) -> None:
        """End the block that was begun, if any."""
        lines, kind = self._text, self.kind
        self._text, self.kind = [], ""
        if lines:
            self.add(kind, "\n".join(lines))

    def add(self, kind: str, text: str, level: int = 0) -> None:
        """Add a block. level: of a heading; of code, 1 if it is in no language."""
        self.end()
        if kind == "paragraph" and self.BOLD.fullmatch(text):
            kind = "bold"
        text = text if kind in _VERBATIM else self.show(text)
        self.blocks.append(Block(kind, 0, 0, min(level, DEEPEST), text))

    def add_lines(self, kind: str, *lines: str, level: int = 0) -> None:
        """Add a block of lines as they are: code, HTML, or "hidden" ones, which are no text."""
        self.add(kind, "\n".join(lines), level)

    def add_table(self, rows: Iterable[Sequence[str]], n_headers: int = 0) -> None:
        """Add a table, of which the first rows are headers."""
        text = "".join(
            f"<tr>{''.join(f'<{tag}>{escape(self.show(cell))}' for cell in row)}"
            for number, row in enumerate(rows)
            for tag in ["th" if number < n_headers else "td"]
        )
        self.add("html", f"<table>{text}</table>", level=1)


def measure_indent(line: str) -> int:
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip())
