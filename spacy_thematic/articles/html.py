"""HTML documents: headings and the prose of their paragraphs."""

import codecs
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from html import unescape
from itertools import groupby
from typing import Any, NamedTuple

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.documents import (
    BUTTON,
    Block,
    assemble,
    clean,
    count_words,
    decode,
    promote_bold,
)
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.layout.lines import BLANK_LINES
from spacy_thematic.layout.repeats import find_around_books

SUFFIXES = (".html", ".htm", ".xhtml")

_HEAD = 4096
_PAGE = re.compile(
    r"(?:\xef\xbb\xbf|[\ufeff\s]|<\?xml\b[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_page(text: str) -> bool:
    """Whether a text begins as an HTML document does, perhaps after comments."""
    return _PAGE.match(text, 0, _HEAD) is not None


_FRAGMENT = re.compile(
    r"\ufeff?\s*<(?:body|div|h[1-6]|p|section|article|main|table|[ou]l)\b", re.IGNORECASE
)


def is_fragment(text: str) -> bool:
    """Whether a text begins as a piece of an HTML document does."""
    return _FRAGMENT.match(text) is not None


_OF_WORDS = frozenset("a b em font i span strong sub sup u".split())
_TAG = re.compile(
    rf"<(/?)({'|'.join(sorted(_OF_WORDS))}|blockquote|div|h[1-6]|li|ol|p|ul"
    r"|table|tbody|td|th|thead|tr)(?:\s[^<>]{0,500})?>",
    re.IGNORECASE,
)
_CHARACTER = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8}\d?);", re.IGNORECASE)
_ABOUT_MARKUP = re.compile(r"(?<![\w./-])(?:X?HT|X)ML\b", re.IGNORECASE)


def strip_tags(text: str) -> str:
    """Take the tags of paragraphs, tables and words off a plain text, if they are closed and it has
    twice as many words, and put characters in place of references ("&amp;"). A text about markup
    stays as it is."""
    if not ("<" in text or "&" in text) or _ABOUT_MARKUP.search(text):
        return text
    opened: Counter[str] = Counter()
    closed: Counter[str] = Counter()
    for close, tag in _TAG.findall(text):
        (closed if close else opened)[tag.lower()] += 1
    if opened.keys() == closed.keys() and all(
        n == closed[tag] or (tag in ("li", "p") and n > closed[tag]) for tag, n in opened.items()
    ):
        rest = _TAG.sub(lambda tag: "" if tag[2].lower() in _OF_WORDS else "\n\n", text)
        if count_words(rest) >= 2 * (opened.total() + closed.total()):
            text = rest
    return _CHARACTER.sub(lambda reference: unescape(reference[0]), text)


def parse_html(
    content: bytes, name: str, source: str, *, lists: bool = False, log: ReadLog | None = None
) -> Article:
    """Make an article from an HTML document.

    Only `h1` to `h6` and `p`, of which bold ones may be headings, are kept, and not those in
    navigation, code, tables, lists and the like, nor hidden ones, unless they unfold, nor what
    stands beside the text of the page: outside of the smallest element that holds nine tenths of
    it, or in one that calls itself a sidebar, comments and the like, unless that is most of the
    page. With `lists` also quotations, definitions, captions, items of lists, but not links of
    fewer than four words; text in a cell of a table, or in no paragraph, as in a `div`, if it has
    four words or more and ends as a sentence does, or stands in no list or table, is no link, and
    the page has no menu, or most such text in elements of its class is read; and where such text
    and cells of five words or more are most of the words of a table, its rows. If nothing is left,
    all such text is kept; and where `pre` holds nine tenths of a page, and prose, all of it, as of
    a plain text. The title is the only `h1`, else `title`, else `name`.
    The log notes what was left out.
    """
    text = decode_html(content, log, source)
    page = find_blocks(text)
    if lists and _is_plain(page):
        # EDGAR writes "<PAGE>" and "<TABLE>" into its texts, which are no HTML.
        blocks = find_blocks(_OF_EDGAR.sub(lambda tag: f"&lt;{tag[1]}>", text)).blocks
        lead = Section("", 1, [block.text for block in blocks])
        return Article(page.title or name, source, [lead], is_plain=True)
    return assemble(choose_blocks(page, lists, log, is_page=True), page.title or name, source)


def _is_plain(page: "HtmlPage") -> bool:
    """Whether a page is a plain text in a frame of tags: `pre` holds nine tenths of its words, and
    more are in paragraphs of prose there than in what looks like code."""
    within = [block.text for block in page.blocks if "pre" in block.within]
    code = [text for text in within if has_marks(text)]
    # The clauses of a contract end with semicolons.
    prose = [text for text in within if is_prose(text.replace(";", ".")) and not has_marks(text)]
    kinds = ([block.text for block in page.blocks], within, code, prose)
    n_words, n_within, n_code, n_prose = (sum(map(count_words, texts)) for texts in kinds)
    return n_within >= _BODY * n_words and n_prose > n_code


