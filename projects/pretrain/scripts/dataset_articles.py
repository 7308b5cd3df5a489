"""Articles of published datasets as JSONL, which the library reads.

python scripts/dataset_articles.py FORMAT SOURCE OUT.jsonl

FORMAT is `wikisection` (Arnold et al. 2019, one JSON array), `wikitext` (Merity et al. 2016, tokens
between spaces) or `segment_wiki` (JSON lines that gensim's script of this name makes).
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import srsly
import typer
from wasabi import msg

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import ReadLog, open_source
from spacy_thematic.articles.wikitext import parse_wikitext
from spacy_thematic.files import open_whole

_JOINED = re.compile(r" @([-,.])@ ")
_BEFORE = re.compile(r" (?=(?:[,.;:!?%)\]’]|'s|n't|'re|'ve|'ll|'d|'m)(?:\s|[,.;:!?)\]]|$))")
_AFTER = re.compile(r"(?<=[(\[$£€]) ")
_QUOTED = re.compile(r'" ([^"]*?) "')
_HEADING = re.compile(r"((?:= )+)(.+?)((?: =)+)")


def main(
    format: Literal["wikisection", "wikitext", "segment_wiki"] = typer.Argument(...),
    source: Path = typer.Argument(..., help="File, plain or compressed"),
    out: Path = typer.Argument(..., help="JSONL to write"),
):
    """Write the articles of a dataset, one a line."""
    n = 0
    with open_source(source, ReadLog()) as stream, open_whole(out) as written:
        for article in READERS[format](stream):
            written.write(f"{srsly.json_dumps(article.to_dict())}\n".encode())
            n += 1
    msg.good(f"Wrote {n:,} articles to {out}")


def read_wikisection(stream: Any) -> Iterator[Article]:
    """Documents with "title", "text" and "annotations": where each section begins, how long it is,
    and its heading."""
    for record in json.load(stream):
        sections: list[Section] = []
        for annotation in record["annotations"]:
            begin, heading = annotation["begin"], annotation["sectionHeading"].strip()
            lines = record["text"][begin : begin + annotation["length"]].split("\n")
            is_lead = not sections and heading.lower() in ("", "abstract")
            paragraphs = [line.strip() for line in lines if line.strip()]
            sections.append(Section("" if is_lead else heading, 1 if is_lead else 2, paragraphs))
        yield Article(record["title"], "WikiSection", sections)


def read_wikitext(lines: Iterable[bytes]) -> Iterator[Article]:
    """A paragraph a line; headings as ` = Title = `, ` = = Section = = `."""
    article = None
    for text in (line.decode().strip() for line in lines):
        heading = _HEADING.fullmatch(text)
        level = min(len(heading[1]), len(heading[3])) // 2 if heading and len(text) < 300 else 0
        if heading and level == 1:
            if article is not None:
                yield article
            article = Article(join_tokens(heading[2]), "WikiText", [Section("", 1)])
        elif article is not None and heading and level:
            article.sections.append(Section(join_tokens(heading[2]), level))
        elif article is not None and text:
            article.sections[-1].paragraphs.append(join_tokens(text))
    if article is not None:
        yield article


def join_tokens(text: str) -> str:
    """Undo WikiText's tokenisation as far as its marks and punctuation allow."""
    text = _QUOTED.sub(r'"\1"', _JOINED.sub(r"\1", text))
    return _AFTER.sub("", _BEFORE.sub("", text))


def read_segment_wiki(lines: Iterable[bytes]) -> Iterator[Article]:
    """Records with "title", "section_titles" and "section_texts", whose texts still hold
    subheadings, lists and quote marks of their wikitext."""
    for record in map(json.loads, lines):
        sections: list[Section] = []
        for title, text in zip(record["section_titles"], record["section_texts"], strict=True):
            first, *subsections = parse_wikitext(title, text).sections
            if sections or title != "Introduction":
                first.title, first.level = title.strip(), 2
            sections += [first, *subsections]
        yield Article(record["title"], "segment_wiki", sections)


READERS: dict[str, Callable[[Any], Iterator[Article]]] = {
    "wikisection": read_wikisection,
    "wikitext": read_wikitext,
    "segment_wiki": read_segment_wiki,
}


if __name__ == "__main__":
    typer.run(main)
