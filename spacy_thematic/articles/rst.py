"""Reads the sections and blocks of reStructuredText
(https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html) with any directives and
roles, as those of Sphinx."""

import csv
import re
from collections.abc import Sequence
from itertools import islice

from spacy_thematic.articles.light_markup import LONGEST_NAMED, LineReader, measure_indent
from spacy_thematic.articles.markdown import NOTES

_EXPLICIT = re.compile(
    r"\s*\.\.(?:\s+(?:(?P<name>[\w:.+-]+)::(?=\s|\Z)|(?P<note>\[[^\]]+\](?=\s)))?\s*(?P<text>.*))?"
)
_NOTATION = re.compile(
    r"math|productionlist|(?:\w+:)?(?:auto)?(?:(?:class|static)?method|attribute|class|data|decorator|describe|envvar"
    r"|exception|func(?:tion)?|macro|member|module|object|option|property|type|var)"
)
"""Directives of formulas, and those beside which stands the name of what they describe."""
_ROW, _CELL = re.compile(r"\n\s*\* +- +"), re.compile(r"\n\s*- +")
"""Of a table that is written as a list."""
_CODE = frozenset(
    """
    code code-block doctest graphviz ipython jupyter-execute literalinclude mermaid parsed-literal
    plantuml plot prompt sourcecode testcode testoutput testsetup uml
    """.split()
)
_NO_TEXT = frozenset(
    """
    contents highlight image include index math meta productionlist raw role toctree
    """.split()
)
"""Directives whose text is not read, as that below others is."""
_OPTION = re.compile(r"\s+:([\w-]+):(?:\s+(.*)|\Z)")
_FIELD = re.compile(r"\s*:([^\s:][^:]{0,60}):(\s.*)?")
_FEWEST_WORDS = 3
"""Of a field that says something."""
_SETTING = re.compile(r"authors?|category|copyright|description|keywords|summary|tags|title", re.I)
_HEAD = 30
"""The blocks within which such fields stand, below nothing but the title."""
_ITEM = re.compile(
    r"\s{0,100}(?:[*+•‣⁃-]|(?P<number>\(?(?:\d{1,3}|#|[a-zA-Z]|[ivxIVX]{2,4})[.)]))\s{1,20}(?=\S)"
)
_RULE = re.compile(r"([!-/:-@\[-`{-~])\1+")
_LEAST_RULE = 4
"""Marks of one that is shorter than the title above it, or stands alone."""
_BORDER = re.compile(r"\s*(?:=+(?: +=+)+|\+(?:[-=]+\+)+)\s*")
"""Of a table, whose columns are parted by spaces, or of a grid."""
_COLUMN = re.compile(r"=+|-+")
_MOST_COLUMNS = 100
"""The last of these has the rest of a row."""
_NAMED = re.compile(
    rf"^[ \t]*\.\. \|([^|\n]+)\| replace:: (\S.{{0,{LONGEST_NAMED}}})$", re.MULTILINE
)
_INLINE = re.compile(
    r"``(?P<code>(?=\S)[^`](?:[^`]|`(?!`)){0,500}|`+[^`\n]+)``"
    r"|(?::(?P<of>[\w:+.-]{1,60}):)?(?<!`)`(?P<role>[~!]?[^`\n]*(?:\n[^`\n]+)?)`(?!`)_{0,2}"
    r"|(?<![\w*\\])(?P<mark>\*\*?)"
    r"(?P<marked>[^\s*](?:[^*\n]*(?:\n[^*\n]+){0,3}[^\s*])?)(?P=mark)(?![\w*])"
    r"|\s?\[[#*\w-]+\]_\b"
    r"|(?<!\w)\|(?P<named>[^\s|](?:[^|\n]{0,60}[^\s|])?)\|(?:__?\b|(?!\w))"
    r"|(?<=\w)__?(?=[\s.,;:!?)]|\Z)"
    r"|\\(?:(?P<escaped>[^\w\s])|[^\S\n]|\Z)"
)
_NUMBERED = ("PEP", "RFC")
"""Roles that show their names before a number."""
_TARGET = re.compile(r"\s*<[^<>]*>\Z")


