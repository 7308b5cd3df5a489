"""Reads the sections and blocks of Org (https://orgmode.org/worg/org-syntax.html)."""

import re
from math import inf

from spacy_thematic.articles.documents import Block
from spacy_thematic.articles.light_markup import LineReader, measure_indent
from spacy_thematic.layout.lines import LONGEST_HEADING

_STATES = """
    CANCELED CANCELLED COMMENT DELEGATED DONE HOLD IN-PROGRESS INPROGRESS NEXT PROJ STARTED TODO
    WAIT WAITING
""".split()
"""Of tasks. A document may name others."""
_HEADING = re.compile(r"(\*+) +(?:([A-Z-]+)(?: +|\Z))?(?:\[#\w\] *)?(.*)")
_DONE_AND_TAGS = re.compile(r"(?:\s+\[(?:\d*/\d*|\d*%)\])?(?:\s+:[\w@#%:-]+:)?\Z")
_PLAN = re.compile(r"\s*(?:CLOCK|CLOSED|DEADLINE|SCHEDULED):(?:\s.*)?")
_DRAWER = re.compile(r"\s*:([\w-]+):")
_HIDING = ("CLOCK", "LOGBOOK", "PROPERTIES")
"""Drawers without text."""
_KEYWORD = re.compile(r"\s*#(?:\+(?:(\w+)(?:\[.*\])?:\s*(.*)|.*)|\s.*)?")
"""A setting, or a comment."""
_SETS_STATES = ("SEQ_TODO", "TODO", "TYP_TODO")
_BEGIN = re.compile(r"\s*(?:#\+begin_(\w+)(?:\s+(\S+))?|\\begin\{(\w+)\*?\}).*", re.IGNORECASE)
_END = re.compile(r"^\s*(?:#\+end_(\w+).*|\\end\{(\w+)\*?\}[^a-z]*\Z)", re.IGNORECASE)
_CODE = frozenset("ascii ditaa example export groff html latex src".split())
_QUOTES = ("quote", "verse")
_ITEM = re.compile(r"(?:\s*(?:[-+]|\d{1,3}[.)])|\s+\*)\s+(?:\[@\d+\]\s+)?(?:\[[ xX-]\]\s+)?(?=\S)")
_FIXED = re.compile(r"\s*:(?: |\Z)")
"""Begins a line of code."""
_ROW = re.compile(r"\s*\|")
_NOTE = re.compile(r"\[fn:[^\[\]\s:]+\]\s")
_FEWEST_WORDS = 4
"""Of a heading that heads nothing, to be an item."""
_TEXT = ("item", "paragraph", "quote")
_INLINE = re.compile(
    r"\[\[(?P<target>[^\[\]]{1,2000})\](?:\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\]){0,2000})\])?\]"
    r"|\[fn:[^\[\]\s:]*(?:\]|:(?P<note>[^\[\]]{0,2000})\])"
    r"|\[cite[^\[\]]{0,500}\]|\{\{\{[^{}]{0,200}\}\}\}|@@[^@]{0,500}@@|\\\\$"
    r"|<<<?(?P<named>[^<>\n]{1,100})>>>?"
    r"|[<\[](?P<day>\d{4}-\d\d-\d\d)(?: [^<>\[\]\n]{0,60})?[>\]]"
    r"|(?<![^\s({\[\"'—-])(?P<mark>\*\*|[*/_+=~])(?=\S)"
    r"(?P<marked>(?:(?!(?P=mark)).){1,500}?(?<=\S))(?P=mark)(?![^\s.,:;!?'\")}\]\\—-])",
    re.DOTALL | re.MULTILINE,
)
_OF_CONTENTS = re.compile(r"\[\[[#*][^\[\]]+\]\[[^\[\]]+\]\]")
_LITERAL = ("=", "~")
_PICTURE = re.compile(r".*\.(?:gif|jpe?g|pdf|png|svg|webp)", re.IGNORECASE | re.DOTALL)
_PLACE = re.compile(r"(?:file:|[*#])|id:.*")


