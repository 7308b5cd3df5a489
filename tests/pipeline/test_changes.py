"""Themes over time: births, deaths, growth, and dates."""

import datetime
import warnings

import numpy as np
import pytest
import srsly

from spacy_thematic.clustering.theme_changes import compare_sizes
from spacy_thematic.pipeline.corpus_themes import CorpusThemes
from tests.pipeline.test_corpus_themes import find, make_doc


@pytest.fixture
def themes():
    """Bees and ships, of a collection in May."""
    docs = [make_doc(["bees"] * 6 + ["ships"] * 4)]
    docs[0]._.thematic_date = "2024-05-01"
    return find(docs, k=2)


def date(doc, value):
    doc._.thematic_date = value
    return doc


def test_a_theme_is_born_and_others_keep_their_numbers(themes):
    before = [(theme.number, theme.label) for theme in themes.themes]
    doc = date(make_doc(["bees"] * 4 + ["kings"] * 7, seed=1), datetime.date(2024, 6, 2))
    changes = themes.update([doc])
    assert changes.born == [3]
    assert [(theme.number, theme.label) for theme in themes.themes[:2]] == before
    born = themes.themes[2]
    assert born.label == "Kings rule, elder, fern, grass"
    assert born.representative.startswith("Kings rule")
    assert [theme.size for theme in themes.themes] == [10, 4, 7]
    assert [span.id for span in doc.spans["thematic_clusters"]] == [1] * 4 + [3] * 7
    assert themes.timeline == {"2024-05-01": {1: 6, 2: 4}, "2024-06-02": {1: 4, 3: 7}}
    assert np.allclose(np.linalg.norm(themes.centres, axis=1), 1)


def test_a_theme_that_is_not_new_is_not_born_again(themes):
    themes.update([make_doc(["kings"] * 6, seed=1)])
    changes = themes.update([make_doc(["kings"] * 6 + ["ships"] * 3, seed=2)])
    assert changes.born == []
    assert [theme.size for theme in themes.themes] == [6, 7, 12]


def test_few_new_sentences_are_no_theme(themes):
    assert themes.update([make_doc(["bees"] * 3 + ["kings"] * 4, seed=1)]).born == []
    assert len(themes.themes) == 2


@pytest.mark.parametrize(
    "words, warns",
    [
        (["kings"] * 12, True),
        (["kings"] * 9, False),
        (["bees"] * 6 + ["ships"] * 6, False),
    ],
)
def test_texts_of_another_collection_are_told(themes, words, warns):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        themes.update([make_doc(words, seed=1)])
    assert any("of another collection" in str(one.message) for one in found) == warns


def test_what_died_and_what_grew():
    changes = compare_sizes({1: 60, 2: 40, 3: 0, 4: 100}, {1: 20, 4: 79, 5: 1})
    assert changes.died == [2]
    assert changes.born == [5]
    assert changes.growth == {1: pytest.approx(20 / 30), 2: 0, 4: pytest.approx(79 / 50)}
    assert compare_sizes({1: 60, 2: 40}, {1: 5}).died == []
    assert compare_sizes({1: 60}, {}).growth == {}


def test_updates_go_on_after_saving(themes, tmp_path):
    themes.update([date(make_doc(["kings"] * 7, seed=1), "2024-06")])
    themes.save(tmp_path / "themes")
    loaded = CorpusThemes.load(tmp_path / "themes")
    assert loaded.timeline == {"2024-05-01": {1: 6, 2: 4}, "2024-06": {3: 7}}
    doc = make_doc(["kings"] * 2, seed=2)
    assert loaded.update([doc]).born == []
    assert [span.id for span in doc.spans["thematic_clusters"]] == [3, 3]
    assert loaded.timeline[""] == {3: 2}


def test_documents_without_sentences_change_nothing(themes):
    empty = date(make_doc([]), "2024-07")
    assert themes.update([empty]).born == []
    assert empty._.thematic_clusters == []
    assert themes.update([]).growth == {}
    assert list(themes.timeline) == ["2024-05-01"]


def test_a_damaged_timeline_is_named(themes, tmp_path):
    themes.save(tmp_path / "themes")
    path = tmp_path / "themes" / "themes.json"
    record = srsly.read_json(path)
    srsly.write_json(path, {**record, "timeline": [["2024", [["one", 2]]]]})
    with pytest.raises(ValueError, match="are damaged"):
        CorpusThemes.load(tmp_path / "themes")


def test_what_is_refused_changes_nothing(themes):
    sizes = [theme.size for theme in themes.themes]
    with pytest.raises(ValueError, match="width 16, found 8"):
        themes.update([make_doc(["bees"], width=8)])
    with pytest.raises(ValueError, match="to be a date such as 2024-05-31.*found 'in May'"):
        themes.update([date(make_doc(["bees"]), "in May")])
    assert [theme.size for theme in themes.themes] == sizes
