import base64
import hashlib
import re

import pytest
import spacy
from spacy.tokens import Doc, Span

from spacy_thematic.report import render_page, write_page
from tests.report.conftest import Page

SENTENCES = ["Bees make wax.", "Ships cross seas.", "Bees make honey."]


def test_every_sentence_is_marked_with_its_theme(make_doc):
    page = Page(render_page([make_doc(SENTENCES, [0, 1, 0])]))
    marked = page.find("span", **{"class": "sentence"})
    assert [span["data-theme"] for span in marked] == ["1", "2", "1"]
    assert [button["data-theme"] for button in page.find("button")] == ["1", "2"]
    colours = {span["data-theme"]: span["style"] for span in marked}
    assert len(set(colours.values())) == 2


def test_texts_have_their_language_and_direction(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    assert [article["lang"] for article in Page(render_page([doc])).find("article")] == [""]
    german = Doc(spacy.blank("de").vocab).from_bytes(doc.to_bytes())
    page = Page(render_page([german]))
    assert [article["lang"] for article in page.find("article")] == ["de"]
    assert [div["dir"] for div in page.find("div", **{"class": "text"})] == ["auto"]


def test_legend_and_table_name_every_theme(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    page = Page(render_page([doc], title="Two things"))
    for theme in doc._.thematic_clusters:
        assert page.text.count(f"{theme.number} {theme.label}") == 2
        assert all(word in page.text for word in theme.keywords)
    assert page.text.count("Two things") == 2


def test_headings_and_broader_themes_are_named(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    themes = doc.spans["thematic_clusters"].attrs["themes"]
    themes[0].update(heading="Hives", parent="nature")
    themes[1].update(heading="<Sails>", parent="travel")
    page = Page(render_page([doc]))
    names = [ul["aria-label"] for ul in page.find("ul", **{"class": "legend"})]
    assert names == ["Themes of nature", "Themes of travel"]
    assert page.text.count("1 Hives") == page.text.count("2 <Sails>") == 2


def test_subthemes_are_named_with_their_theme(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    hives = {"number": 1, "label": "hives, hum", "keywords": ["hives"], "sentences": [0]}
    wax = {**hives, "number": 2, "heading": "Bee & wax", "sentences": [2]}
    doc.spans["thematic_clusters"].attrs["themes"][0]["subthemes"] = [hives, wax]
    page = Page(render_page([doc]))
    assert "hives, hum · Bee & wax" in page.text
    assert len(page.find("small", **{"class": "within"})) == 1


def test_titles_of_sections_stand_in_the_text(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    spans = [Span(doc, sent.start, sent.end, title) for sent, title in zip(doc.sents, "AAB")]
    doc.spans["sections"] = spans
    page = Page(render_page([doc]))
    assert re.sub(r"(theme )?\d", "", page.text).count("ABees make wax. Ships cross seas.B") == 1


def test_all_text_is_shown_and_escaped(make_doc):
    evil = '<script>alert("1")</script> & <img src=x onerror=alert(2)>.'
    doc = make_doc([evil, "Bees hum."], [0, 1])
    page = Page(render_page([doc], title=evil, names=[evil]))
    assert page.text.count("<script>alert") >= 3
    assert len(page.find("script")) == 1
    assert not page.find("img")


def test_control_characters_do_not_reach_the_page(make_doc):
    evil = make_doc(["Bees\x1b[2J make \x07wax."], [0])
    page = render_page([evil, evil], title="a\x1bb", names=["c\x1b]0;d", "e\x9b\u202ef"])
    assert not set(page) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "c ]0;d" in page and "e  f" in page


def test_page_refers_to_nothing_outside_itself(make_doc):
    html = render_page([make_doc(SENTENCES, [0, 1, 0])])
    assert not re.search(r"https?:|url\(|@import|\b(src|href)=", html)


def test_the_policy_allows_the_script_of_the_page(make_doc):
    html = render_page([make_doc(SENTENCES, [0, 1, 0])])
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = Page(html).find("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert policy.endswith(f"script-src 'sha256-{digest}'")


def test_the_space_around_a_sentence_has_no_colour(make_doc):
    html = render_page([make_doc(["Bees make wax.", "\n\n Ships cross seas."], [0, 1])])
    assert "</b>Bees make wax.</span> \n\n <span" in html
    assert "</b>Ships cross seas.</span></div>" in html


def test_no_text_is_lost_where_a_section_begins(make_doc):
    doc = make_doc(SENTENCES, [0, 1, 0])
    group = doc.spans["thematic_clusters"]
    # A theme's sentences need not cover the text.
    group[2] = Span(doc, group[2].start + 1, group[2].end, group[2].label, span_id=group[2].id)
    doc.spans["sections"] = [Span(doc, group[2].start, len(doc), "Honey")]
    html = render_page([doc])
    assert "</span>Bees<h3>Honey</h3>" in html
    assert "</b>make honey.</span>" in html


def test_several_docs_are_shown_in_order(make_doc):
    docs = [make_doc(SENTENCES, [0, 1, 0]), make_doc(["Kings rule."], [0])]
    page = Page(render_page(docs, names=["First", "Second"]))
    assert len(page.find("article")) == 2
    assert page.text.index("First") < page.text.index("Second") < page.text.index("Kings rule.")


def test_themes_that_docs_share_come_first_with_links_to_the_docs(make_doc):
    first = make_doc([*SENTENCES, "Bees dance."], [0, 1, 0, 0])
    second = make_doc([*SENTENCES, "Bees dance."], [0, 1, 0, 0])
    page = Page(render_page([first, second], names=["One", "Two"]))
    (bees, ships) = first._.thematic_clusters
    overview = page.text[: page.text.rindex("Texts")]
    flat = " ".join(overview.split())
    assert f"1 {bees.label}62" in flat and "One (3), Two (3)" in flat
    assert f"2 {ships.label}22" in flat and "One (1), Two (1)" in flat
    links = [a["href"] for a in page.find("a")]
    assert links[:2] == links[-2:] == ["#text-1", "#text-2"]
    assert overview.count("Bees dance.") == 1, "equal sentences are shown once"
    assert [article["id"] for article in page.find("article")] == ["text-1", "text-2"]
    assert "Cohesion" not in page.text


def test_themes_count_in_all_docs_of_which_some_are_shown(make_doc):
    docs = [make_doc([*SENTENCES, f"Bees dance {n}."], [0, 1, 0, 0]) for n in range(3)]
    page = Page(render_page(docs, names=["One", "Two", "Three"], max_texts=1))
    flat = " ".join(page.text.split())
    assert "Themes of 3 texts" in flat and "The first 1 of 3." in flat
    assert f"1 {docs[0]._.thematic_clusters[0].label}93" in flat
    assert "Bees dance 2. Three" in flat
    assert {a["href"] for a in page.find("a")} == {"#text-1"}
    assert [article["id"] for article in page.find("article")] == ["text-1"]


def test_texts_with_one_theme_each_are_counted_as_texts(make_doc):
    docs = [make_doc([f"Bees hum {n}.", "Bees fly."], [0, 0]) for n in range(3)]
    page = " ".join(Page(render_page(docs)).text.split())
    assert (
        "Each text has the colour" in page and f"1 {docs[0]._.thematic_clusters[0].label}3" in page
    )
    assert "Each sentence has" in render_page([docs[0]])
    assert "Its texts" in page and "Its sentences" not in page and "Most of it in" not in page
    assert page.count("Bees hum 1.") == 3 == page.count("Bees fly.")
    named = " ".join(Page(render_page(docs, names=["One", "Bees", "Three"])).text.split())
    assert "One 1 Bees hum 0. Bees 1 Three 1 Bees hum 2." in named


@pytest.mark.parametrize("n_docs, is_shown", [(3, True), (16, True), (17, False)])
def test_places_are_shown_if_they_have_half_of_a_theme(make_doc, n_docs, is_shown):
    docs = [make_doc([f"Bees hum {n}.", "Ships sail."], [0, 1]) for n in range(n_docs)]
    page = Page(render_page(docs))
    assert f"Themes of {n_docs} texts" in " ".join(page.text.split())
    assert ("Most of it in" in page.text) == is_shown
    headings = page.elements[: page.elements.index(("tbody", {}))]
    n_columns = len([tag for tag, _ in headings if tag == "th"])
    assert page.find("td", colspan=str(n_columns))


def test_docs_with_themes_of_their_own_have_contents_alone(make_doc):
    docs = [make_doc(SENTENCES, [0, 1, 0]), make_doc(["Kings rule.", "Kings fight."], [0, 0])]
    page = Page(render_page(docs))
    assert "Themes of 2 texts" not in page.text
    assert [a["href"] for a in page.find("a")] == ["#text-1", "#text-2"]
    assert page.text.count("Cohesion is") == 1
    assert len(page.find("table", **{"class": "themes"})) == 2


def test_a_single_doc_has_no_overview(make_doc):
    assert not Page(render_page([make_doc(SENTENCES, [0, 1, 0])])).find("a")


def test_doc_without_sentences(make_doc):
    assert "Text 1" in render_page([make_doc([], [])])


def test_doc_without_themes_is_an_error():
    with pytest.raises(ValueError, match="thematic_clusterer"):
        render_page([spacy.blank("en")("Bees hum.")])


def test_one_doc_is_an_error(make_doc):
    with pytest.raises(TypeError, match="found Token: pass a list"):
        render_page(make_doc(["Bees hum."], [0]))


def test_file_holds_the_page(make_doc, tmp_path):
    doc = make_doc(["Größe zählt – 蜂."], [0])
    write_page([doc], tmp_path / "themes.html")
    assert (tmp_path / "themes.html").read_text(encoding="utf8") == render_page([doc])
