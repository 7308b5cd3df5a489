"""Twice the text takes twice the time, whatever the text: of each shape, at n and 2n characters,
for every reader, every component, `chunk` and the page."""

import csv
import gc
import io
import json
import time
from xml.sax.saxutils import escape

import pytest
import spacy

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.chunking.chunker import Chunker
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.pipeline.texts import NamedText, make_doc, read_texts
from spacy_thematic.report.page import render_page

COMPONENTS = (
    "thematic_layout",
    "thematic_sentencizer",
    "thematic_embedder",
    "thematic_segmenter",
    "thematic_clusterer",
)
N = 4_000
GROWTH = 3.3
TOO_FAST = 0.06
"""Seconds that say nothing of growth. What is quadratic from there on takes a minute at a million
characters."""

TRIES = 4

UNITS = {
    "trailing CRLF lines": "\r\n",
    "CR lines": "a\r",
    "blank lines": "\n",
    "lines of spaces": "   \n",
    "spaces": " ",
    "no-break spaces": "\xa0",
    "headings": "# Head\n\n",
    "headings and prose": "## Head\n\nThe river rises here.\n\n",
    "headings without marks": "Head of it\n\nThe river rises in the mountains.\n\n",
    "underlined headings": "Head\n===\n",
    "bullets": "* a\n",
    "numbered items": "1. a\n",
    "lists within lists": "- ",
    "quoted lines": "> a\n",
    "quotes within quotes": "> ",
    "brackets": "(",
    "sharps": "#",
    "full stops": ".",
    "exclamation marks": "! ",
    "quotation marks": '"',
    "apostrophes": "'",
    "genitives": "it's ",
    "commas": ", ",
    "equals signs": "=",
    "emphasis": "**a ",
    "backticks": "`",
    "one word": "word ",
    "one word a line": "word\n",
    "fillers": "ok ",
    "abbreviations": "U.S. The ",
    "initials": "A. ",
    "equal sentences": "The river rises here. ",
    "equal paragraphs": "The river rises here.\n\n",
    "sentences in brackets": "He (it. It goes. ",
    "one word without end": "x",
    "hyphens": "a-",
    "dotted words": "a.",
    "header lines": "From: a@b.org\n",
    "closings": "\nRegards,\n\nAnn\n\n",
    "forwarded mails": "-----Original Message-----\nFrom: a\n",
    "cues": "00:01:02.000 --> 00:01:04.000\nIt is so.\n\n",
    "rows of a table": "| a |\n",
    "speakers": "A: x\n",
    "speakers with times": "[10:02] <leo> hello\n",
    "speakers without end": "10:02 <leo> <ann> <",
    "actions without end": "10:02 * leo [",
    "divisions within divisions": "<div>",
    "lists of HTML within lists": "<ul><li>a",
    "tables of HTML within tables": "<table><tr><td>a ",
    "hidden divisions": "<div hidden>a",
    "broken lines of HTML": "a<br><br>",
    "marks of footnotes": "It is.[1] ",
    "three dots": "It is... ",
    "open comments": "<!--",
    "open scripts": "<script>",
    "open tags": '<a "',
    "angle brackets": "<",
    "references": "<ref>",
    "open links": "[[",
    "open links of Markdown": "[a](",
    "open images": "![a",
    "open templates": "{{a|",
    "open tables": "{|\n",
    "entities": "&amp;",
    "ampersands": "&",
    "soft hyphens": "\xad",
    "soft hyphens at the ends of lines": "a\xad\n",
    "notes after quotations": "It is.'1 ",
    "open headings in angle brackets": "<AB ",
    "emoji": "🏔️",
    "combining marks": "a\u0301",
    "Chinese": "河",
    "Japanese sentences": "東京は日本の首都です。",
    "fences": "```\n",
    "front matter": "---\n",
    "addresses": "http://a.b/",
}
MAKERS = {
    name: lambda n, unit=unit: "Text.\n" + unit * (n // len(unit)) for name, unit in UNITS.items()
}
MAKERS |= {
    "nested quotes": lambda n: "\n".join("> " * (i % 60) + "a" for i in range(n // 60)),
    "nested lists": lambda n: "\n".join("  " * (i % 60) + "- a" for i in range(n // 60)),
    "a line for each word": lambda n: "\n".join(f"w{i}x" for i in range(n // 7)),
    "sentences of new words": lambda n: "".join(f"The w{i}x rises. " for i in range(n // 18)),
    "headings of new words": lambda n: "".join(
        f"# W{i}x\n\nThe z{i}y rises.\n\n" for i in range(n // 30)
    ),
    "roles of reStructuredText": lambda n: ":a:" * (n // 3),
    "references of Markdown": lambda n: "[a]: b\n\n" + "[a] " * (n // 4),
}


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    for name in COMPONENTS:
        nlp.add_pipe(name)
    measure_components(nlp, "The river rises.\n\nIt floods the valley. ", {})
    return nlp


class Clock:
    """Adds up what the processor takes for each of some steps."""

    def __init__(self, seconds, name):
        self.seconds, self.name = seconds, name

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, *_):
        self.seconds[self.name] = time.process_time() - self.start


def measure_readers(text, folder, seconds):
    rows = io.StringIO()
    csv.writer(rows).writerows([("title", "text"), ("t", text)])
    printable = "".join(mark for mark in text if mark >= " " or mark in "\t\n\r")
    contents = {
        "plain.txt": text,
        "subtitles.vtt": "WEBVTT\n\n" + text,
        **dict.fromkeys(("page.md", "page.rst", "page.adoc", "page.org", "page.wiki"), text),
        "page.html": "<html>" + text,
        "record.jsonl": json.dumps({"text": text}),
        "lines.jsonl": text,
        "record.csv": rows.getvalue(),
        "lines.csv": "title,text\n" + text,
        "dump.xml": (
            '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><page><title>A</title>'
            "<ns>0</ns><id>1</id><revision><id>1</id><model>wikitext</model>"
            f"<text>{escape(printable)}</text></revision></page></mediawiki>"
        ),
    }
    for name, content in contents.items():
        file = folder / name
        file.write_text(content, encoding="utf8", newline="")
        with Clock(seconds, f"reading {name}"):
            try:
                if name.endswith(".xml"):
                    list(read_articles(file, log=ReadLog(skip_bad=True)))
                else:
                    list(read_texts([file], ReadLog(skip_bad=True)))
            except SourceError:
                pass  # What a reader refuses, it must refuse in time.


def measure_components(nlp, text, seconds):
    with Clock(seconds, "making a Doc"):
        doc = make_doc(nlp, NamedText("a", text.split("\n\n")))
    for name, component in nlp.pipeline:
        with Clock(seconds, name):
            doc = component(doc)
    with Clock(seconds, "the page"):
        render_page([doc])
    for markup in ("markdown", "html", "plain"):
        chunker = Chunker(model=nlp, markup=markup)
        with Clock(seconds, f"chunk, {markup}"):
            chunker(text)


def measure(nlp, text, folder):
    seconds = {}
    gc.collect()
    # Now and then the garbage collector takes longer than what is measured.
    gc.disable()
    try:
        with single_thread():
            measure_readers(text, folder, seconds)
            measure_components(nlp, text, seconds)
    finally:
        gc.enable()
    return seconds


def find_slow(nlp, folder, shape, n, times, growth):
    """The steps that take more than `growth` times as long for `times` the text, with both
    seconds."""
    texts = MAKERS[shape](n), MAKERS[shape](times * n)
    best = {}
    for _ in range(TRIES):
        for size, text in enumerate(texts):
            for step, seconds in measure(nlp, text, folder).items():
                best[step, size] = min(seconds, best.get((step, size), seconds))
        slow = {
            step: (best[step, 0], best[step, 1])
            for step, size in best
            if size and best[step, 1] > max(growth * best[step, 0], TOO_FAST)
        }
        if not slow:
            break
    return slow


@pytest.mark.parametrize("shape", MAKERS)
def test_twice_the_text_takes_twice_the_time(nlp, tmp_path, shape):
    if slow := find_slow(nlp, tmp_path, shape, N, 2, GROWTH):
        # From some length on a text may be treated in another way, which takes longer once: what
        # grows with the square is too slow at the next two doublings, too.
        again = find_slow(nlp, tmp_path, shape, 2 * N, 4, GROWTH**2)
        both = {step: (*slow[step], again[step][1]) for step in slow.keys() & again.keys()}
        assert not both, f"{shape}: seconds at n, 2n and 8n: {both}"
