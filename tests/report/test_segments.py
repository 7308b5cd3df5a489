"""The page of Docs with segments."""

import re

import pytest
from spacy.tokens import Span, SpanGroup

from spacy_thematic.report import render_page
from spacy_thematic.report.page import list_contents, split_text
from tests.report.conftest import Page

SENTENCES = ["Bees hum.", "Wax melts.", "Ships sail.", "Kings rule.", "Wars end."]
THEMES = [0, 0, 1, 2, 2]


@pytest.fixture
def doc(make_doc, cut):
    """Segments of two, one and two sentences, labelled bees, ships and kings."""
    doc = cut(make_doc(SENTENCES, THEMES), [0, 2, 3], [0, 3, 1.5])
    rename(doc, ["bees", "ships", "kings"])
    return doc


def rename(doc, labels):
    old = doc.spans["thematic_segments"]
    spans = [
        Span(doc, span.start, span.end, label, span_id=span.id) for span, label in zip(old, labels)
    ]
    doc.spans["thematic_segments"] = SpanGroup(doc, name=old.name, attrs=old.attrs, spans=spans)


def shown(part):
    return "".join(sentence.before + sentence.text for sentence in part.sentences) + part.rest


def test_each_segment_begins_with_its_label(doc):
    html = render_page([doc])
    sections = re.findall(r'<section class="segment".*?</section>', html, re.S)
    texts = [re.sub(r"theme \d", "", Page(section).text).split("\n") for section in sections]
    assert [list(filter(None, lines)) for lines in texts] == [
        ["bees", "Bees hum. Wax melts."],
        ["ships", "Ships sail."],
        ["kings", "Kings rule. Wars end."],
    ]


def test_rules_are_as_long_as_boundaries_are_strong(doc):
    rules = Page(render_page([doc])).find("hr")
    assert [rule["style"] for rule in rules] == ["--share:1.00", "--share:0.50"]
    assert [rule["title"] for rule in rules] == [
        "Boundary of strength 3.00",
        "Boundary of strength 1.50",
    ]


@pytest.mark.parametrize("gains", [[0, 0, 0], [0, -1, -2]])
def test_boundaries_without_strength_have_rules_without_length(make_doc, cut, gains):
    doc = cut(make_doc(SENTENCES, THEMES), [0, 2, 3], gains)
    assert [part.share for part in split_text(doc)] == [None, 0, 0]


def test_contents_link_to_every_segment_of_every_text(doc):
    page = Page(render_page([doc, doc]))
    links = [link["href"] for link in page.find("a") if "segment" in link["href"]]
    places = [section["id"] for section in page.find("section", **{"class": "segment"})]
    assert links == [f"#{place}" for place in places]
    assert len(set(places)) == 6
    names = [nav["aria-label"] for nav in page.find("nav")]
    assert names == ["Texts", "Segments of Text 1", "Segments of Text 2"]


def test_contents_are_nested_by_level(make_doc, cut):
    doc = cut(make_doc(SENTENCES, THEMES), range(5), [0, 1, 1, 1, 1], [1, 3, 2, 1, 2])

    def numbers(entries):
        return [(segment.number, numbers(below)) for segment, below in entries]

    contents = list_contents(doc._.thematic_segments)
    assert numbers(contents) == [(1, [(2, []), (3, [])]), (4, [(5, [])])]
    html = render_page([doc])
    lists = re.findall(r"</?ol>|text-1-segment-\d", re.search(r"<nav.*?</nav>", html, re.S)[0])
    assert [item[-1] if item[0] == "t" else item for item in lists] == [
        "<ol>", "1", "<ol>", "2", "3", "</ol>", "4", "<ol>", "5", "</ol>", "</ol>",
    ]  # fmt: skip
    assert re.findall(r'<h(\d) class="label"', html) == ["3", "5", "4", "3", "4"]


def test_labels_are_escaped(doc):
    evil = "<script>alert(1)</script>\"'&"
    rename(doc, [evil, "ships", "kings"])
    page = Page(render_page([doc], names=[f'"><img src=x>{evil}']))
    assert page.text.count(evil) == 3
    assert not page.find("img")
    assert len(page.find("script")) == 1


def test_page_refers_to_nothing_outside_itself(doc):
    html = render_page([doc])
    assert not re.search(r"https?:|url\(|@import|\bsrc=", html)
    assert all(link["href"].startswith("#") for link in Page(html).find("a"))


def test_no_text_is_lost_and_no_space_is_around_segments(make_doc, cut):
    doc = make_doc(
        ["\n Bees hum.", "Wax melts. \n\n", "\n\n Ships sail.", "Kings rule. \n"], [0] * 4
    )
    cut(doc, [0, 2], [0, 1])
    group = doc.spans["thematic_clusters"]
    # A theme's sentences need not cover the text.
    group[1] = Span(doc, group[1].start, group[1].end - 2, group[1].label, span_id=group[1].id)
    parts = split_text(doc)
    assert [shown(part) for part in parts] == [
        segment.span.text.strip() for segment in doc._.thematic_segments
    ]
    assert " ".join(map(shown, parts)).split() == doc.text.split()


def test_the_title_of_a_section_is_not_repeated_where_a_segment_begins_in_it(doc):
    titles = ["Nature", "Nature", "Nature", "State", "State"]
    sentences = list(doc.sents)
    doc.spans["sections"] = [
        Span(doc, sent.start, sent.end, title) for sent, title in zip(sentences, titles)
    ]
    headings = [[sentence.heading for sentence in part.sentences] for part in split_text(doc)]
    assert headings == [["Nature", ""], [""], ["State", ""]]


def test_without_segments_the_page_has_none(doc):
    del doc.spans["thematic_segments"]
    page = Page(render_page([doc]))
    assert not any(page.find(tag) for tag in ("nav", "section", "hr", "a"))
    assert len(page.find("div", **{"class": "text"})) == 1


@pytest.mark.parametrize("text", ["", " \n "])
def test_doc_without_sentences(make_doc, cut, text):
    doc = cut(make_doc([text], []), [], [])
    (part,) = split_text(doc)
    assert part.sentences == []
    assert "Text 1" in render_page([doc])