class OrgReader(LineReader):
    """Finds the blocks of Org. The title is above all headings."""

    SUFFIXES = (".org",)
    BOLD = re.compile(r"\*\*?[^*]+\*\*?:?")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.lines = [
            _END.sub(lambda end: f"#+end_{(end[1] or end[2]).lower()}", one) for one in self.lines
        ]
        self._states = {*_STATES}
        self._tasks: set[int] = set()
        """The numbers of the blocks that are headings with a state."""
        self._of_item = -1
        """How far the item is indented to which the next line may belong."""
        self._is_hidden = False
        """Whether a drawer is open that holds no text."""

    def find_blocks(self) -> list[Block]:
        """Find the blocks. A heading that heads nothing is an item, if it is a task or has some
        words, and so is one that is too long."""
        blocks = super().find_blocks()
        below: float = 0
        for number in range(len(blocks) - 1, -1, -1):
            block = blocks[number]
            if block.kind == "heading" and block.level > 1:
                is_said = number in self._tasks or len(block.text.split()) >= _FEWEST_WORDS
                if (is_said and below <= block.level) or len(block.text) > LONGEST_HEADING:
                    blocks[number] = block._replace(kind="item", level=0)
                below = block.level
            elif block.kind in _TEXT:
                below = inf
        return blocks

    def add(self, kind: str, text: str, level: int = 0) -> None:
        is_of_contents = kind == "item" and _OF_CONTENTS.fullmatch(text)
        super().add(kind, text, -1 if is_of_contents else level)

    def read_line(self, line: str) -> None:
        indent = measure_indent(line)
        if drawer := _DRAWER.fullmatch(line):
            is_end = drawer[1].upper() == "END"
            self._is_hidden = not is_end and (self._is_hidden or drawer[1].upper() in _HIDING)
        if heading := _HEADING.fullmatch(line):
            self._is_hidden, self._of_item = False, -1
            self._add_heading(*heading.groups())
        elif drawer or self._is_hidden or _PLAN.fullmatch(line):
            self.add("hidden", line)
        elif begin := _BEGIN.fullmatch(line):
            self._read_block((begin[1] or begin[3]).lower(), begin)
        elif keyword := _KEYWORD.fullmatch(line):
            name, value = (keyword[1] or "").upper(), keyword[2] or ""
            if name in _SETS_STATES:
                self._states.update(re.findall(r"[^\s|()]+", value))
            is_title = name == "TITLE" and value
            self.add("heading" if is_title else "hidden", value, int(bool(is_title)))
        elif _ROW.match(line):
            lines = [
                row.strip().removeprefix("|").removesuffix("|") for row in self.take_while(_ROW)
            ]
            rows = [row.split("|") for row in lines if row[:1] != "-"]
            n_headers = next((n for n, row in enumerate(lines) if row[:1] == "-"), 0)
            self.add_table(rows, n_headers if n_headers < len(rows) else 0)
        elif _FIXED.match(line):
            lines = [_FIXED.sub("", own, 1) for own in self.take_while(_FIXED)]
            self.add_lines("code", *lines, level=1)
        elif _NOTE.match(line):
            self.begin("aside", line)
        elif item := _ITEM.match(line):
            self.begin("item", line[item.end() :].replace(" :: ", ": ", 1))
            self._of_item = indent if self._of_item < 0 else min(indent, self._of_item)
        elif line.strip("- "):
            if self._of_item >= indent and self.kind != "paragraph":
                self.end()
                self._of_item = -1
            if not self.kind:
                self.begin("item" if self._of_item >= 0 else "paragraph")
            self.take(line)

    def _add_heading(self, stars: str, state: str | None, title: str) -> None:
        self.end()
        if state in self._states:
            self._tasks.add(len(self.blocks))
        elif state:
            title = f"{state} {title}".strip()
        if title := _DONE_AND_TAGS.sub("", title):
            self.add("heading", title, len(stars) + 1)

    def _read_block(self, name: str, begin: re.Match[str]) -> None:
        self.end()
        start = self.number
        if begin[3]:  # A formula ends where its paragraph does, if not before.
            while self.look_at(1) and self.lines[self.number] != f"#+end_{name}":
                self.number += 1
            self.add_lines("hidden", *self.lines[start : self.number + 1])
        elif name == "comment":
            self.add_lines("hidden", *self.take_to(f"#+end_{name}"))
        elif name in _CODE:
            self.add_lines("code", *self.take_to(f"#+end_{name}"), level=int(not begin[2]))
        elif name in _QUOTES:
            for part in "\n".join(self.take_to(f"#+end_{name}")).split("\n\n"):
                self.add("quote", part)

    def show(self, text: str) -> str:
        return _INLINE.sub(self._show_inline, text)

    def _show_inline(self, match: re.Match[str]) -> str:
        if target := match["target"]:
            shown = match["label"] or target
            return "" if _PICTURE.fullmatch(shown) else _PLACE.sub("", self.show(shown), 1)
        if marked := match["marked"]:
            return marked if match["mark"] in _LITERAL else self.show(marked)
        note = f" ({self.show(match['note'])})" if match["note"] else ""
        return match["day"] or match["named"] or note
