"""Markdown, by CommonMark (https://spec.commonmark.org) with tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import srsly

from spacy_thematic.articles import html
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.documents import Block, assemble, count_words, decode, promote_bold
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.layout.lines import LONGEST_HEADING
from spacy_thematic.layout.speech import are_said, find_speakers

if TYPE_CHECKING:
    from markdown_it.token import Token

SUFFIXES = (".md", ".markdown", ".mdx")


_FRONT_MATTER = re.compile(
    r"\ufeff?(?:[ \t]*\r?\n)*+(---|\+\+\+)[ \t]*\r?\n(?=[^\s])(?P<settings>.{0,20000}?)\n"
    r"(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)",
    re.DOTALL,
)
# A line of YAML or TOML: a name and its value, a table, or what goes on with either.
_SETTING = re.compile(
    r"(?P<name>[\w.\"'-]{1,40}(?:[ ][\w.\"'-]{1,40}){0,2}[ \t]*(?::(?:\s|\Z)|=))|[\s#\[}\]\"'-]|\Z"
)
_STATED = re.compile(r"^(title|date)[ \t]*[:=][ \t]*(\S[^\n]*)$", re.MULTILINE | re.IGNORECASE)


def _match_front_matter(text: str) -> re.Match[str] | None:
    """Find front matter. What stands between two rules may be prose as well."""
    if not (found := _FRONT_MATTER.match(text) or _HEADERS.match(text)):
        return None
    lines = [_SETTING.match(line) for line in found["settings"].split("\n")]
    if all(lines) and any(line and line["name"] for line in lines):
        return found  # Even if it is no YAML, as where a template fills it in.
    try:
        return found if isinstance(srsly.yaml_loads(found["settings"]), dict) else None
    except ValueError:
_HEADERS = re.compile(
    r"\ufeff?(?P<settings>title:[^\n]*(?:\n(?:[\w-]{1,40}:|[ \t]+\S)[^\n]*)+)\n"
    r"(?:[ \t\r]*\n|(?=#))",
    re.IGNORECASE,
)
"""Front matter without rules, as MultiMarkdown and Pelican have it."""
        return None


def parse_markdown(
    content: bytes, name: str, source: str, *, lists: bool = False, log: ReadLog | None = None
) -> Article:
    """Make an article from a Markdown document.

    Only prose is kept: no code, and unless `lists` is true no lists, no quotations and no cells of
    tables, of which those are kept that the reader of HTML keeps. The title is that of the front
    matter, else the only heading of level 1, else `name`. The log notes what was left out.
    """
    text = decode(content, log, source)
    front_matter = _match_front_matter(text)
    stated = _STATED.findall(front_matter["settings"]) if front_matter else []
    settings = {key.lower(): value.strip().strip("'\"").strip() for key, value in reversed(stated)}
    title = settings.get("title") or name
    article = assemble(choose_blocks(find_blocks(text), lists, log), title, source)
    if log and front_matter:
        n_words = count_words(front_matter["settings"])
        log.leave_out({"front-matter block": 1}, n_words, 0)
    if title != name:
        article.title = title
    article.date = settings.get("date", "")
    return article


_NO_PROSE = ("code", "heading")
_NO_LANGUAGE = ("", "plain", "plaintext", "text", "txt")
"""Of code, which may be prose then."""


def choose_blocks(
    blocks: Sequence[Block], lists: bool, log: ReadLog | None = None
) -> Iterator[Block]:
    """Yield the headings and the paragraphs, with `lists` also items of lists and quotations; of
    HTML, and with `lists` of tables, what the reader of HTML takes. The log notes what is left
    out. Where there is nothing but headings and code, prose in what is in no language is read."""
    if all(block.kind in _NO_PROSE or not block.text.strip() for block in blocks):
        blocks = [
            block._replace(kind="html", level=0, text=f"<pre>{escape(block.text)}</pre>")
            if block.kind == "code" and block.level
            else block
            for block in blocks
        ]
    left_out: Counter[str] = Counter()
    n_kept = n_left_out = 0
    for block in _write_tables(blocks) if lists else blocks:
        if block.kind == "html" and (lists or not block.level):
            yield from html.choose_blocks(html.find_blocks(block.text), lists, log)
        elif block.kind == "item" and block.level:
            left_out["table-of-contents link"] += 1
            n_left_out += count_words(block.text)
        elif block.kind in ("heading", "paragraph") or (lists and block.kind in ("item", "quote")):
            n_kept += count_words(block.text)
            yield block
        else:
            n_left_out += count_words(block.text)
            left_out["code block"] += block.kind == "code"
            left_out["table"] += block.kind == "table" and block.level > 0
    if log:
        log.leave_out(left_out, n_left_out, n_kept)


def _write_tables(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks, with the rows of tables written in HTML."""
    for is_table, rows in groupby(blocks, lambda block: block.kind == "table"):
        if not is_table:
            yield from rows
            continue
        text = ""
        for row in rows:
            cells = "".join(f"<td>{escape(cell)}" for cell in row.text.split(_CELL))
            text += f"{'</table><table>' * row.level}<tr>{cells}"
        yield row._replace(kind="html", level=0, text=text)


