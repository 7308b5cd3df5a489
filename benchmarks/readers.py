"""The dump reader: its speed beside others, its peak memory, and the markup left in its articles.

    python -m benchmarks.readers DUMP [--megabytes 10]

DUMP is a MediaWiki dump such as enwik8. Speed is in megabytes of wikitext (UTF-8) per second of
CPU time, on the articles in its first `--megabytes`. Prints Markdown tables. Needs gensim and
mwparserfromhell.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import mwparserfromhell
import spacy
from gensim.scripts.segment_wiki import segment

from benchmarks.corpus import MARKS, cut
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.mediawiki import Page, read_pages
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.triplets.rules import is_sentence_length

MARKUP = re.compile("|".join(map(re.escape, MARKS)))


def page_xml(page: Page) -> str:
    """A page as `segment_wiki` expects it."""
    return (
        '<page xmlns="http://www.mediawiki.org/xml/export-0.10/">'
        f"<title>{escape(page.title)}</title><ns>0</ns>"
        f"<revision><text>{escape(page.text)}</text></revision></page>"
    )


def seconds_of(call: Callable, inputs: Iterable) -> float:
    start = time.process_time()
    for member in inputs:
        call(member)
    return time.process_time() - start


def print_speed(path: Path) -> None:
    pages = list(read_pages(path, ReadLog(), skip_bad=True))
    size = sum(len(page.text.encode()) for page in pages) / 1e6
    rows = {
        "this reader, XML to articles": seconds_of(
            lambda source: list(read_articles(source, skip_bad=True)), [path]
        ),
        "this reader, wikitext to article": seconds_of(Page.to_article, pages),
        "gensim segment_wiki, page to sections": seconds_of(segment, map(page_xml, pages)),
        "mwparserfromhell, bare parse": seconds_of(
            mwparserfromhell.parse, (page.text for page in pages)
        ),
        "mwparserfromhell, parse and strip_code": seconds_of(
            lambda text: mwparserfromhell.parse(text).strip_code(), (page.text for page in pages)
        ),
    }
    print(f"{len(pages):,} articles, {size:.1f} MB of wikitext\n")
    print("| | MB/s |\n|---|---:|")
    for name, seconds in rows.items():
        print(f"| {name} | {size / seconds:.2f} |", flush=True)


def _peak(path: Path) -> float:
    for _ in read_articles(path, skip_bad=True):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_memory(paths: dict[str, Path]) -> None:
    print("\n| input | peak memory, MiB |\n|---|---:|")
    context = multiprocessing.get_context("spawn")
    for name, path in paths.items():
        with context.Pool(1) as pool:
            print(f"| {name} | {pool.apply(_peak, (path,)):.0f} |", flush=True)


def print_markup(dump: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    log = ReadLog()
    texts = (
        paragraph
        for article in read_articles(dump, skip_bad=True, log=log)
        for section in article.sections
        for paragraph in section.paragraphs
    )
    sentences = 0
    left: Counter[str] = Counter()
    for doc in nlp.pipe(texts):
        for sentence in doc.sents:
            if is_sentence_length(len(sentence)):
                sentences += 1
                left.update(
                    {MARKUP.findall(sentence.text)[0]} if MARKUP.search(sentence.text) else ()
                )
    total = sum(left.values())
    print(f"\n{log.articles:,} articles, skipped: {dict(log.skipped)}")
    print(f"{sentences:,} sentences of 5 to 50 tokens, {total} with markup left", end="")
    print(f" (1 in {sentences // max(total, 1):,})")
    print("\n| mark | sentences |\n|---|---:|")
    for mark in MARKS:
        print(f"| `{mark}` | {left[mark]} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--megabytes", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        beginning = cut(arguments.dump, arguments.megabytes, Path(folder))
        print_speed(beginning)
        size = arguments.dump.stat().st_size // 10**6
        print_memory({f"{arguments.megabytes} MB": beginning, f"{size} MB": arguments.dump})
    print_markup(arguments.dump)


if __name__ == "__main__":
    main()
