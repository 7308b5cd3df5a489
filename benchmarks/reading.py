"""What readers take of marked-up texts: web pages, Markdown and wikitext.

    python -m benchmarks.reading [--pages PAGES] [--spec SPEC] [--dump DUMP]

PAGES is test/test-pages of https://github.com/mozilla/readability: folders with source.html and
expected.html. SPEC is spec.txt of https://github.com/commonmark/commonmark-spec. DUMP is that of a
wiki, by default the piece inside the gensim package, of which the first 200 articles are read. What
is not given or installed is skipped. Recall and precision are of words, of pages the mean. Markdown
is measured by the words of each kind of block in the HTML that the specification gives for its
examples; wikitext by the words that mwparserfromhell finds, among them those of tables.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from benchmarks.harness import Row, make_parser, parse, print_report
from spacy_thematic.articles import html, markdown
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.mediawiki import Page, read_pages
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.articles.wikitext import parse_wikitext

GENSIM_DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"\{\{|\[\[|''|\||<ref|\(\)|\( ,")
_KINDS = {"pre": "code", "blockquote": "quote", "li": "item"}
_KINDS |= {f"h{level}": "heading" for level in range(1, 7)}
_LEAST = 0.8
_MOST_PAGES = 200


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--spec", type=Path)
    parser.add_argument("--dump", type=Path)
    args = parse(parser)
    tables = {}
    if args.pages:
        tables["Web pages"] = measure_pages(args)
    if args.spec:
        tables["Blocks of Markdown"] = measure_markdown(args.spec.read_text())
    if find_spec("mwparserfromhell") and (args.dump or find_spec("gensim")):
        tables["Wikitext"] = measure_wikitext(read_dump(args))
    print_report(args, tables)


def measure_pages(args: argparse.Namespace) -> list[Row]:
    """The words of pages, and the pages of which less is read than `_LEAST` of them."""
    folders = [path.parent for path in sorted(args.pages.glob("*/expected.html"))]
    scores, low = [], []
    for folder in folders[:: 20 if args.quick else 1]:
        log = ReadLog()
        content = (folder / "source.html").read_bytes()
        article = html.parse_html(content, folder.name, "", lists=True, log=log)
        kinds = read_kinds((folder / "expected.html").read_text())
        expected: Counter[str] = Counter()
        for (_, word), number in kinds.items():
            expected[word] += number
        found = Counter(_WORD.findall(" ".join(show(article)).lower()))
        scores.append(compare(expected, found))
        if scores[-1][0] < _LEAST:
            low.append(f"{folder.name} {scores[-1][0]:.2f}{'' if log.describe_left_out() else '!'}")
    below = {f"below {_LEAST} (! no word of it)": ", ".join(low)}
    return [{"pages": len(scores), **average(scores, "recall", "precision"), **below}]


def measure_markdown(spec: str) -> list[Row]:
    """The words of each kind of block in the examples of the specification."""
    expected: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    examples = re.findall(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", spec, re.DOTALL | re.MULTILINE)
    for source, rendered in examples:
        wanted = read_kinds(rendered.replace("→", "\t"))
        read = Counter(iter_kinds(source.replace("→", "\t")))
        expected += wanted
        found += read
        right += wanted & read
    rows = []
    for kind in ("heading", "code", "item", "quote", "paragraph"):
        n_right, n_wanted, n_found = (
            sum(n for (own, _), n in words.items() if own == kind)
            for words in (right, expected, found)
        )
        measured = average([(n_right / n_wanted, n_right / n_found)], "recall", "precision")
        rows.append({"kind": kind, "words": n_wanted, **measured})
    return rows


def iter_kinds(source: str) -> Iterator[tuple[str, str]]:
    """The words of Markdown, as it is read, with the kinds of their blocks."""
    for block in markdown.find_blocks(source):
        of_html = block.kind == "html"
        for part in html.find_blocks(block.text).blocks if of_html else [block]:
            kind = "paragraph" if part.kind == "table" else part.kind
            yield from ((kind, word) for word in _WORD.findall(part.text.lower()))


class _Kinds(HTMLParser):
    """Gathers the text of HTML by the kinds of its blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[tuple[str, str]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)
        self._divide(tag)

    def handle_endtag(self, tag: str) -> None:
        self._divide(tag)
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def _divide(self, tag: str) -> None:
        if tag not in ("a", "b", "code", "del", "em", "i", "span", "strong"):
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "textarea"} & {*self._open}:
            kind = next((_KINDS[tag] for tag in _KINDS if tag in self._open), "paragraph")
            self.pieces.append((kind, data))


def read_kinds(rendered: str) -> Counter[tuple[str, str]]:
    """The words of HTML with the kinds of their blocks."""
    parser = _Kinds()
    parser.feed(rendered)
    parser.close()
    return Counter(
        (kind, word)
        for kind in ("heading", "code", "item", "quote", "paragraph")
        for word in _WORD.findall(
            "".join(data for own, data in parser.pieces if own == kind).lower()
        )
    )


def read_dump(args: argparse.Namespace) -> list[Page]:
    """The first articles of a dump."""
    path = args.dump
    if not path:
        from gensim.test.utils import datapath

        path = Path(datapath(GENSIM_DUMP))
    n = 3 if args.quick else _MOST_PAGES
    return [*islice(read_pages(path, ReadLog(skip_bad=True)), n)]


def measure_wikitext(pages: list[Page]) -> list[Row]:
    """Markup that is left, and words that are lost."""
    import mwparserfromhell

    n_words = n_marks = 0
    scores = []
    for page in pages:
        text = " ".join(show(parse_wikitext(page.title, page.text, lists=True)))
        n_words += len(text.split())
        n_marks += len(_MARKUP.findall(text))
        stripped = mwparserfromhell.parse(page.text).strip_code()
        words = (Counter(_WORD.findall(one.lower())) for one in (stripped, text))
        scores.append(compare(*words))
    counts = {"articles": len(pages), "words": f"{n_words:,}"}
    marks = {"marks a thousand words": f"{1000 * n_marks / n_words:.2f}"}
    return [{**counts, **marks, **average(scores, "recall", "precision")}]


def show(article: Article) -> Iterable[str]:
    """The titles and paragraphs of an article."""
    for section in article.sections:
        yield from (section.title, *section.paragraphs)


def average(scores: Sequence[Sequence[float]], *heads: str) -> Row:
    """The mean of each column, under its head."""
    return {head: f"{sum(score) / len(scores):.3f}" for head, score in zip(heads, zip(*scores))}


def compare(expected: Counter[str], found: Counter[str]) -> tuple[float, float]:
    """Recall and precision of words."""
    right = (expected & found).total()
    return right / max(expected.total(), 1), right / max(found.total(), 1)


if __name__ == "__main__":
    main()