_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}$")
# The kind of a note ("> [!WARNING]", ":::tip", "!!! tip"), a box to tick, the lines of code in MDX.
_MARK = re.compile(
    r"\A(?:\s*\[(?:!\w[\w-]*\][+-]?|[ xX]\](?=\s))"
    r"|:{3,} ?\w*(?:\[[^\[\]]*\])?|[!?]{3}\+? \w+(?: \"[^\"]*\")?|={3}[!+]? \"[^\"]*\""
    r"|import\s[^.]{1,200}?\sfrom\s[\"'].*"
    r"|export\s+(?:(?:const|let|var|function|class)\s+\w+\s*[=({]"
    r"|default\s+(?:function|class|[({])).*)"
)
_TEMPLATE = re.compile(
    r"\{%[^{}]{1,200}%\}|\{\{[<%][^{}]{1,200}[>%]\}\}|\{/\*.{0,500}?\*/\}|:{3,}\Z"
)
"""Tags of Liquid, Jinja and Hugo; comments of MDX; the end of a note (":::")."""
_BROKEN_LINK = re.compile(
    r"(?P<head>(?<!`)\[[^\[\]]{1,500}\]\()(?P<to>(?:\w{2,10}:|[./#])[^\s()<>]{1,2000}\r?\n[^\s()<>\"']{1,2000}"
    r"|\{\{[<%] {0,9}(?:rel)?ref {1,9}\"(?P<place>#[^\s\"]{1,200})\" {0,9}[>%]\}\}"
    r"|(?:[^\s(){}]{0,200}\{[{%][^{}\n]{1,200}\}\}?){1,5}[^\s(){}]{0,200})\)"
)
"""Where a link leads that was wrapped, to a place of its document, or to what a template tells."""
_NOTE = re.compile(r"(?:[!?]{3}\+? \w|={3}[!+]? \")")
"""Begins a note or a tab of MkDocs. Indented paragraphs below it are its text, and no code."""
_MOST_NESTED = 10
_NO_BRACE = r"[^{}]{0,2000}+"
_BRACED = rf"\{{{_NO_BRACE}\}}"
for _ in range(2):  # Braces within braces within braces.
    _BRACED = rf"\{{{_NO_BRACE}(?:{_BRACED}{_NO_BRACE}){{0,99}}+\}}"
_VALUE = rf"(?:\"[^\"<>]{{0,2000}}\"|'[^'<>]{{0,2000}}'|{_BRACED})"
_JSX = re.compile(
    rf"(?<!`)<[A-Za-z][\w.]{{0,60}}(?=[^<>]{{0,2000}}\{{)"
    rf"(?:\s{{1,200}}(?:[\w:-]{{1,60}}(?:={_VALUE})?|{_BRACED})){{0,60}}\s{{0,200}}/?>"
)
"""A tag of MDX with values in braces, which CommonMark takes for text."""
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,50}\]:?")


