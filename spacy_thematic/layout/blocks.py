"""The blocks of a text."""

from typing import NamedTuple

KINDS = (
    *("heading", "paragraph", "item", "line", "quote", "table", "code"),
    *("speaker", "prefix", "aside"),
)
"""What a block may be. A speaker is who says a line, and when: the beginning of the line, or all of
it. A prefix is what the lines of a log begin with. An aside says nothing of a theme: a header of a
mail, a page number."""

BEGINNINGS = "speaker", "prefix"
"""The kinds that may be the beginning of a line."""


class Block(NamedTuple):
    """A part of a text.

    Attributes:
        kind: One of `KINDS`.
        start: Its first character in the text.
        end: The character after its last.
        level: Of a heading, from 1; 0 for other blocks.
    """

    kind: str
    start: int
    end: int
    level: int = 0
