import re

import pytest
from spacy import displacy
from spacy.tokens import Span

from spacy_thematic.report.page import render_page
from spacy_thematic.report.terminal import render_terminal
from spacy_thematic.report.text import count_sections
from spacy_thematic.report.themes import displacy_options

SENTENCES = ["Bees make wax.", "Ships cross seas.", "Bees make honey.", "Ships sink."]


@pytest.fixture
def doc(make_doc):
    return make_doc(SENTENCES, [0, 1, 0, 1])


def test_sections_are_counted_by_theme(doc):
    starts = [sentence.start for sentence in doc.sents] + [len(doc)]
    doc.spans["sections"] = [
        Span(doc, starts[1], starts[3], label="Bees & ships"),
        Span(doc, starts[3], len(doc), label="Ships"),
    ]
    counts = count_sections(doc)
    assert counts == {"(no title)": {1: 1}, "Bees & ships": {1: 1, 2: 1}, "Ships": {2: 1}}
    page = render_page([doc])
    assert '<th scope="row">Bees &amp; ships</th>' in page
    shares = [float(share) for share in re.findall(r"--share:([\d.]+)", page)]
    assert shares == [1.0, 0.5, 0.5, 1.0]


def test_no_table_without_sections(doc):
    assert count_sections(doc) == {}
    assert 'class="sections"' not in render_page([doc])


def test_terminal_shows_themes_and_numbered_sentences(doc):
    text = render_terminal(doc, colours=False)
    assert text.splitlines()[0].startswith("  1  Bees make, wax, honey (2)")
    assert text.splitlines()[-4:] == [
        "  1  Bees make wax.",
        "  2  Ships cross seas.",
        "  1  Bees make honey.",
        "  2  Ships sink.",
    ]


def test_text_cannot_command_the_terminal(make_doc):
    evil = make_doc(["Bees\x1b[2J make \x07wax."], [0])
    assert "\x1b" not in render_terminal(evil, colours=False)
    assert "\x1b[2J" not in render_terminal(evil, colours=True)


def test_lines_fit_the_terminal(make_doc):
    doc = make_doc(["Bees " * 60 + "."], [0])
    assert max(map(len, render_terminal(doc, colours=False, width=40).splitlines()[3:])) <= 40


def test_displacy_shows_every_theme_in_its_colour(make_doc):
    doc = make_doc(["Bees hum.", "<b> Ships.", "Bees make wax."], [0, 1, 0])
    options = displacy_options(doc)
    html = displacy.render(doc, style="span", options=options, jupyter=False)
    for theme in doc._.thematic_clusters:
        assert theme.label in html
        assert options["colors"][theme.label] in html
    assert "<b>" not in html
