"""Files of texts in folders, and what Markdown and HTML have in common: headings and paragraphs."""

import codecs
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, pairwise
from pathlib import Path
from string import ascii_letters
from typing import Any, NamedTuple, TypeVar

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import (
    Lists,
    ReadLog,
    SourceError,
    bad_record,
    open_source,
    resolve_source,
)
from spacy_thematic.files import readable
from spacy_thematic.layout.captions import find_numbered
from spacy_thematic.layout.headings import is_like_heading
from spacy_thematic.layout.mail import is_byline
from spacy_thematic.layout.speech import find_speakers

MAX_DOCUMENT = 4 * 2**20
"""Files of more bytes are skipped: nobody writes such a page by hand."""

OF_TEXT = tuple(
    """
    .adoc .asc .asciidoc .csv .doc .docx .eml .epub .htm .html .ipynb .json .jsonl .log .markdown
    .mbox .md .mdown .mdwn .mdx .mediawiki .mkd .mw .odt .org .parquet .pdf .pptx .qmd .rmd .rst
    .rtf .sbv .srt .tex .text .tsv .txt .vtt .wiki .xhtml .xlsx .xml
    """.split()
)
"""What of a folder is worth a word if it is not read."""


class Block(NamedTuple):
    """A block of a document with markup, as `layout.blocks.Block`, and what it says. The places are
    those of its markup, in characters of the document."""

    kind: str
    start: int
    end: int
    level: int
    text: str


AS_IT_IS = "as it is"
"""The kind of a block of code, or of a table, that is written in Markdown."""

AnyBlock = TypeVar("AnyBlock", bound=Any)
"""`Block`, or one with more fields."""


def assemble(blocks: Iterable[Block], title: str, source: str) -> Article:
    """Make an article from blocks in reading order.

    A single heading of level 1 is the article's title and replaces `title`; several are its
    sections. Text before the first section is the lead. A heading without text ends the section.
    """
    blocks = without_buttons(blocks)
    names = [block.text for block in blocks if block.level == 1 and block.text]
    shift = 1 if len(names) > 1 else 0
    article = Article(title, source, [Section("", 1)])
    for block in blocks:
        if not block.text and block.kind != "heading":
            continue
        if block.text and block.level == 1 and not shift:
            article.title = block.text
        elif block.level:
            article.sections.append(Section(block.text, block.level + shift))
        elif any(map(str.isalnum, block.text)):
            section = article.sections[-1]
            if block.kind in ("aside", "item", "quote"):
                section.kinds[len(section.paragraphs)] = block.kind
            section.paragraphs.append(block.text)
    return article


def without_buttons(blocks: Iterable[AnyBlock]) -> list[AnyBlock]:
    """The blocks with their texts on one line, but for those `AS_IT_IS`, and without what stands in
    brackets at the end of several headings, as "[edit]"."""
    blocks = [
        block
        if block.kind == AS_IT_IS
        else block._replace(text=" ".join(clean(block.text).split()))
        for block in blocks
    ]
    found = [BUTTON.search(block.text) if block.level else None for block in blocks]
    times = Counter(match[1].strip() for match in found if match)
    return [
        block._replace(text=block.text[: match.start()])
        if match and times[match[1].strip()] > 1
        else block
        for block, match in zip(blocks, found)
    ]


_BELOW = frozenset(("bold", "html", "item", "paragraph", "quote", "table"))
"""The kinds of what a bold paragraph, or one with a number, may head."""
_FEWEST_BOLD = 2
_ASKS = re.compile(r"[\s\"”»]{0,3}\?\Z")
"""A heading may be a question."""
DEEPEST = 6
"""The level of the lowest heading."""