_ALONE = {"code_block": "code", "fence": "code", "html_block": "html"}
_WITHIN = {"tr_open": "table", "blockquote_open": "quote", "list_item_open": "item"}
_CELL = "\t"
"""Between the cells of a row."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


def find_blocks(text: str) -> list[Block]:
    """Find the blocks of a Markdown document after its front matter, each of whole lines. A row of
    a table is a block, and the first one has level 1; so has an item that is a link to a place of
    the document, as in a table of contents, and code in no language. A heading in a list or a
    quotation is an item or a quotation; a bold paragraph may be a heading, as `promote_bold` says.
    What is written in HTML is of the kind "html", and its level says how deep it stands in lists
    and quotations."""
    offset = measure_front_matter(text) or text.startswith("\ufeff")
    starts = [match.start() for match in _LINE.finditer(text, offset)]
    rest = _BROKEN_LINK.sub(_mend_link, text[offset:])
    if "{" in rest:
        rest = _JSX.sub(lambda tag: _blank(tag[0]), rest)
    return promote_bold(_parse(rest, starts))


def _mend_link(link: re.Match[str]) -> str:
    place = link["place"] or _blank(link["to"])
    return f"{link['head']}{place.ljust(len(link['to']))})"


def _blank(text: str) -> str:
    """Blanks that keep the places of what stands behind them."""
    return re.sub(r"[^\r\n]", " ", text)


def _parse(text: str, starts: Sequence[int], nested: int = 0) -> list[Block]:
    """Find the blocks of Markdown whose lines, and what ends the last, begin at some places.
    nested: in how many notes it stands."""
    from markdown_it import MarkdownIt

    blocks: list[Block] = []
    around: list[Token] = []
    start = end = starts[0]
    is_note = False
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        if token.nesting == 1:
            around.append(token)
        elif token.nesting == -1:
            around.pop()
        if token.map and token.type != "inline":
            start, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        if token.type == "code_block" and token.map and is_note and nested < _MOST_NESTED:
            blocks += _parse(token.content, starts[token.map[0] :], nested + 1)
        elif token.type in _ALONE:
            is_plain = token.info.strip().lower() in _NO_LANGUAGE
            level = token.level if token.type == "html_block" else int(is_plain)
            blocks.append(Block(_ALONE[token.type], start, end, level, token.content))
        elif token.type == "inline":
            is_note = _NOTE.match(token.content) is not None
            block = _make_block(token, around, start, end)
            if block.kind == "table" and blocks and blocks[-1].start == start:
                block = block._replace(text=f"{blocks.pop().text}{_CELL}{block.text}")
            blocks += _divide(block, starts, token.map or [0, 0]) if "\n" in block.text else [block]
    headings = [block for block in blocks if block.kind == "heading"]
    spoken = find_speakers([block.text for block in headings])
    speakers = {block.start for block, is_speaker in zip(headings, spoken) if is_speaker}
    return [
        block._replace(kind="paragraph", level=0) if block.start in speakers else block
        for block in blocks
    ]


def _divide(block: Block, starts: Sequence[int], lines: Sequence[int]) -> list[Block]:
    """A block for each line of one that is made of these lines of the document."""
    places = [starts[min(line, len(starts) - 1)] for line in range(lines[0], lines[1] + 1)]
    return [
        block._replace(start=start, end=end, text=text.strip())
        for text, (start, end) in zip(block.text.split("\n"), pairwise(places))
    ]


def _make_block(token: Token, around: Sequence[Token], start: int, end: int) -> Block:
    """A block of text, and the elements around it. It has lines only where someone says most."""
    types = {one.type for one in around}
    kind = next((kind for tag, kind in _WITHIN.items() if tag in types), "paragraph")
    lines = "".join(_words(token.children or [])).split("\n")
    n_lines = token.map[1] - token.map[0] if token.map else 0
    is_said = kind == "paragraph" and len(lines) == n_lines and are_said(lines)
    text = ("\n" if is_said else " ").join(lines)
    if "heading_open" not in types:
        text = _MARK.sub("", text, 1)
        if kind == "paragraph" and _is_bold(token.children or []):
            kind = "bold"
    elif kind == "paragraph" and not _is_ruled_off(around[0], token, text):
        text = _ATTRIBUTES.sub("", text)
        kind = "heading"
    if kind == "heading":
        level = int(around[0].tag[1])
    else:
        level = int("thead_open" in types or (kind == "item" and _is_of_contents(token)))
    return Block(kind, start, end, level, _FOOTNOTE.sub("", text))


def _is_ruled_off(heading: Token, token: Token, text: str) -> bool:
    """Whether a heading with a rule below it is a paragraph, or marks alone, above a rule."""
    is_prose = "\n" in token.content or len(text) > LONGEST_HEADING or text.endswith(".")
    return heading.markup in ("-", "=") and (is_prose or not any(map(str.isalnum, text)))


def _is_of_contents(token: Token) -> bool:
    """Whether inline text is nothing but a link to a place of its document."""
    inner = token.children or [token]
    links = [one for one in inner if one.type == "link_open"]
    is_link = len(links) == 1 and inner[0] is links[0] and inner[-1].type == "link_close"
    return is_link and str(links[0].attrGet("href")).startswith("#")


_BOLD_TAG = re.compile(r"<(/?)(?:b|strong)\b", re.IGNORECASE)


def _is_bold(tokens: Sequence[Token]) -> bool:
    """Whether all words of inline text are bold."""
    depth = 0
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            depth += token.nesting
        elif token.type == "html_inline" and (tag := _BOLD_TAG.match(token.content)):
            depth += -1 if tag[1] else 1
        elif depth < 1 and any(map(str.isalnum, token.content)) and token.type != "image":
            return False
    return True


_CODE_TAG = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<(?:br|/?p|/?div|hr|li)\b", re.IGNORECASE)


def _words(tokens: list[Token]) -> Iterator[str]:
    """The text of inline tokens in its lines, without that between tags of script or style."""
    is_code = False
    for token in tokens:
        if token.type == "html_inline" and (tag := _CODE_TAG.match(token.content)):
            is_code = not tag[1]
        elif is_code:
            continue
        elif token.type == "text":
            yield _TEMPLATE.sub("", token.content)
        elif token.type == "code_inline":
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif _BREAK_TAG.match(token.content):
            yield " "


_MAYBE_HEADING = re.compile(r"^\ufeff? {0,3}(?:#{1,6}(?:\s|$)|(?:=+|-+)[ \t]*$)", re.MULTILINE)


def may_have_headings(text: str) -> bool:
    """Whether a line looks like a heading of Markdown, as one within code may."""
    return _MAYBE_HEADING.search(text.replace("\r", "\n")) is not None


def measure_front_matter(text: str) -> int:
    """Return how many characters of a Markdown document are front matter."""
    found = _match_front_matter(text)
    return found.end() if found else 0
