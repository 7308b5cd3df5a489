"""One description of groups, and of groups of groups."""

import pickle
from collections import Counter

import numpy as np
import pytest
import spacy

import spacy_thematic
from spacy_thematic.naming.candidates import HeadingScores
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.description import (
    Description,
    describe,
    find_representative,
    name_broader,
)
from spacy_thematic.naming.headings import HeadingFinder

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])
TERMS = [["bees", "wax"], ["ships"], ["wasps", "wax"]]
SIZES = np.array([2, 1, 2])
BROADER = np.array([0, 1, 0])


def test_descriptions_are_numbered_in_the_order_that_is_asked_for():
    found = describe([["bees"], ["ships"], []], [1, 1, 1], 8, order=np.array([1, 2, 0]))
    assert [(one.number, one.label, one.name) for one in found] == [
        (1, "ships", "ships"),
        (2, "theme 2", "theme 2"),
        (3, "bees", "bees"),
    ]
    assert describe([[]], [1], 8, kind="segment")[0].label == "segment 1"


@pytest.mark.parametrize(
    "texts, expected",
    [
        (["Thanks for reaching out!", "The waterfall dried.", "Who pays for Waters?"], 2),
        (["Thanks!", "A C++ course began.", "The water rose."], 1),
        (["Thanks!", "He asked about the price of the pump."], 1),
        (["Thanks!", "We are here to help."], 0),
    ],
)
def test_a_text_that_has_a_term_stands_for_a_theme(texts, expected):
    theme = Description(
        number=1, label="water", keywords=["water", "C++"], heading="Price of the pump"
    )
    assert find_representative(theme, texts) == expected


def test_broader_groups_are_named_by_the_words_of_all_but_of_one_there_is_none():
    for terms in (TERMS, [Counter(group) for group in TERMS]):
        names = name_broader(terms, SIZES, BROADER)
        assert names == ["wax, bees, wasps", None, "wax, bees, wasps"]


@pytest.mark.usefixtures("rank_by_fit")
@pytest.mark.usefixtures("rank_by_fit")
def test_broader_groups_have_headings_and_no_name_of_a_theme():
    def score(means, origin, phrases):
        """Knows one heading, which fits what begins as bees and wasps do."""
        fit = np.full((len(means), 1 + len(phrases)), -50.0)
        fit[:, 0] = np.where(means[:, 0] > 0.5, 10, -50)
        n = 1 + len(phrases)
        none, vectors = np.zeros((n, 3)), np.eye(n, 3)
        return HeadingScores(["insects", *phrases], np.zeros(1), np.eye(n), fit, none, vectors)

    nlp = spacy.blank("en")
    groups = [read_content([nlp(" ".join(["old", *terms]))[:]]) for terms in TERMS]
    finder = HeadingFinder(groups, CENTRES, np.arange(3), score)
    parents = name_broader(TERMS, SIZES, BROADER, finder, taken=["ships"])
    assert parents == ["Insects", None, "Insects"]
    parents = name_broader(TERMS, SIZES, BROADER, finder, taken=["ships", "Insects"])
    assert parents[0] == parents[2] not in ("ships", "Insects", None) and parents[1] is None


@pytest.fixture(scope="module")
def doc():
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.add_pipe("thematic_segmenter", config={"n": 2}, before="thematic_clusterer")
    return nlp(
        "The river floods the valley. Its water carries mud. Boats sail the river. The king "
        "fought two wars. His army lost. The treaty ended the war."
    )


@pytest.mark.parametrize("attribute", ["thematic_clusters", "thematic_segments"])
def test_themes_and_segments_can_be_pickled_with_their_doc(doc, attribute):
    found = getattr(doc._, attribute)
    again = pickle.loads(pickle.dumps(found))
    assert [one.to_dict() for one in again] == [one.to_dict() for one in found]
    spans = [one.span if attribute == "thematic_segments" else one.sentences[0] for one in again]
    assert spans[0].doc is spans[1].doc is not doc


@pytest.mark.parametrize("attribute", ["thematic_clusters", "thematic_segments"])
def test_themes_and_segments_are_plain_values_and_can_be_printed(doc, attribute):
    for one in getattr(doc._, attribute):
        values = one.to_dict()
        assert {"number", "label", "keywords", "heading", "heading_score"} < values.keys()
        assert all(isinstance(v, (str, int, float, list, type(None))) for v in values.values())
        shown = repr(one)
        assert one.name in shown and one.keywords[0] in shown and len(shown) < 200
