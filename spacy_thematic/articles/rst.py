"""reStructuredText (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html) as plain
text with the headings of the source."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice

from spacy_thematic.articles import html
from spacy_thematic.articles.documents import count_words
from spacy_thematic.articles.sources import ReadLog

_EXPLICIT = re.compile(
    r"\.\.(?:\s+(?:(?P<name>[\w:-]+)::|(?P<note>\[[^\]]+\]))?\s*(?P<text>.*))?\Z"
)
_PROSE = frozenset(
    """
    admonition attention caution danger deprecated epigraph error glossary hint important note
    pull-quote rubric seealso sidebar tip topic versionadded versionchanged warning
    """.split()
)
"""Directives with prose in them. Others are left out, as are comments."""
_KINDS = dict.fromkeys(("csv-table", "list-table", "table"), "table")
_KINDS |= dict.fromkeys(
    ("code", "code-block", "doctest", "parsed-literal", "sourcecode"), "code block"
)
_OPTION = re.compile(r"\s+:[\w-]+:(?:\s|\Z)")
_FIELD = re.compile(r"(\s*):(\w[\w ]{0,40}):(?=(?:\s+\S+){3})")
"""Of a document, that says something."""
_BORDER = re.compile(r"\s*(?:=+(?: +=+)+|\+(?:[-=]+\+)+)\s*")
"""Of a table, whose columns are parted by spaces, or of a grid."""
_COLUMN = re.compile(r"=+|-+")
_MOST_COLUMNS = 100
"""The last of these has the rest of a row."""
_INLINE = re.compile(
    r"(?::[\w:+.-]+:)?(?<!`)`(?P<role>[~!]?[^`\n]*(?:\n[^`\n]+)?)`(?!`)_{0,2}"
    r"|``(?P<code>[^`\n]+)``"
    r"|(?<![\w*])(?P<mark>\*\*?)"
    r"(?P<marked>[^\s*](?:[^*\n]*(?:\n[^*\n]+){0,3}[^\s*])?)(?P=mark)(?![\w*])"
    r"|\s?\[[#*\w-]+\]_\b"
    r"|(?<=\w)__?(?=[\s.,;:!?)]|\Z)"
)
_TARGET = re.compile(r"\s*<[^<>]*>\Z")


def strip_rst(text: str, log: ReadLog | None = None) -> str:
    """Return the headings and the prose of a document. The log notes what is left out."""
    kept: list[str] = []
    left_out: Counter[str] = Counter()
    n_words = 0
    dropped_below: int | None = None  # Lines that are indented more than this are no prose.
    has_options = False
    table: list[str] = []
    lines = text.expandtabs().splitlines()
    for line, after in zip(lines, [*lines[1:], ""]):
        indent = len(line) - len(line.lstrip())
        if table or _BORDER.fullmatch(line):
            table.append(line)
            if not after.strip():
                kept += _read_table(table, log)
                table = []
            continue
        if not line.strip():
            kept.append("")
            has_options = False
            continue
        if dropped_below is not None and indent > dropped_below:
            n_words += count_words(line)
            continue
        dropped_below = None
        if explicit := _EXPLICIT.match(line, indent):
            name = explicit["name"] or ""
            is_prose = name in _PROSE or explicit["note"] is not None
            kept.append(explicit["text"] if is_prose else "")
            has_options = True
            if not is_prose:
                dropped_below = indent
                if kind := _KINDS.get(name):
                    left_out[kind] += 1
        elif has_options and _OPTION.match(line):
            continue
        else:
            has_options = False
            if line.rstrip().endswith("::"):
                dropped_below = indent
                left_out["code block"] += 1
                before = line.rstrip().rstrip(" :")
                line = before if line.strip() == "::" else f"{before}:"
            kept.append(_FIELD.sub(r"\1\2:", line))
    stripped = _INLINE.sub(_show, "\n".join(kept))
    if log:
        log.leave_out(left_out, n_words, count_words(stripped))
    return stripped


def _read_table(lines: Sequence[str], log: ReadLog | None) -> Iterator[str]:
    """Yield the cells of a table that the reader of HTML takes, with empty lines around them."""
    columns = [match.span() for match in islice(_COLUMN.finditer(lines[0]), _MOST_COLUMNS)]
    rows: list[list[str]] = []
    n_headers = 0
    for number, line in enumerate(lines):
        is_border = _BORDER.fullmatch(line) is not None
        cells = [line[start:end].strip(" |") for start, end in columns]
        cells[-1] = line[columns[-1][0] :].strip(" |")
        if is_border and "=" in line and number < len(lines) - 1:
            n_headers = len(rows)
        if is_border or not rows or (cells[0] and "|" not in line):
            rows.append([""] * len(columns))
        if not is_border:
            rows[-1] = [f"{cell} {more}" for cell, more in zip(rows[-1], cells)]
    text = "".join(
        f"<tr>{''.join(f'<{tag}>{escape(cell)}' for cell in row)}"
        for number, row in enumerate(rows)
        for tag in ["th" if number < n_headers else "td"]
    )
    yield ""
    for block in html.choose_blocks(html.find_blocks(f"<table>{text}</table>"), True, log):
        yield from (block.text, "")


def _show(match: re.Match[str]) -> str:
    if match["role"] is not None:
        return _TARGET.sub("", match["role"]).lstrip("~!")
    return match["code"] or match["marked"] or ""
