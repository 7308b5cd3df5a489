"""The output of gensim's `segment_wiki` script.

Lines of JSON with "title", "section_titles" and "section_texts"; see
https://radimrehurek.com/gensim/scripts/segment_wiki.html. The texts still hold subheadings, list
lines and quote marks of their wikitext.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.json_records import read_json_lines
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.articles.wikitext import parse_wikitext

_LEAD = "Introduction"


def read_segment_wiki(path: Path, log: ReadLog, skip_bad: bool = False) -> Iterator[Article]:
    """Yield the articles of `segment_wiki` output, plain or compressed."""
    return read_json_lines(path, log, skip_bad, _to_article)


def _to_article(record: Any) -> Article:
    if not isinstance(record, dict) or not isinstance(record.get("title"), str):
        raise ValueError('expected an object with a "title"')
    titles, texts = (_strings(record.get(name)) for name in ("section_titles", "section_texts"))
    if titles is None or texts is None or len(titles) != len(texts):
        raise ValueError('expected "section_titles" and "section_texts" with equally many strings')
    sections: list[Section] = []
    for title, text in zip(titles, texts):
        first, *subsections = parse_wikitext(title, text).sections
        if sections or title != _LEAD:
            first.title, first.level = title.strip(), 2
        sections += [first, *subsections]
    return Article(record["title"], "segment_wiki", sections)


def _strings(value: Any) -> list[str] | None:
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return value
    return None
