import re

import pytest
from spacy import displacy
from spacy.tokens import Span

from spacy_thematic.report.page import count_sections, displacy_options, render_page

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


def test_displacy_shows_every_theme_in_its_colour(make_doc):
    doc = make_doc(["Bees hum.", "<b> Ships.", "Bees make wax."], [0, 1, 0])
    options = displacy_options(doc)
    html = displacy.render(doc, style="span", options=options, jupyter=False)
    for theme in doc._.thematic_clusters:
        assert theme.label in html
        assert options["colors"][theme.label] in html
    assert "<b>" not in html