class HtmlBlock(NamedTuple):
    """A block of an HTML document. The first five are those of `documents.Block`; the places are
    those of its first opening tag and of the end of its text.

    Attributes:
        tag: Of the paragraph, the heading or the item; "" of text in none.
        within: What it stands in, and the number of that: lists, tables and the like.
        is_text: Whether it reads like text.
        is_loose: Whether it stands in no paragraph, and is mostly no link.
        pieces: Where the parts of `text` begin in it, and where they stand in the document.
        element: The number of the element that it stands in.
    """

    kind: str
    start: int
    end: int
    level: int
    text: str
    tag: str
    within: dict[str, int]
    is_text: bool
    is_loose: bool
    pieces: tuple[list[int], list[int]]
    element: int


def find_pieces(
    offsets: list[int], places: list[int], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield where the pieces of a part of a text begin in it, and in the document."""
    for number in range(bisect_right(offsets, start) - 1, bisect_left(offsets, end)):
        offset = max(offsets[number], start)
        yield offset, places[number] + offset - offsets[number]


class HtmlPage(NamedTuple):
    """What an HTML document shows: its title, its blocks in order, and of what is hidden or no text
    the kind and the number of words, for each part. `parents`: the element around each one, which
    has a smaller number; 0 is the whole page. `kinds`: the same for elements that are alike.
    `has_menu`: whether many of its words are in blocks of links to other pages."""

    title: str
    blocks: list[HtmlBlock]
    unread: list[tuple[str, int]]
    parents: list[int]
    kinds: list[str]
    has_menu: bool


def find_blocks(text: str) -> HtmlPage:
    """Find the blocks of an HTML document, or a piece of one, however broken it is."""
    reader = _Reader()
    place = 0
    for match in _TOKEN.finditer(text):
        reader.read_text(text[place : match.start()], place)
        place = match.end()
        if match["raw"]:
            if match["raw"].lower() == "title" and not reader.title:
                reader.title = " ".join(unescape(match["content"] or "").split())
        elif match["close"]:
            reader.close(match["tag"].lower())
        elif match["tag"]:
            reader.open(match["tag"].lower(), match["attributes"], match.start())
    reader.read_text(text[place:], place)
    reader.end_block()
    n_words = sum(count_words(block.text) for block in reader.blocks)
    return HtmlPage(
        reader.title,
        promote_bold(reader.blocks),
        [*reader.unread.values()],
        reader.parents,
        reader.kinds,
        reader.n_away > _OF_MENU * n_words,
    )


def choose_blocks(
    page: HtmlPage, lists: bool, log: ReadLog | None = None, *, is_page: bool = False
) -> list[Block]:
    """The blocks of an HTML document that are prose, as `parse_html` says; of those of a whole page
    that would be blank otherwise, all that is no code. The log notes what is left out."""
    left_out = frozenset(_FURNITURE if lists else _LEFT_OUT)
    if lists and not is_page:
        left_out -= {"aside"}  # In Markdown, a note of its author.
    page = page._replace(blocks=_set_licence_aside([*_join_alike(page, [*_join_rows(page)])]))
    found = [
        block
        for block in page.blocks
        if (lists or block.level or (block.tag == "p" and block.kind != "aside"))
        and left_out.isdisjoint(block.within)
    ]
    has_text = any(block.is_text and not block.level for block in found)
    if has_text and lists and is_page and not page.has_menu:
        chosen = [
            block
            for block in found
            if block.is_text
            or (block.is_loose and block.kind != "aside" and block.within.keys() <= {"blockquote"})
        ]
    elif not is_page or has_text:
        chosen = [block for block in found if block.is_text]
    else:
        chosen = [block for block in found if block.is_text or "pre" not in block.within]
    if is_page:
        chosen = _find_body(page, chosen)
    if log:
        note_rest(page, chosen, log, left_out)
    return [Block(*block[:5]) for block in chosen]


def find_shown(page: HtmlPage, log: ReadLog | None = None) -> list[HtmlBlock]:
    """The blocks of a page but for menus, footers and what else stands beside its text; all of them
    if none is left. A row of a table is a block. The log notes what is left out."""
    inner = [block for block in page.blocks if not any(tag in block.within for tag in _FURNITURE)]
    shown = _find_body(page, inner) or page.blocks
    if log:
        note_rest(page, shown, log, frozenset(_FURNITURE))
    return [*_show_rows(shown, page.parents)]


def _join_rows(page: HtmlPage) -> Iterator[HtmlBlock]:
    """Yield the blocks, but of tables of cells that mostly hold text or phrases, each row of plain
    cells as one, which is text unless it is a header or holds only links."""
    words: Counter[int] = Counter()
    for block in page.blocks:
        if "table" in block.within:
            sign = 1 if block.is_text or _is_phrase(block) else -1
            words[block.within["table"]] += sign * count_words(block.text)
    for (table, row), found in groupby(
        page.blocks, lambda block: (block.within.get("table", 0), block.within.get("tr", 0))
    ):
        cells = [*found]
        if words[table] <= 0:
            yield from cells
            continue
        cells = [cell._replace(is_text=cell.is_text or _is_phrase(cell)) for cell in cells]
        if not _are_plain(cells, page.parents, row) or not any(cell.is_loose for cell in cells):
            yield from cells
        elif any("th" not in cell.within or cell.is_text for cell in cells):
            text = cells[0].text
            for cell in cells[1:]:
                text += f"{' ' if ends_sentence(text) else BETWEEN_CELLS}{cell.text}"
            yield cells[0]._replace(text=text, end=cells[-1].end, element=row, is_text=True)
        else:
            yield from (cell._replace(within={**cell.within, _HEADER: row}) for cell in cells)


def _join_alike(page: HtmlPage, blocks: Sequence[HtmlBlock]) -> Iterator[HtmlBlock]:
    """Yield the blocks, of which those in no paragraph are text where most others in elements of
    the same class are, as the posts of a forum."""
    alike: defaultdict[str, list[bool]] = defaultdict(list)
    kinds = [
        page.kinds[block.element] if block.is_loose and block.within.keys() <= {"side"} else ""
        for block in blocks
    ]
    for block, kind in zip(blocks, kinds):
        alike[kind].append(block.is_text)
    for block, kind in zip(blocks, kinds):
        is_alike = kind and sum(alike[kind]) >= max(_FEWEST_ALIKE, len(alike[kind]) / 2)
        yield block._replace(is_text=True) if is_alike else block


def _are_plain(cells: Sequence[HtmlBlock], parents: Sequence[int], row: int) -> bool:
    """Whether the cells of a row are a block each."""
    elements = {cell.element for cell in cells}
    return len(elements) == len(cells) and all(
        not cell.tag and parents[cell.element] == row for cell in cells
    )


def _show_rows(blocks: Iterable[HtmlBlock], parents: Sequence[int]) -> Iterator[HtmlBlock]:
    """Yield the blocks, each row of plain cells as one, unless it is long, as where a table lays
    out a page."""
    for row, group in groupby(blocks, lambda block: block.within.get("tr", 0)):
        cells = [*group]
        n_words = sum(count_words(cell.text) for cell in cells)
        is_row = row > 0 and len(cells) > 1 and _are_plain(cells, parents, row)
        if not is_row or n_words > _LONGEST_ROW:
            yield from cells
            continue
        filled = {cell.element: cell for cell in cells}
        text = ""
        pieces = [0], [cells[0].pieces[1][0]]
        for element in range(row + 1, cells[-1].element + 1):
            if parents[element] == row:
                text += _CELL if element > row + 1 else ""
                if cell := filled.get(element):
                    pieces[0].extend(offset + len(text) for offset in cell.pieces[0])
                    pieces[1].extend(cell.pieces[1])
                    text += cell.text
        yield cells[-1]._replace(
            kind="table", start=cells[0].start, text=text, pieces=pieces, element=row
        )


def _set_licence_aside(blocks: list[HtmlBlock]) -> list[HtmlBlock]:
    """The blocks, in which those around a book of Project Gutenberg are asides, and headings there
    have no text."""
    for place in find_around_books(block.text for block in blocks):
        block = blocks[place]
        is_heading = block.kind == "heading"
        blocks[place] = block._replace(text="") if is_heading else block._replace(kind="aside")
    return blocks


def _find_body(page: HtmlPage, blocks: Sequence[HtmlBlock]) -> list[HtmlBlock]:
    """The blocks that do not stand beside the text of a page, and the heading that its title begins
    with, which mostly stands above it."""
    inner = [block for block in blocks if "side" not in block.within]
    if _count_text(inner) < _LEAST_INNER * _count_text(blocks):
        inner = [*blocks]
    words = [0] * len(page.parents)
    for block in inner:
        if block.is_text and not block.level and is_prose(block.text):
            words[block.element] += count_words(block.text)
    for element in range(len(words) - 1, 0, -1):
        words[page.parents[element]] += words[element]
    least = max(1, _BODY * words[0])
    body = max((one for one, n_words in enumerate(words) if n_words >= least), default=0)
    body = _widen(page, body, {block.element for block in inner if block.is_text})
    is_inside = [body == 0]
    for element in range(1, len(words)):
        is_inside.append(element == body or is_inside[page.parents[element]])
    return [
        block
        for block in inner
        if is_inside[block.element] or (block.level == 1 and page.title.startswith(block.text))
    ]


def _widen(page: HtmlPage, body: int, with_text: set[int]) -> int:
    """The element around a body of a page that also holds the parts of the text beside it: those
    with text of their own that are of the kind of the body, or of what is around it."""
    around = {0}
    for element in with_text:
        while element not in around:
            around.add(element)
            element = page.parents[element]
    alike = Counter((page.parents[element], page.kinds[element]) for element in around)
    found = element = body
    while element:
        if page.kinds[element] and alike[page.parents[element], page.kinds[element]] > 1:
            found = page.parents[element]
        element = page.parents[element]
    return found


def is_prose(text: str) -> bool:
    """Whether a paragraph has ten words or more and ends as a sentence does."""
    return count_words(text) >= _LEAST_OF_PARAGRAPH and ends_sentence(text)


def note_rest(
    page: HtmlPage,
    chosen: Sequence[HtmlBlock],
    log: ReadLog,
    left_out: frozenset[str] = frozenset(),
) -> None:
    """Note what was not chosen of a page: parts that are hidden or no text, those within elements
    that are left out, and other tables and code."""
    kept = {id(block) for block in chosen}
    parts: set[tuple[str, int]] = set()
    n_words = 0
    for block in page.blocks:
        if id(block) not in kept:
            n_words += count_words(block.text)
            tags = [tag for tag in block.within if tag in left_out]
            tags += [tag for tag in reversed(block.within) if tag in _OTHERS]
            tag = [*tags, "side" if block.is_text or "side" in block.within else ""][0]
            parts.add((tag, block.within.get(tag, 0 if tag else block.element)))
    kinds = Counter(_KINDS.get(tag, "side part") for tag, _ in parts)
    kinds.update(kind for kind, n in page.unread if kind and n)
    n_words += sum(n for kind, n in page.unread if kind)
    log.leave_out(kinds, n_words, sum(count_words(block.text) for block in chosen))


_CHARSET = re.compile(
    rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})"
    rb"|\A\s*<\?xml[^<>]{0,100}?encoding\s*=\s*[\"']([\w-]{1,40})",
    re.IGNORECASE,
)
# Browsers read these as what contains them: https://encoding.spec.whatwg.org/#names-and-labels
_READ_AS = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("utf-16", "utf-16-be", "utf-16-le"), "utf-8"),
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
}
_OTHER_NAMES = {"iso-8859-8-i": "iso8859-8", "x-gbk": "gb18030", "x-sjis": "cp932"}
_OTHER_NAMES |= {"x-mac-cyrillic": "mac-cyrillic", "unicode-1-1-utf-8": "utf-8"}
_UNREADABLE = "\ufffd"
_MOST_DAMAGE = 0.01
"""Share of characters that may be unreadable: browsers show pages with some, too."""


def decode_html(content: bytes, log: ReadLog | None = None, source: object = "") -> str:
    """Decode by the charset that a document declares, as browsers do, else as `decode` does. What
    is UTF-8 is read as such whatever it declares: who saves a page often converts it. Raises
    ValueError if the bytes are not of that charset."""
    declared = None if content.startswith(_BYTE_ORDER) else _CHARSET.search(content[:4096])
    charset = (declared[1] or declared[2]).decode("ascii").lower() if declared else "utf-8"
    try:
        codec = codecs.lookup(_OTHER_NAMES.get(charset, charset)).name
    except LookupError:
        codec = "utf-8"
    codec = _READ_AS.get(codec, codec)
    if codec != "utf-8" and not content.isascii():
        with suppress(UnicodeDecodeError):
            content.decode("utf-8")
            codec = "utf-8"
    if codec == "utf-8":
        return decode(content.replace(b"\0", b"") if declared else content, log, source)
    text = content.decode(codec, errors="replace").replace("\0", "")
    if text.count(_UNREADABLE) > _MOST_DAMAGE * len(text):
        raise ValueError(f"not {charset.upper()} (from character {text.index(_UNREADABLE)} on)")
    return text


_BYTE_ORDER = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(?P<raw>iframe|script|style|svg|template|textarea|title)\b"
    r"(?:[^<>]*/>|[^<>]*>?(?P<content>.*?)(?:</(?P=raw)\s*>|\Z))"
    r"|<(?P<close>/?)(?P<tag>[a-z][a-z0-9-]*)"
    r"(?P<attributes>(?:=\s*(?:\"[^\"]*\"|'[^']*')|[^<>])*)>?"
    r"|<[!?][^<>]*>?",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE = re.compile(r"&(?:#\d{1,7};?|#x[0-9a-f]{1,6};?|[a-z][a-z0-9]{1,30};?)|¶", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([^\s\"'=/]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"']+))?")
_TOOLTIP = "ttc"
"""The class of what Doxygen shows above a name."""
_MAYBE_HIDDEN = re.compile(rf"hidden|none|\b{_TOOLTIP}\b", re.IGNORECASE)
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_IS_NEAR = re.compile(r"""\bhref\s*=\s*["']?#""", re.IGNORECASE)
_IS_ANCHOR = re.compile(
    r"(?!.*(?<![\w-])href\s*=).*(?<![\w-])(?:id|name)\s*=", re.IGNORECASE | re.DOTALL
)
_BACK = re.compile(
    r"\W*(?:go )?(?:back|return|jump) (?:up )?to (?:the )?"
    r"(?:top|start|contents|(?P<note>(?:main )?text|article|content|reference|paragraph).{0,9})\W*",
    re.IGNORECASE,
)
"""What leads back in a page, and in which from a footnote."""
_NUMBERED = re.compile(
    r"(?<![\w-])(?:class|epub:type|role)\s*=\s*(?:[\"'][^\"'>]{0,200})?"
    r"(?<![a-z])(?:page[-_]?n(?:o|um|umber)s?|(?:doc-)?pagebreak|(?:doc-)?noteref|footnote-?ref"
    r"|margin-toggle)(?![a-z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\s*[\[({]?\s*(?:(?:pg|page|p)\b\.?\s*)?(?:\d{1,4}|[ivxlc]{1,9}|[*†‡§⊕])\s*[])}]?\s*",
    re.IGNORECASE,
)
_BEFORE_NOTE = re.compile(r"[^\W\d_]\Z|(?<!\.)[.,;:!?”’\"']\Z")
_BEFORE_RAISED = re.compile(r"[^\W\d_]{4}\Z|(?<!\.)[.,;:!?”’\"']\Z")
"""Not "km" and "sin", whose numbers are powers."""
_IS_CLOSED = re.compile(r"(?:\A|[\s\"'])\s*/\Z")

_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_NO_TEXT = frozenset(("button", "dialog", "math", "noscript", "object", "select"))
"""What they hold is no text of the page, or none that can be read."""
_LEFT_OUT = {
    **dict.fromkeys(("menu", "nav"), "menu"),
    **dict.fromkeys(("dl", "ol", "ul"), "list"),
    "aside": "aside",
    "figure": "figure",
    "footer": "footer",
    "pre": "code block",
    "table": "table",
}
_HEADER = "table header"
"""What the header of a table stands in whose other rows are read."""
_OTHERS = {"pre": "code block", "table": "table", _HEADER: _HEADER}
_KINDS = {**_LEFT_OUT, **_OTHERS, "": "linked or short part"}
"""What is left out of a page."""
BETWEEN_CELLS = " – "
_CELL = " | "
"""Between the cells of a row of which a chunk is made."""
_LONGEST_ROW = 150
"""Words."""
_FURNITURE = ("aside", "footer", "menu", "nav")
_ITEMS = ("dd", "dt", "li")
_CELLS = ("caption", "tbody", "td", "tfoot", "th", "thead", "tr")
_PARAGRAPHS = frozenset(("p", *_ITEMS, "figcaption", "blockquote", "summary"))
_BLOCKS = frozenset(
    "address article body details div fieldset form header hgroup hr html main section".split()
).union(_PARAGRAPHS, _HEADINGS, _CELLS, _LEFT_OUT)
_SIDE = re.compile(
    r"-ad-|ad-break|banner|breadcrumb|comment|cookie|disqus|footer|gdpr|menu|newsletter|pager"
    r"|pagination|popup|promo|recommend|related|remark|replies|shar(?:e|ing)|shoutbox|sidebar|skyscraper"
    r"|social|sponsor|supplemental",
    re.IGNORECASE,
)
_NO_SIDE = re.compile(r"article|body|column|content|main|mathjax|shadow", re.IGNORECASE)
"""What elements beside the text of a page are called, and others are. After readability of
Mozilla."""
_NOTES = re.compile(
    r"(?<![\w-])(?:class|role)\s*=\s*[\"']?[^\"'>]{0,200}?(?<![\w-])"
    r"(?:references|reflist|footnotes|endnotes|doc-(?:foot|end)notes?"
    r"|(?P<beside>(?:margin|side)-?note))(?![\w-])",
    re.IGNORECASE,
)
"""What holds the footnotes of a page, as MediaWiki, Pandoc and kramdown write it, or one that
stands in a sentence and is shown beside it, as by Tufte CSS."""
_FOLDED = re.compile(r"accordion|answer|collaps|faq|panel|region|\btabs?(?![a-z])")
_OPENED = re.compile(
    r"alert|canvas|cart|clone|dialog|drawer|dropdown|icon|lightbox|login|modal|nav|overlay|popover"
    r"|search|slide|toast|tooltip"
)
"""What elements that unfold in the text of a page are called, and what opens over it, or is there
twice."""
_BOLD = ("b", "strong")
TAGS = frozenset(
    """
    a abbr acronym audio b bdi bdo big canvas center cite code data datalist del dfn em font frame
    frameset i iframe ins kbd label legend map mark meter nobr optgroup option output param picture
    progress q rb rp rt rtc ruby s samp script search slot small span strike strong style sub
    summary sup svg template textarea time title tt u var video
    """.split()
).union(_BLOCKS, _NO_TEXT, _VOID)
"""The names of the elements of HTML."""
_SHUT = frozenset(("caption", "table", "td", "th", "button", "object"))
"""No end tag within these closes what stands around them."""
_SHOWN = frozenset(("body", "head", "html", "main"))
"""What attributes do not hide: the whole page."""
_OF_TABLES = frozenset(("table",))
_OF_LISTS = _BLOCKS - {"address", "div", "p"}
_GROUPS = ("caption", "tbody", "tfoot", "thead")
_ENDED_BY = {
    "li": (("li",), _OF_LISTS),
    **dict.fromkeys(("dd", "dt"), (("dd", "dt"), _OF_LISTS)),
    **dict.fromkeys(("td", "th"), (("caption", "td", "th"), _OF_TABLES)),
    "tr": (("caption", "tr"), _OF_TABLES),
    **dict.fromkeys(_GROUPS, (_GROUPS, _OF_TABLES)),
}
"""The elements that a tag ends, and those at whose beginning the search for them stops."""
_DEEPEST = 500
"""Elements within each other. Browsers stop at about so many, too."""
_UNREAD = {"dialog": "hidden part", "math": "formula"}
_LISTS = frozenset(("dl", "ol", "ul"))
_PARTS = frozenset(("blockquote", "th", "tr", *_LEFT_OUT))
"""What a block is told to stand in."""
SHORTEST = 4
"""Words of a link that is an item of a list, or of text in no paragraph."""
_SHORTEST_PHRASE = 5
"""Words of a cell of a table that may be text without ending as a sentence does."""
_LONG = 25
"""Words of such text that need not end as a sentence does, if most are no links."""
_LEAST_INNER = 0.3
"""Share of the words that is not in sidebars, comments and the like, if these are left out."""
_BODY = 0.9
"""Share of the words of paragraphs that the element holds to which the text of a page belongs."""
_OF_MENU = 0.05
"""Share of the words of a page that are in blocks of links to other pages, if it has no menu."""
_FEWEST_ALIKE = 3
_LEAST_OF_PARAGRAPH = 10
"""Words of such paragraphs."""

_SENTENCE_END = re.compile(r"[.!?…:。！？؟।][\"'”’)\]」』]*\s*\Z")


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return _SENTENCE_END.search(text) is not None


_PLAIN_WORD = re.compile(r"[(\"'“‘]?\w[\w’'-]*[.,;:!?)\"'”’]*")
_MOST_MARKS = 0.2
"""Share of words with other marks in them, in text that is no code."""
_BREAK = "\x1e"
_DIVIDER = re.compile(_BREAK)
_OF_EDGAR = re.compile(r"<(PAGE|/?TABLE|CAPTION|S|C)>")


class _Element(NamedTuple):
    """An element that is open.

    Attributes:
        within: What is read in it, and the number of that: lists, tables and the like.
        number: In the order in which elements begin; a paragraph has that of what holds it.
        unread: The number of the part around it, or itself, that is hidden or no text; -1.
    """

    tag: str
    within: dict[str, int]
    number: int = 0
    unread: int = -1


class _Reader:
    """Gathers the blocks of a document from its tags and its text, in the order of the document.

    Elements that are open are kept, as https://html.spec.whatwg.org/#parsing says: those that
    divide the text, and those within something that is not read.
    """

    def __init__(self) -> None:
        self.title = ""
        self.blocks: list[HtmlBlock] = []
        self.unread: dict[int, tuple[str, int]] = {}
        self.parents, self.kinds = [0], [""]
        self.n_away = 0
        self._seen: Counter[str] = Counter()
        self._open = [_Element("", {})]
        self._n_open: Counter[str] = Counter()
        self._link = self._length = 0
        self._is_broken = False
        self._beside: list[HtmlBlock] = []
        self._note: list[Any] = []
        self._first_tag: int | None = None
        self._begin_block("")

    def open(self, tag: str, attributes: str, place: int) -> None:
        is_block = tag in _BLOCKS
        if is_block:
            self._close_for(tag)
            self.end_block()
            if self._first_tag is None:
                self._first_tag = place
        here = self._open[-1]
        if tag == "br":  # Two of them divide paragraphs, one divides words.
            if self._is_bold and self._text and self._tag == "p" and not self._n_bold:
                self.end_block()  # It may be a heading.
                self._begin_block("p")
            self._add(_BREAK if self._is_broken else "\n", place)
            self._is_broken = True
        if tag in _VOID or _IS_CLOSED.search(attributes):
            return
        if tag in ("a", "sup") or _NUMBERED.search(attributes):
            self._begun[tag] = len(self._text), self._length, attributes
        if self._note and self._note[0] == tag:
            self._note[3] += 1
        elif not (is_block or self._note) and (note := _NOTES.search(attributes)):
            self._note = [tag, len(self._text), self._length, 1] if note["beside"] else []
        if tag == "a" and not _IS_ANCHOR.match(attributes):
            self._link = len(self._open)
            self._leads_away |= not _IS_NEAR.search(attributes)
        self._n_bold += tag in _BOLD
        is_hidden = tag not in _SHOWN and _is_hidden(attributes)
        if is_hidden and is_block and tag not in _LEFT_OUT:
            is_hidden = not _is_folded(attributes)
        if not (is_block or is_hidden or tag in _NO_TEXT or here.unread >= 0):
            return
        self._seen[tag] += 1
        if len(self._open) < _DEEPEST:
            within, unread = here.within, here.unread
            if unread < 0 and (is_hidden or tag in _NO_TEXT):
                unread = len(self.unread)
                self.unread[unread] = _UNREAD.get(tag, "hidden part" if is_hidden else ""), 0
            if tag in _PARTS:
                n_elements = len(self.parents)
                within = {**within, tag: n_elements if tag == "tr" else self._seen[tag]}
            if tag not in _SHOWN and _is_side(tag, attributes):
                within = {**within, "side": len(self.parents)}
            if tag not in _SHOWN and _NOTES.search(attributes):
                within = {**within, "notes": len(self.parents)}
            number = here.number
            if tag not in _PARAGRAPHS:
                number = len(self.parents)
                self.parents.append(here.number)
                self.kinds.append(_name_kind(tag, attributes))
            self._open.append(_Element(tag, within, number, unread))
            self._n_open[tag] += 1
        if is_block:
            self._begin_block(tag)

    def close(self, tag: str) -> None:
        if tag in self._begun:
            begun = self._begun.pop(tag)
            self._drop_number(tag, *begun)
            if tag == "a":
                self._drop_sign(*begun)
        if self._note and self._note[0] == tag:
            self._note[3] -= 1
            if not self._note[3]:
                self._take_note(*self._note[1:3])
        if tag == "a":
            self._link = 0
        self._n_bold -= tag in _BOLD
        tags = _HEADINGS if tag in _HEADINGS else (tag,)
        stops = _SHUT if tag in _BLOCKS or tag in _NO_TEXT else _BLOCKS
        stops = _OF_TABLES if tag in _CELLS or tag == "table" else stops
        if (self._pop(tags, stops) or tag == "p") and tag in _BLOCKS:
            self.end_block()

    def read_text(self, text: str, place: int) -> None:
        if not text:
            return
        unread = self._open[-1].unread
        if unread >= 0:
            kind, n_words = self.unread[unread]
            self.unread[unread] = kind, n_words + count_words(text)
            return
        last = 0
        for match in _REFERENCE.finditer(text):
            shown = unescape(match[0]) if match[0] != "¶" else " "
            if shown != match[0]:
                self._add(text[last : match.start()], place + last)
                self._add(shown, place + match.start())
                last = match.end()
        self._add(text[last:], place + last)

    def _add(self, text: str, place: int) -> None:
        if text:
            self._pieces[0].append(self._length)
            self._pieces[1].append(place)
            self._text.append(text)
            self._length += len(text)
        if text and not text.isspace():
            self._is_broken = False
            self._is_linked &= self._link > 0
            self._is_bold &= self._n_bold > 0 or not any(map(str.isalnum, text))
            n_shown = len(text.strip())
            self._n_linked += n_shown if self._link else -n_shown

    def _drop_sign(self, first: int, length: int, attributes: str) -> None:
        """Drop the link that ends if it only leads back in the page, as from a footnote to where it
        belongs, or says nothing and stands in a heading, or leads to a place of the page, as one
        to itself."""
        link = "".join(self._text[first:])
        leads_back = "#" in attributes and _BACK.fullmatch(link)
        self._is_note |= bool(leads_back and self._tag == "p" and leads_back["note"])
        says_nothing = not any(map(str.isalnum, link))
        if leads_back or (says_nothing and ("#" in attributes or self._tag in _HEADINGS)):
            self._cut(first, length)
        elif self._length > length:
            self._links.append(length)

    def _drop_number(self, tag: str, first: int, length: int, attributes: str) -> None:
        """Drop the number of a page, or of a note, which is no part of the words beside it: what
        calls itself so, or a link within the book, or a raised number, right after a word."""
        if _NUMBER.fullmatch("".join(self._text[first:])):
            before = "".join(self._text[max(first - 2, 0) : first])
            if (
                _NUMBERED.search(attributes)
                or (tag == "sup" and _BEFORE_RAISED.search(before))
                or (tag != "sup" and "#" in attributes and _BEFORE_NOTE.search(before))
            ):
                self._cut(first, length)

    def _take_note(self, first: int, length: int) -> None:
        """Take the note that ends from the sentence in which it stands to below its paragraph."""
        pieces = [offset - length for offset in self._pieces[0][first:]], self._pieces[1][first:]
        text = "".join(self._text[first:])
        self._note = []
        self._cut(first, length)
        if not text.isspace() and text:
            end = pieces[1][-1] + len(text) - pieces[0][-1]
            kinds = "p", self._within, True, False, pieces, self._element
            self._beside.append(HtmlBlock("aside", pieces[1][0], end, 0, text, *kinds))

    def _cut(self, first: int, length: int) -> None:
        """Drop the last parts of the text of a block."""
        for parts in (self._text, *self._pieces):
            del parts[first:]
        self._length = length

    def _begin_block(self, tag: str) -> None:
        if tag == "p" and self._open[-2].tag == "hgroup" and self.blocks and self.blocks[-1].level:
            tag = f"h{self.blocks[-1].level}"
        self._tag = tag if tag in _PARAGRAPHS or tag in _HEADINGS else ""
        self._within = self._open[-1].within
        self._element = self._open[-1].number
        self._text: list[str] = []
        self._pieces: tuple[list[int], list[int]] = [], []
        self._links: list[int] = []
        self._begun: dict[str, tuple[int, int, str]] = {}
        self._note = []
        self._length = self._n_linked = self._n_bold = 0
        self._is_linked = self._is_bold = True
        self._is_broken = self._leads_away = self._is_note = False

    def end_block(self) -> None:
        """End the block that was begun, which may have no text."""
        text = "".join(self._text)
        if text and not text.isspace():
            self._end_text(text)
        self.blocks += self._beside
        self._beside = []
        self._begin_block("")

    def _end_text(self, text: str) -> None:
        level = int(self._tag[1]) if self._tag in _HEADINGS else 0
        button = BUTTON.search(text.rstrip()) if level else None
        if button and any(start >= button.start() > 0 for start in self._links):
            text = text[: button.start()]
        is_code = "pre" in self._within
        is_text = self._is_text(text, level)
        is_loose = not self._tag and self._n_linked < 0
        self.n_away += count_words(text) if self._leads_away and self._n_linked >= 0 else 0
        divider = BLANK_LINES if is_code else _DIVIDER
        start = 0
        for end in [*(match.start() for match in divider.finditer(text)), len(text)]:
            if clean(part := text[start:end].strip()):
                first = text.index(part, start)
                pieces = [*find_pieces(*self._pieces, first, first + len(part))]
                offsets = [offset - first for offset, _ in pieces]
                places = [place for _, place in pieces]
                self.blocks.append(
                    HtmlBlock(
                        kind=self._find_kind(level, is_text),
                        start=places[0] if self._first_tag is None else self._first_tag,
                        end=places[-1] + len(part) - offsets[-1],
                        level=level,
                        text=part,
                        tag=self._tag,
                        within=self._within,
                        is_text=self._is_text(part, level) if is_code else is_text,
                        is_loose=is_loose,
                        pieces=(offsets, places),
                        element=self._element,
                    )
                )
                self._first_tag = None
            start = end

    def _find_kind(self, level: int, is_text: bool) -> str:
        within = self._within
        if is_text and self._is_bold and self._tag == "p" and not within:
            return "bold"
        if level:
            return "heading"
        if "notes" in within or self._is_note:
            return "aside"
        if "pre" in within:
            return "code"
        if "blockquote" in within:
            return "quote"
        if self._tag in _ITEMS or not _LISTS.isdisjoint(within):
            return "item"
        return "table" if "table" in within and not self._tag else "paragraph"

    def _is_text(self, text: str, level: int) -> bool:
        if level:
            return True
        if "pre" in self._within and has_marks(text):
            return False
        is_loose = not self._tag or "pre" in self._within or "table" in self._within
        if is_loose and not ends_sentence(text):
            return self._n_linked < 0 and count_words(text) >= _LONG
        if self._tag == "p" and self._is_linked and not ends_sentence(text):
            return False
        is_link = self._tag == "li" and self._is_linked
        if is_link and not self._leads_away:
            return False  # Of a table of contents.
        return (not is_loose and not is_link) or count_words(text) >= SHORTEST

    def _close_for(self, tag: str) -> None:
        """Close what the beginning of an element ends: paragraphs, headings, items and cells."""
        if tag not in _CELLS:
            self._pop(("p",), _SHUT)
        if tag in _HEADINGS and self._open[-1].tag in _HEADINGS:
            self._pop(_HEADINGS, _SHUT)
        if tag in _ENDED_BY:
            self._pop(*_ENDED_BY[tag])

    def _pop(self, tags: Collection[str], stops: Collection[str]) -> bool:
        """Close the innermost of some elements, and all within it, unless one of the others stands
        between. Tell whether it was open."""
        if any(self._n_open[tag] for tag in tags):
            for number in range(len(self._open) - 1, 0, -1):
                tag = self._open[number].tag
                if tag in tags:
                    self._n_open.subtract(element.tag for element in self._open[number:])
                    del self._open[number:]
                    self._link = 0 if self._link > number else self._link
                    return True
                if tag in stops:
                    return False
        return False


def _is_hidden(attributes: str) -> bool:
    if not _MAYBE_HIDDEN.search(attributes):
        return False
    found = _read_attributes(attributes)
    return (
        found.get("hidden", "until-found") != "until-found"
        or found.get("aria-hidden") == "true"
        or found.get("class") == _TOOLTIP
        or _HIDDEN.search(found.get("style", "")) is not None
    )


def _is_folded(attributes: str) -> bool:
    """Whether an element that is hidden unfolds, as the answers on a page of questions do."""
    found = _read_attributes(attributes)
    name = f"{found.get('class')} {found.get('id')} {found.get('role')}"
    is_panel = "aria-labelledby" in found or _FOLDED.search(name) is not None
    return is_panel and not _SIDE.search(name) and not _OPENED.search(name)


def _is_side(tag: str, attributes: str) -> bool:
    """Whether an element is called as those beside the text of a page are. The id of a heading or a
    section is its title."""
    if not _SIDE.search(attributes):
        return False
    found = _read_attributes(attributes)
    name = found.get("class", "")
    if tag != "section" and tag not in _HEADINGS and "section" not in name.split():
        name += f" {found.get('id', '')}"
    return _SIDE.search(name) is not None and not _NO_SIDE.search(name)


def _name_kind(tag: str, attributes: str) -> str:
    """What the parts of a text that stand beside each other have in common: the class of their
    elements, or sections without any."""
    name = _read_attributes(attributes).get("class", "") if "class" in attributes.lower() else ""
    return f"{tag} {name}" if name or tag == "section" else ""


def _read_attributes(attributes: str) -> dict[str, str]:
    return {
        name.lower(): value.strip("\"'").lower() for name, value in _ATTRIBUTE.findall(attributes)
    }


def _is_phrase(block: HtmlBlock) -> bool:
    """Whether a cell of a table may say something, as a sentence without its end does."""
    n_words = sum(any(map(str.isalpha, word)) for word in block.text.split())
    return block.is_loose and n_words >= _SHORTEST_PHRASE and not has_marks(block.text)


def has_marks(text: str) -> bool:
    """Whether many words hold marks that are seldom in prose."""
    words = text.split()
    return sum(_PLAIN_WORD.fullmatch(word) is None for word in words) > _MOST_MARKS * len(words)


def _count_text(blocks: Iterable[HtmlBlock]) -> int:
    return sum(count_words(block.text) for block in blocks if block.is_text and not block.level)
