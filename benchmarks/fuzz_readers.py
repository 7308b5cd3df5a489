"""Feed the wikitext, Markdown and HTML readers with random text made of their own markup.

    python -m benchmarks.fuzz_readers [--examples 20000]

Each of the `--examples` inputs of a reader must give an article, in time, with text that can be
stored.
"""

from __future__ import annotations

import argparse
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.html import parse_html
from spacy_thematic.articles.json_records import check_text
from spacy_thematic.articles.markdown import parse_markdown
from spacy_thematic.articles.wikitext import parse_wikitext

MAX_SECONDS = 2.0

PLAIN = [
    "a",
    "word ",
    " ",
    "\n",
    "\n\n",
    "é",
    "𝔸",
    "\u200b",
    "&amp;",
    "&#",
    "&#0;",
    "&#xD800;",
    ".",
]
WIKITEXT = [
    *("{{", "}}", "{{{", "}}}", "[[", "]]", "|", "{|", "|}", "\n{|", "\n|}", "\n|-", "\n!", "=="),
    *("\n== ", " ==\n", "''", "'''", "'''''", "<ref>", "</ref>", "<ref/>", "<!--", "-->", "<b>"),
    *("<nowiki>", "</nowiki>", "<math>", "</math>", "<table>", "</table>", "<br>", "<p", "File:"),
    *("Category:", ":", "lang|fr|", "convert|5|", "as of|", "[http://x ", "]", "\n*", "\n#", "\n "),
    *("(", ")", ",", ";", "__TOC__", "\ue000", "frac|", "#if:", "=", "lc=y"),
]
MARKDOWN = [
    *("# ", "\n## ", "\n===\n", "\n---\n", "+++\n", "title: ", "* ", "\n> ", "\n1. ", "```\n", "`"),
    *("[", "]", "(", ")", "![", "](", "<", ">", "<b>", "<!--", "|", "\n|---|\n", "**", "_", "\\"),
    *("    ", "\t", "~~~", "[a]: ", "{#a}", "http://x"),
]
HTML = [
    *("<p>", "</p>", "<h1>", "</h1>", "<h2>", "<h6>", "<div>", "</div>", "<table>", "</table>"),
    *("<ul>", "<li>", "<script>", "</script>", "<style>", "<!--", "-->", "<!DOCTYPE html>", "<"),
    *(
        ">",
        "<title>",
        "</title>",
        "<svg>",
        "<b a='",
        "'",
        "<meta charset=x>",
        "<meta charset=utf-16>",
    ),
    *("<?xml ?>", "<![CDATA[", "]]>", "<pre>", "<br>", "</", "<html>", "<body>", "<template>"),
]


def texts(pieces: list[str]) -> st.SearchStrategy[str]:
    piece = st.one_of(st.sampled_from(pieces), st.sampled_from(PLAIN), st.text(max_size=5))
    repeated = st.builds(lambda unit, count: unit * count, piece, st.integers(1, 300))
    return st.lists(st.one_of(piece, piece, piece, repeated), max_size=60).map("".join)


def check(article: Article) -> None:
    check_text(article)
    for section in article.sections:
        for text in (section.title, *section.paragraphs):
            assert text == " ".join(text.split()), f"whitespace left in {text!r}"
        assert all(section.paragraphs), "an empty paragraph"


def check_wikitext(text: str) -> None:
    article = parse_wikitext("T", text)
    check(article)
    for section in article.sections:
        for paragraph in section.paragraphs:
            for mark in ("{{", "}}", "[[", "]]", "{|", "|}", "\ue000"):
                assert mark not in paragraph, f"{mark} left in {paragraph!r}"


def check_bytes(parse, text: str) -> None:
    content = text.encode("utf8", errors="ignore")
    try:
        article = parse(content, "name", "source")
    except ValueError:
        return
    check(article)


def fuzz(name: str, pieces: list[str], checker, examples: int) -> None:
    slowest = 0.0
    inputs = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts(pieces))
    def run(text: str) -> None:
        nonlocal slowest, inputs
        start = time.process_time()
        checker(text)
        seconds = time.process_time() - start
        slowest = max(slowest, seconds)
        inputs += 1
        assert seconds < MAX_SECONDS, f"{seconds:.1f} s for {len(text)} characters"

    start = time.perf_counter()
    run()
    seconds = time.perf_counter() - start
    print(f"{name:<10}{inputs:>8} inputs{seconds:>8.0f} s, slowest {slowest:.3f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=20_000)
    examples = parser.parse_args().examples
    fuzz("wikitext", WIKITEXT, check_wikitext, examples)
    fuzz("HTML", HTML, lambda text: check_bytes(parse_html, text), examples)
    fuzz("Markdown", MARKDOWN, lambda text: check_bytes(parse_markdown, text), examples)


if __name__ == "__main__":
    main()
