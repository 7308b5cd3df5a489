"""Tables and code in a plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, is_unknown

_FENCE = re.compile(r"(`{3,}|~{3,})[^`~]*")
_FEWEST_ROWS, _FEWEST_BARS = 2, 2


def detect_code(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as code the lines between two fences of Markdown, and these."""
    opened: list[Line] = []
    for line in lines:
        fence = _FENCE.fullmatch(line.text)
        if opened:
            opened.append(line)
            if fence and line.text.startswith(opened[0].text[:3]) and not line.text.strip("`~"):
                yield from (Block("code", own.start, own.end) for own in opened if own.text)
                opened = []
        elif fence:
            opened = [line]


def detect_tables(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as a table each row of two or more that follow each other, with bars between cells."""
    for is_row, rows in groupby(lines, _is_row):
        found = [*rows] if is_row else []
        if len(found) >= _FEWEST_ROWS:
            yield from (Block("table", line.start, line.end) for line in found)


def _is_row(line: Line) -> bool:
    return is_unknown(line) and line.text.count("|") >= _FEWEST_BARS
