"""The output of gensim's `segment_wiki` script.

Lines of JSON with "title", "section_titles" and "section_texts"; see
https://radimrehurek.com/gensim/scripts/segment_wiki.html. The texts still hold subheadings, list
lines and quote marks of the wikitext they come from.
"""

from __future__ import annotations

from typing import Any

from spacy.util import registry

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.json_records import make_lines_reader
from spacy_thematic.articles.sources import Reader
from spacy_thematic.articles.wikitext import parse_wikitext

_LEAD = "Introduction"


@registry.readers("spacy-thematic.SegmentWiki.v1")
def create_segment_wiki_reader(skip_bad: bool = False) -> Reader:
    """A reader of `segment_wiki` output, plain or compressed."""
    return make_lines_reader(_to_article, skip_bad)


def _to_article(record: Any) -> Article:
    if not isinstance(record, dict) or not isinstance(record.get("title"), str):
        raise ValueError('expected an object with a "title"')
    titles, texts = (_strings(record.get(name)) for name in ("section_titles", "section_texts"))
    if titles is None or texts is None or len(titles) != len(texts):
        raise ValueError('expected "section_titles" and "section_texts", as many strings in each')
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
