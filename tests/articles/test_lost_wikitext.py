"""Paragraphs that stand in or beside markup of wikitext."""

import pytest

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.articles.wikitext import parse_wikitext

SHIPS, KINGS = "Ships sail to the sea.", "Kings wage wars in spring."


def read(text, **settings):
    article = parse_wikitext("Title", text, **settings)
    return [paragraph for section in article.sections for paragraph in section.paragraphs]


@pytest.mark.parametrize(
    "text",
    [
        *(f"{SHIPS}\n<{tag}> {KINGS}</{tag}>" for tag in ("blockquote", "p", "div", "center")),
        f"<div>{SHIPS}</div> {KINGS}",
        f"<br> {SHIPS}\n\n<br /> {KINGS}",
        f"<ref>b</ref> {SHIPS}\n\n<ref name=a /> {KINGS}",
        f"<!-- a --> {SHIPS}\n\n<nowiki/> {KINGS}",
        f"{SHIPS}\n\n preformatted = line\n\n{KINGS}",
        f"{SHIPS}\n{{{{Quote|{KINGS}|Ann|1901}}}}",
        f"{SHIPS} {{{{quote box|align=left|quote={KINGS}}}}}",
        f"{{{{Zitat|Text={SHIPS}|Autor=Ann}}}}\n{{{{Cquote\n|1={KINGS}\n}}}}",
        f"{{{{Poem quote|{SHIPS}}}}} {{{{block indent|em=2|{KINGS}}}}}",
    ],
)
def test_paragraphs_beside_markup_are_kept(text):
    assert read(text) == [SHIPS, KINGS]


def test_lists_are_text_and_nothing_to_learn_from():
    text = f"* [[Ship]]s sail to the sea.\n*# {KINGS}\n:: {SHIPS}\n* [[Kings of it]]"
    text += "\n{|\n|-\n| a\n|}"
    assert read(text, lists=True) == [SHIPS, KINGS, SHIPS]
    assert read(text) == []
    for markup in (
        "<ul><li>{}</li>\n<li>{}</ul>",
        "<dl><dt>{}<dd>{}</dl>",
        "{{{{Plainlist|\n* {}\n* {}\n}}}}",
    ):
        text = markup.format(SHIPS, KINGS)
        assert read(text, lists=True) == [SHIPS, KINGS]
        assert read(text) == []


LAYOUT = '{| style="a" |-\n| valign="top" |\n__TOC__\n'
LONG = "Long ships sail down the river and over the sea each spring."


def test_the_cells_of_a_table_with_headings_are_text():
    table = f"{LAYOUT}= Sea =\n{SHIPS}\n* {KINGS}\n| width=9 | Ann\nLee\n|-\n|\n{KINGS}\n|}}"
    article = parse_wikitext("Title", f"{table}\n{SHIPS}", lists=True)
    assert [(section.title, section.paragraphs) for section in article.sections] == [
        ("", []),
        ("Sea", [SHIPS, KINGS, "Ann Lee", KINGS, SHIPS]),
    ]


def test_a_table_of_prose_is_text_and_one_of_figures_within_it_is_not():
    figures = "{|\n! Year !! Ship\n|-\n| 1900 || Ann\n|}"
    assert read(f"{LAYOUT}{LONG}\n{figures}\n|}}") == [LONG]
    assert read(f"{LAYOUT}{figures}\n1900\n|}}") == []


def test_rows_of_prose_are_text_where_lists_are():
    table = f"{{|\n! Ship\n! Says\n|-\n| Ann || width=9 | {LONG}\n| {KINGS}\n|}}"
    assert read(table, lists=True) == ["Ship – Says", f"Ann – {LONG} {KINGS}"]
    assert read(table) == []


def test_what_is_left_out_of_wikitext_is_told():
    text = (
        f"{{{{Infobox | name = The ship}}}}[[File:a.jpg|thumb|A ship.]] {SHIPS}\n* Ships\n code\n"
    )
    log = ReadLog()
    read(f"{text}<gallery>\na.jpg|One\n</gallery><math>\\frac12</math>", lists=True, log=log)
    assert log.describe_left_out() == [
        "Left out of the texts: 1 formula, 2 pictures, 1 template: 69 % of the words"
    ]
