"""reStructuredText (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html) as plain
text with the headings of the source."""

import re
from collections import Counter

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
_FIELD = re.compile(r"(\s*):([\w][\w ]{0,40}):(?=\s|\Z)")
_BORDER = re.compile(r"\s*(?:=+(?: +=+)+|\+(?:[-=]+\+)+)\s*")
"""Of a table, whose columns are parted by spaces, or of a grid."""
_INLINE = re.compile(
    r"(?::[\w:+.-]+:)?(?<!`)`(?P<role>[~!]?[^`\n]*(?:\n[^`\n]+)?)`(?!`)_{0,2}"
    r"|``(?P<code>[^`\n]+)``"
    r"|(?<![\w*])(?P<mark>\*\*?)(?P<marked>[^\s*](?:[^*\n]*[^\s*])?)(?P=mark)(?![\w*])"
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
    has_options = is_table = False
    lines = text.expandtabs().splitlines()
    for line, after in zip(lines, [*lines[1:], ""]):
        indent = len(line) - len(line.lstrip())
        if _BORDER.fullmatch(line):
            left_out["table"] += not is_table
            is_table = bool(after.strip())
            kept.append("")
            continue
        if is_table:
            n_words += count_words(line)
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


def _show(match: re.Match[str]) -> str:
    if match["role"] is not None:
        return _TARGET.sub("", match["role"]).lstrip("~!")
    return match["code"] or match["marked"] or ""
