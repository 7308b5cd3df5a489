"""Reading Wikipedia's dumps: speed beside other readers.

    python -m benchmarks.dumps [--dump DUMP] [--megabytes 10]

DUMP is an uncompressed MediaWiki dump, which may end in the middle of a page. Without it, the piece
of a dump inside the gensim package is read. Only the first `--megabytes` are taken. Speed is in
megabytes of wikitext (UTF-8) a second of the processor; gensim and mwparserfromhell are measured if
they are installed.
"""

from __future__ import annotations

import argparse
import bz2
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.harness import Row, make_parser, parse, print_report
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.mediawiki import Page, read_pages
from spacy_thematic.articles.sources import ReadLog

GENSIM_DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--dump", type=Path)
    parser.add_argument("--megabytes", type=int, default=10)
    args = parse(parser)
    if args.quick:
        args.megabytes = 1
    with TemporaryDirectory() as folder:
        path = cut(args, Path(folder))
        pages = list(read_pages(path, ReadLog(skip_bad=True)))
        size = sum(len(page.text.encode()) for page in pages) / 1e6
        title = f"{len(pages):,} articles, {size:.1f} MB of wikitext"
        rows = measure_speed(path, pages, size)
    print_report(args, {title: rows})


def cut(args: argparse.Namespace, folder: Path) -> Path:
    """Write the beginning of the dump to a file of its own."""
    path = folder / "dump.xml"
    n_bytes = args.megabytes * 10**6
    if args.dump:
        with args.dump.open("rb") as whole:
            path.write_bytes(whole.read(n_bytes))
        return path
    from gensim.test.utils import datapath

    with bz2.open(datapath(GENSIM_DUMP)) as whole:
        path.write_bytes(whole.read(n_bytes))
    return path


def measure_speed(path: Path, pages: list[Page], size: float) -> list[Row]:
    """Megabytes a second of each reader."""
    texts = [page.text for page in pages]
    seconds = {
        "ours, XML to articles": time_of(
            lambda one: list(read_articles(one, log=ReadLog(skip_bad=True))), [path]
        ),
        "ours, wikitext to article": time_of(Page.to_article, pages),
    }
    if find_spec("gensim"):
        from gensim.scripts.segment_wiki import segment

        seconds["gensim segment_wiki"] = time_of(segment, map(make_xml, pages))
    if find_spec("mwparserfromhell"):
        import mwparserfromhell

        seconds["mwparserfromhell, parse and strip_code"] = time_of(
            lambda text: mwparserfromhell.parse(text).strip_code(), texts
        )
    return [{"reader": name, "MB a second": f"{size / one:.2f}"} for name, one in seconds.items()]


def make_xml(page: Page) -> str:
    """A page as `segment_wiki` expects it."""
    return (
        '<page xmlns="http://www.mediawiki.org/xml/export-0.10/">'
        f"<title>{escape(page.title)}</title><ns>0</ns>"
        f"<revision><text>{escape(page.text)}</text></revision></page>"
    )


def time_of(call: Callable[[Any], Any], inputs: Iterable[Any]) -> float:
    """The processor seconds of all calls."""
    start = time.process_time()
    for one in inputs:
        call(one)
    return time.process_time() - start


if __name__ == "__main__":
    main()
