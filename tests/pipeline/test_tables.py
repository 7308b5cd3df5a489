import sys

import numpy as np
import pytest
import spacy
from spacy.tokens import SpanGroup

from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.pipeline import corpus_themes
from spacy_thematic.pipeline.corpus_themes import CorpusTheme, CorpusThemes, find_corpus_themes


def make_doc(text, axes, title=None):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp(text)
    doc._.thematic_vectors = (np.eye(8)[axes] + 0.1).astype("f").reshape(-1, 8)
    doc._.thematic_title = title
    doc.spans["thematic_sentences"] = SpanGroup(
        doc, name="thematic_sentences", spans=list(doc.sents)
    )
    return doc


@pytest.fixture
def no_pandas(monkeypatch):
    monkeypatch.setattr(corpus_themes, "make_frame", lambda rows, columns=(): rows)


@pytest.fixture
def docs():
    return [
        make_doc("Bees make honey. Honey is sweet. Ships cross seas.", [0, 0, 1], "Bees"),
        make_doc("Ships cross oceans.", [1], "Ships"),
        make_doc("", [], "Empty"),
    ]


def test_a_row_for_each_theme_and_each_text(docs, no_pandas):
    themes = find_corpus_themes(docs, ThemeSettings(k=2), units="sentences")
    rows = themes.to_frame(docs)
    assert [(row["number"], row["sentences"], row["texts"]) for row in rows] == [
        (1, 2, 1),
        (2, 2, 1),
    ]
    assert "texts" not in themes.to_frame()[0]
    first, second, empty = themes.documents(docs)
    assert (first["title"], first["theme"], first["name"]) == ("Bees", 1, themes.themes[0].name)
    assert first["share"] == pytest.approx(2 / 3) and 0 < first["confidence"] <= 1
    assert (second["theme"], second["share"]) == (2, 1)
    assert (empty["theme"], empty["name"], empty["share"], empty["confidence"]) == (0, None, 0, 0)
    shares = [list(row.values()) for row in themes.shares(docs)]
    assert shares == [[2 / 3, 1 / 3], [0, 1], [0, 0]] and themes.shares([]) == []


def test_what_docs_find_a_theme_by_stays(docs, no_pandas):
    themes = find_corpus_themes(docs, ThemeSettings(k=2), units="sentences")
    for name in ("label", "number"):
        with pytest.raises(AttributeError, match=f"by its {name}, so that it stays"):
            setattr(themes.themes[0], name, 3)
    themes.themes[0].name = "Insects"
    assert themes.documents(docs)[0]["name"] == "Insects"


def test_the_same_as_pandas_tables(docs):
    pytest.importorskip("pandas")
    themes = find_corpus_themes(docs, ThemeSettings(k=2), units="sentences")
    assert themes.to_frame(docs)["texts"].tolist() == [1, 1]
    assert themes.documents(docs)["title"].tolist() == ["Bees", "Ships", "Empty"]
    shares = themes.shares(docs)
    assert list(shares.columns) == [theme.name for theme in themes.themes]
    assert shares.sum(axis=1).tolist() == pytest.approx([1, 1, 0])
    assert list(themes.documents([]).columns) == list(themes.documents(docs).columns)
    for theme in themes.themes:
        theme.name = "Both"
    assert list(themes.shares(docs).columns) == ["Both (1)", "Both (2)"]


def test_documents_without_these_themes_are_errors(docs):
    themes = find_corpus_themes(docs, ThemeSettings(k=2), units="sentences")
    new = make_doc("Kings rule.", [2])
    for find in (themes.documents, themes.shares):
        with pytest.raises(ValueError, match="'Kings rule.' does not have these themes"):
            find([new])
        with pytest.raises(TypeError, match="found Token: pass a list of Docs"):
            find(docs[0])
    find_corpus_themes([new], ThemeSettings(k=1))
    with pytest.raises(ValueError, match="does not have these themes"):
        themes.documents([new])


def test_the_table_of_merged_themes_is_largest_first():
    pytest.importorskip("pandas")
    themes = [
        CorpusTheme(number=n, label="", keywords=[], size=size, representative="")
        for n, size in ((1, 4), (2, 3), (3, 2))
    ]
    found = CorpusThemes(themes, np.eye(3), np.zeros(3))
    found.merge([2, 3])
    assert found.to_frame()["number"].tolist() == [2, 1]


def test_without_pandas_tables_are_lists(docs, monkeypatch):
    themes = find_corpus_themes(docs, ThemeSettings(k=2))
    monkeypatch.setitem(sys.modules, "pandas", None)
    rows = themes.shares(docs)
    assert isinstance(rows, list) and rows[2] == dict.fromkeys(rows[0], 0)
    assert [row["share"] for row in themes.documents(docs)][1:] == [1, 0]


def test_a_span_and_a_doc_have_the_theme_of_most_sentences(docs):
    find_corpus_themes(docs, ThemeSettings(k=2))
    bees, _, ships = (sentence._.thematic_theme.number for sentence in docs[0].sents)
    assert bees != ships and docs[0]._.thematic_theme.number == bees
    assert docs[1][1:2]._.thematic_theme.number == ships
    assert docs[2]._.thematic_theme is None and spacy.blank("en")("A")._.thematic_theme is None
