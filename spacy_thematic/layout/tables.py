"""Tables and code in a plain text."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, is_underlined, is_unknown

_FENCE = re.compile(r"(`{3,}|~{3,})[^`~]*")
_FEWEST_ROWS, _FEWEST_BARS = 2, 2

_CHANGE = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*")
_OF_CHANGES = re.compile(
    r"diff --git .*|index [0-9a-f]{4,40}\.\..*|(?:---|\+\+\+) \S.*|new file mode \d+"
    r"|\S.* \|\s+\d+ [+-]+|\d+ files? changed, .*|create mode \d+ .*"
)
"""Lines before and between changes in a patch."""

_ARMOUR = re.compile(r"(?:> ?)*-----(BEGIN|END) (?:[A-Z0-9]+ ){0,4}[A-Z0-9]+-----")
"""Around keys, signatures and encrypted text (RFC 4880, RFC 7468)."""
_SIGNED = "SIGNED MESSAGE-----"
_ENCODED = re.compile(r"(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/=_-]{40,}")
"""A line of encoded bytes."""


def detect_code(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as code what `_detect_marked` does, and lines of encoded bytes, such as keys."""
    yield from _detect_marked(lines)
    armoured: list[Line] = []
    for line in lines:
        mark = _ARMOUR.fullmatch(line.text)
        if mark and line.text.endswith(_SIGNED):
            yield line.as_block("code")
        elif mark and mark[1] == "BEGIN":
            armoured = [line]
        elif armoured and not mark:
            armoured.append(line)
        elif mark:
            yield from (own.as_block("code") for own in (*armoured, line) if own.text)
            armoured = []
        elif _ENCODED.fullmatch(line.text):
            yield line.as_block("code")
    yield from (own.as_block("code") for own in armoured if _ENCODED.fullmatch(own.text))


def _detect_marked(lines: Sequence[Line]) -> Iterator[Block]:
    """The lines between two fences of Markdown, and these, and the changes in a patch, each as long
    as its first line says. A fence is no line of marks below a heading."""
    opened: list[Line] = []
    former = Line(0, "")
    n_old = n_new = 0
    has_changes = any(_CHANGE.fullmatch(line.text) for line in lines)
    for line in lines:
        change = _CHANGE.fullmatch(line.text) if has_changes else None
        is_within = not change and (n_old > 0 or n_new > 0)
        if change:
            n_old, n_new = (int(number or 1) for number in change.groups())
        elif is_within:
            n_old -= not line.text.startswith("+")
            n_new -= not line.text.startswith("-")
        if line.text and (
            change or is_within or (has_changes and _OF_CHANGES.fullmatch(line.text))
        ):
            yield line.as_block("code")
            continue
        fence = _FENCE.fullmatch(line.text)
        former, above = line, former
        if opened:
            opened.append(line)
            if fence and line.text.startswith(opened[0].text[:3]) and not line.text.strip("`~"):
                yield from (own.as_block("code") for own in opened if own.text)
                opened = []
        elif fence and not is_underlined(above, line):
            opened = [line]


def detect_tables(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as a table each row of two or more that follow each other, with bars between cells."""
    for is_row, rows in groupby(lines, _is_row):
        found = [*rows] if is_row else []
        if len(found) >= _FEWEST_ROWS:
            yield from (line.as_block("table") for line in found)


def _is_row(line: Line) -> bool:
    return is_unknown(line) and line.text.count("|") >= _FEWEST_BARS