def promote_bold(blocks: Sequence[AnyBlock]) -> list[AnyBlock]:
    """The blocks, in which those of the kind "bold" are headings or paragraphs. Bold paragraphs are
    headings, of the level below the heading above them, if two or more read like one and stand
    right above what they may head. Those that repeat below one heading say who speaks, as do all
    if most repeat. So are paragraphs with the numbers of a series ("3. Duties"). Headings of "by"
    and names are paragraphs, if most stand right below another heading."""
    texts = {number: " ".join(block.text.split()) for number, block in enumerate(blocks)}
    texts = {number: text for number, text in texts.items() if text}
    names: dict[int, tuple[int, str]] = {}
    above = -1
    for number, block in enumerate(blocks):
        name = _ASKS.sub("", texts.get(number, "").rstrip(": ")) if block.kind == "bold" else ""
        if is_like_heading(name) and not is_byline(name):
            names[number] = above, name
        elif block.kind == "heading":
            above = number
    times = Counter(names.values())
    spoken = find_speakers([name for _, name in names.values()])
    single = {
        number
        for (number, name), is_spoken in zip(names.items(), spoken)
        if times[name] == 1 and not is_spoken
    }
    headings = {
        number
        for number, after in pairwise(texts)
        if number in single and after not in names and blocks[after].kind in _BELOW
    }
    if len(headings) < _FEWEST_BOLD or 2 * len(single) < len(names):
        headings = set()
    headings |= _find_numbered(blocks, texts)
    bylines = _find_bylines(blocks, texts)
    promoted, level = [], 1
    for number, block in enumerate(blocks):
        if number in headings:
            block = block._replace(kind="heading", level=min(level + 1, DEEPEST))
        elif block.kind == "bold" or number in bylines:
            block = block._replace(kind="paragraph", level=0)
        elif block.kind == "heading":
            level = block.level
        promoted.append(block)
    return promoted


def _find_bylines(blocks: Sequence[AnyBlock], texts: Mapping[int, str]) -> set[int]:
    """The headings that are the names of authors: below the first title, or below several. Others
    that begin with "by" mostly stand below text ("By Age Group")."""
    named = {
        number: blocks[above].kind
        for above, number in pairwise(texts)
        if blocks[number].kind == "heading" and is_byline(texts[number])
    }
    found = {number for number, above in named.items() if above == "heading"}
    are_most = 2 * len(found) > len(named)
    return found if are_most and (len(found) > 1 or [*texts][1] in found) else set()


def _find_numbered(blocks: Sequence[AnyBlock], texts: Mapping[int, str]) -> set[int]:
    """The paragraphs that are headings by their numbers, each right above what it may head."""
    short = {
        number: after
        for number, after in pairwise(texts)
        if blocks[number].kind == "paragraph" and blocks[after].kind in _BELOW
        if is_like_heading(texts[number])
    }
    found = {*compress(short, find_numbered([texts[number] for number in short]))}
    return {number for number in found if short[number] not in found}


BUTTON = re.compile(r"\s*\[(\s?[^\W\d][^\[\]]{0,40})\]\Z")
INVISIBLE = "\xad\u200b\u2060\ufeff"
"""What shows nothing and parts words: soft hyphens and spaces without width."""
PART_OF_WORD = re.compile(rf"[^\s{INVISIBLE}]+")
_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))
_BROKEN = re.compile(r"\xad[ \t]{0,9}\r?\n[ \t]{0,20}([^\W\d_][^\s\xad]*)([ \t]?)")
"""A word with a soft hyphen at the end of a line."""


def clean(text: str) -> str:
    """Remove what shows nothing and parts words. A word that it breaks ends the first line."""
    if "\xad" in text:
        text = _BROKEN.sub(lambda broken: broken[1] + ("\n" if broken[2] else ""), text)
    return text.translate(_INVISIBLE)


_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")


def count_words(text: str) -> int:
    """Count what spaces divide, and each character of Chinese and Japanese."""
    return sum(1 for _ in _WORD.finditer(text))


def read_documents(
    path: Path,
    log: ReadLog,
    lists: Lists = False,
    *,
    parse: Callable[..., Article],
    suffixes: tuple[str, ...],
) -> Iterator[Article]:
    """Yield an article for one file, or for each file in a folder, as `parse_markdown` or
    `parse_html` make it. Raises SourceError if a folder has no file that ends as it should or,
    unless the log skips it, at one for which `parse` raises ValueError."""
    path = resolve_source(path)
    files = list(find_files(path, suffixes, log)) if path.is_dir() else [path]
    if not files:
        raise SourceError(f"{path} holds no file that ends in {' or '.join(suffixes)}")
    if path.is_dir() and (others := describe_others(path, files)):
        log.note(
            f"{path}: {others} are not read with those that end in "
            f"{' or '.join(suffixes)}. Name a folder of them"
        )
    total_bytes = sum(file.stat().st_size for file in files)
    for file in files:
        with open_source(file, log) as stream:
            log.total_bytes = total_bytes
            content = stream.read(MAX_DOCUMENT + 1)
        if len(content) > MAX_DOCUMENT:
            log.skip("page too long", f"{file}: longer than {MAX_DOCUMENT:,} bytes")
            continue
        name, source = readable(file.stem), readable(file.relative_to(path.parent))
        try:
            article = parse(content, name, source, lists=lists, log=log)
        except ValueError as error:
            bad_record(file, "whole file", str(error), log)
            continue
        log.articles += 1
        yield article


