"""WikiText (Merity et al., 2016), the language modelling corpus.

Tokens separated by spaces, one paragraph a line, headings as ` = Title = `, ` = = Section = = `.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.lines import MAX_LINE, bad_record, read_lines
from spacy_thematic.articles.sources import ReadLog

_MAX_HEADING = 300


def read_wikitext_lm(path: Path, log: ReadLog, skip_bad: bool = False) -> Iterator[Article]:
    """Yield the articles of a WikiText file, tokenised or raw, with its tokens joined to text."""
    article = None
    for number, line in read_lines(path, log):
        try:
            text = _decode(line)
        except ValueError as error:
            bad_record(path, f"line {number}", str(error), log, skip_bad)
            continue
        level, text = _divide(text)
        if level == 1:
            if article is not None:
                log.articles += 1
                yield article
            article = Article(join_tokens(text), "WikiText", [Section("", 1)])
        elif article is None:
            bad_record(path, f"line {number}", "text before a title", log, skip_bad)
        elif level:
            article.sections.append(Section(join_tokens(text), level))
        else:
            article.sections[-1].paragraphs.append(join_tokens(text))
    if article is not None:
        log.articles += 1
        yield article


def _decode(line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    if b"\0" in line:
        raise ValueError("a NUL character")
    return line.decode("utf8").strip()


def _divide(line: str) -> tuple[int, str]:
    """The level and title of a heading, or 0 and the line."""
    if line.startswith("= ") and len(line) < _MAX_HEADING:
        opening = closing = 0
        tokens = line.split(" ")
        while opening < len(tokens) and tokens[opening] == "=":
            opening += 1
        while closing < len(tokens) and tokens[-1 - closing] == "=":
            closing += 1
        level = min(opening, closing)
        if level > 0 and 2 * level < len(tokens):
            return level, " ".join(tokens[level:-level])
    return 0, line


_JOINED = re.compile(r" @([-,.])@ ")
_BEFORE = re.compile(r" (?=(?:[,.;:!?%)\]’]|'s|n't|'re|'ve|'ll|'d|'m)(?:\s|[,.;:!?)\]]|$))")
_AFTER = re.compile(r"(?<=[(\[$£€]) ")
_QUOTED = re.compile(r'" ([^"]*?) "')


def join_tokens(text: str) -> str:
    """Undo WikiText's tokenisation as far as its marks and punctuation allow."""
    text = _JOINED.sub(r"\1", text)
    text = _QUOTED.sub(r'"\1"', text)
    return _AFTER.sub("", _BEFORE.sub("", text))