class RstReader(LineReader):
    """Finds the blocks of reStructuredText. The levels of headings are in the order in which their
    rules appear."""

    SUFFIXES = (".rst",)
    BOLD = re.compile(r"\*\*[^*]+\*\*:?")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._named: dict[str, str] = dict(_NAMED.findall(text))
        self._rules: list[str] = []
        self._of_item, self._of_term = -1, -1
        """How far the item is indented to which the next paragraph may belong, and the term that is
        defined."""

    def read_line(self, line: str) -> None:
        indent, below = measure_indent(line), measure_indent(self.look_at(1))
        if indent == self._of_term:
            self.end()
        if not self.kind:
            self._of_item = self._of_item if indent > self._of_item else -1
            self._of_term = -1
            if self._read_heading(line) or self._read_table(line) or self._read_field(line):
                return
        item = _ITEM.match(line) if self.kind != "paragraph" else None
        if item and item["number"] and self.look_at(1) and below <= indent:
            item = _ITEM.match(self.look_at(1)) and item  # Else it is a sentence.
        if explicit := _EXPLICIT.fullmatch(line):
            self._read_explicit(explicit, indent)
        elif item:
            self.begin("item")
            self._of_item = indent if self._of_item < 0 else self._of_item
            # What the item begins with is read as a line of its own.
            self.lines[self.number] = line[item.end() :].rjust(len(line))
            self.number -= 1
        else:
            if not self.kind:
                self._of_term = indent if below > indent and line[-1] != ":" else -1
                line += ":" if self._of_term >= 0 else ""
                is_item = self._of_item >= 0 or self._of_term >= 0
                self.begin("item" if is_item else "paragraph")
            is_above_code = line.endswith("::")
            if text := line.removesuffix("::").strip().removeprefix("| "):
                self.take(f"{text}:" if is_above_code else text)
            if is_above_code:
                self.add_lines("code", *self.take_below(indent), level=1)

    def _read_heading(self, line: str) -> bool:
        """Read a title with its rules, or a rule alone."""
        title, rule, n_below = line, self.look_at(1), 1
        if is_over := _RULE.fullmatch(line) is not None:
            title, rule, n_below = rule.strip(), self.look_at(2), 2
            if rule[:1] != line[0] or not any(map(str.isalnum, title)):
                return len(line) >= _LEAST_RULE
        is_long = len(rule) >= min(len(title), _LEAST_RULE)
        if not is_long or line[0] == " " or not _RULE.fullmatch(rule):
            return False
        mark = rule[0] * (1 + is_over)
        self._rules += [mark] if mark not in self._rules else []
        self.add("heading", title, self._rules.index(mark) + 1)
        self.number += n_below
        return True

    def _read_table(self, line: str) -> bool:
        if is_table := _BORDER.fullmatch(line) is not None:
            lines = [line, *self.take_to("")]
            is_whole = _BORDER.fullmatch(lines[-1]) is not None
            self.add_table(*_read_rows(lines if is_whole else [*lines, *self.take_to(line)]))
        return is_table

    def _read_field(self, line: str) -> bool:
        if not (field := _FIELD.fullmatch(line)):
            return False
        text = " ".join([field[2] or "", *self.take_below(measure_indent(line))])
        is_in_head = len(self.blocks) < _HEAD and all(
            block.kind in ("heading", "hidden") for block in self.blocks
        )
        is_setting = is_in_head and _SETTING.fullmatch(field[1]) is not None
        is_text = len(text.split()) >= _FEWEST_WORDS and not is_setting
        self.add("item" if is_text else "hidden", f"{field[1]}: {text}")
        return True

    def _read_explicit(self, explicit: re.Match[str], indent: int) -> None:
        name, text = (explicit["name"] or "").lower(), explicit["text"] or ""
        n_headers, headers = 0, ""
        while name and (option := _OPTION.match(self.look_at(1))):
            n_headers += option[1] == "header-rows"
            headers = option[2] if option[1] == "header" else headers
            self.number += 1
        if name in _CODE:
            level = int(text.lower() in ("", "none", "text") or name == "parsed-literal")
            self.add_lines("code", *self.take_below(indent), level=level)
        elif name == "list-table":
            self.add_lines("hidden", text)
            rows = _ROW.split("\n".join(["", *self.take_below(indent)]))[1:]
            self.add_table([_CELL.split(row) for row in rows], n_headers)
        elif name == "csv-table":
            self.add_lines("hidden", text)
            lines = [headers or "", *self.take_below(indent)]
            self.add_table(_read_csv(lines), n_headers + bool(headers))
        elif explicit["note"] or name in NOTES:
            # Of what says since when, without the version.
            text = text.lstrip("0123456789. ") if "version" in name else text
            kind = "aside" if explicit["note"] else "bold" if name == "rubric" else "paragraph"
            self.begin(kind if text else "", text)
        else:
            is_hidden = name in _NO_TEXT or (not name and (text or self.look_at(1)))
            kind = "code" if _NOTATION.fullmatch(name) else "hidden"
            self.add_lines(kind, text, *(self.take_below(indent) if is_hidden else ()))

    def show(self, text: str) -> str:
        return _INLINE.sub(self._show_inline, text)

    def _show_inline(self, match: re.Match[str]) -> str:
        if match["role"] is not None:
            shown = _TARGET.sub("", match["role"]).lstrip("~!")
            role = (match["of"] or "").upper()
            return f"{role} {shown}" if role in _NUMBERED and shown[:1].isdigit() else shown
        if name := match["named"]:
            return self._named.get(name, name)
        return match["code"] or match["marked"] or match["escaped"] or ""


def _read_csv(lines: Sequence[str]) -> list[list[str]]:
    """The rows of a table in CSV; its lines, if it is none."""
    try:
        reader = csv.reader([f"{line.strip()}\n" for line in lines], skipinitialspace=True)
        return [row for row in reader if row]
    except csv.Error:
        return [[line] for line in lines if line]


def _read_rows(lines: Sequence[str]) -> tuple[list[list[str]], int]:
    """The rows of a table between borders, and how many of them are headers."""
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
    return rows, n_headers