def find_files(
    folder: Path, suffixes: tuple[str, ...], log: ReadLog | None = None
) -> Iterator[Path]:
    """Yield the files below a folder in sorted order, but not those in hidden or linked folders.
    Raises SourceError for folders that cannot be read and links to nothing, unless the log skips
    them, as without one."""
    log = ReadLog(skip_bad=True) if log is None else log

    def refuse(error: OSError) -> None:
        bad_record(Path(error.filename), "whole folder", str(error.strerror), log)

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent) / name
            if not name.lower().endswith(suffixes):
                continue
            if file.is_file():
                yield file
            elif file.is_symlink() and not file.is_dir():
                bad_record(file, "whole file", "a link to nothing", log)


def describe_others(
    folder: Path, files: Iterable[Path], suffixes: tuple[str, ...] = OF_TEXT
) -> str:
    """Say how many files with texts below a folder are not read, by their endings, and how many
    without an ending; "" if there are none."""
    others = {*find_files(folder, ("",))}.difference(files)
    known = (file.suffix.lower() for file in others if file.name.lower().endswith(suffixes))
    kinds = ", ".join(f"{kind} ({n:,})" for kind, n in sorted(Counter(known).items()))
    n_bare = sum("." not in file.name for file in others)
    told = [f"files that end in {kinds}"] if kinds else []
    told += [f"files without an ending ({n_bare:,})"] if n_bare else []
    return " and ".join(told)


_NOT_ASCII = bytes(range(128, 256))
_MOST_ACCENTS = 1 / 2
"""Bytes that are not ASCII, as a share of its letters, that a text in a Western language may have.
French has .06; Russian, Greek and Chinese have hardly any letters of ASCII."""


def decode(content: bytes, log: ReadLog | None = None, source: object = "") -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark; else, as browsers do, windows-1252, if most
    letters are ASCII, also of some of the lines alone, which the log notes, with the name of the
    source. A line may end with two carriage returns, as after two conversions. Raises ValueError if
    the bytes are none of these, or hold NUL."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        lines = content.splitlines(keepends=True)
        others = [line for line in lines if not is_utf8(line)]
        if is_utf16 or not is_windows_1252(b"".join(others), content):
            raise ValueError(f"not UTF-8 ({error.reason} at byte {error.start})") from error
        text = "".join(line.decode("utf-8" if is_utf8(line) else "cp1252") for line in lines)
        if log and any(is_utf8(line) and not line.isascii() for line in lines):
            log.note(f"{source}: {describe_recoded(len(others))}")
        elif log:
            log.note(f"{source} is not UTF-8, and was read as windows-1252")
    if "\0" in text:
        raise ValueError("a NUL character")
    return text.removeprefix("\ufeff").replace("\r\r\n", "\r\n")


def is_utf8(content: bytes) -> bool:
    """Tell whether bytes are UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def describe_recoded(n_lines: int) -> str:
    """Say how many lines of a file are windows-1252."""
    verbs = ("is", "was") if n_lines == 1 else ("are", "were")
    what = f"{n_lines:,} line{'s' * (n_lines > 1)}"
    return f"{what} {verbs[0]} not UTF-8, and {verbs[1]} read as windows-1252"


def is_windows_1252(content: bytes, others: bytes = b"") -> bool:
    """Tell whether bytes that are not UTF-8 look like windows-1252: most letters are ASCII, of
    `others` of the same file as well, each byte is a character of it, and it is no UTF-8 with some
    damage."""
    both = content + others
    n_letters = len(both) - len(both.translate(None, ascii_letters.encode()))
    n_others = len(both) - len(both.translate(None, _NOT_ASCII))
    if n_others > _MOST_ACCENTS * n_letters:
        return False
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return False
    text = content.decode("utf-8", errors="replace")
    n_damaged = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", errors="ignore")) < 2 * n_damaged
