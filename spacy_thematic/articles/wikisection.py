"""WikiSection (Arnold et al., 2019), https://github.com/sebastianarnold/WikiSection.

A JSON array of documents with "title", "text" and "annotations", each of which holds the
"begin", "length" and "sectionHeading" of one section of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.json_records import read_json_array
from spacy_thematic.articles.sources import ReadLog

_LEAD = "abstract"


def read_wikisection(path: Path, log: ReadLog, skip_bad: bool = False) -> Iterator[Article]:
    """Yield the articles of a WikiSection JSON file, plain or compressed."""
    return read_json_array(path, log, skip_bad, _to_article)


def _to_article(record: Any) -> Article:
    if not isinstance(record, dict):
        raise ValueError("expected an object")
    title, text, annotations = (record.get(name) for name in ("title", "text", "annotations"))
    if not isinstance(title, str) or not isinstance(text, str) or not isinstance(annotations, list):
        raise ValueError('expected strings "title" and "text" and a list "annotations"')
    sections: list[Section] = []
    for annotation in annotations:
        begin, length, heading = _fields(annotation)
        paragraphs = [line.strip() for line in text[begin : begin + length].split("\n")]
        is_lead = not sections and heading.strip().lower() in ("", _LEAD)
        section = Section("", 1) if is_lead else Section(heading.strip(), 2)
        section.paragraphs = [paragraph for paragraph in paragraphs if paragraph]
        sections.append(section)
    return Article(title, "WikiSection", sections)


def _fields(annotation: Any) -> tuple[int, int, str]:
    if isinstance(annotation, dict):
        begin, length = annotation.get("begin"), annotation.get("length")
        heading = annotation.get("sectionHeading")
        if (
            isinstance(begin, int)
            and isinstance(length, int)
            and isinstance(heading, str)
            and min(begin, length) >= 0
        ):
            return begin, length, heading
    raise ValueError('expected annotations with "begin", "length" and "sectionHeading"')
