"""One description of groups, and of groups of groups."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import spacy

import spacy_thematic
from spacy_thematic import cluster_docs
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.description import (
    Description,
    describe,
    has_term,
    name_broader,
)
from spacy_thematic.naming.headings import HeadingFinder, join_names

CALLS = []


@spacy.registry.misc("tests.namer.v1")
def make_namer():
    def name(sentences, keywords, names):
        CALLS.append((sentences, keywords, names))
        return None if "king" in keywords else " Water\n"

    return name


CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])
BROADER = np.array([0, 1, 0])


def test_descriptions_are_numbered_in_the_order_that_is_asked_for():
    found = describe([["bees"], ["ships"], []], [1, 1, 1], 8, order=np.array([1, 2, 0]))
    assert [(one.number, one.label, one.name) for one in found] == [
        (1, "ships", "ships"),
        (2, "theme 2", "theme 2"),
        (3, "bees", "bees"),
    ]
    assert describe([[]], [1], 8, kind="segment")[0].label == "segment 1"


def test_what_nothing_names_is_called_by_its_most_typical_sentence():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    contents = read_content(nlp("Oh! Here we are now. Is it? " + "Then we go there " * 5).sents)
    rows = np.array([[1, 0], [0.8, 0.6], [0, 1], [0, 1]])
    finder = HeadingFinder([contents[:3], contents[3:]], rows, np.array([0, 0, 0, 1]), None)
    found = describe([[], []], [3, 1], 8, finder)
    assert [one.name for one in found] == [
        "Here we are now.",
        "Then we go there Then we go there Then we go there Then we …",
    ]


def test_a_reply_is_no_name():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    contents = read_content(nlp("Yeah, yeah. Oh.").sents)
    finder = HeadingFinder([contents], np.eye(2), np.array([0, 0]), None)
    (found,) = describe([[]], [2], 8, finder, language="en", kind="segment")
    assert found.name == "segment 1"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("The waterfall dried.", False),
        ("Who pays for Waters?", True),
        ("A C++ course began.", True),
        ("He asked about the price of the pump.", True),
        ("We are here to help.", False),
    ],
)
def test_a_text_has_a_term_of_a_theme(text, expected):
    theme = Description(
        number=1, label="water", keywords=["water", "C++"], heading="Price of the pump"
    )
    assert has_term(theme, text) is expected


def test_names_are_joined_by_the_word_of_their_language():
    assert name_broader(["Zug", "Hund"], np.zeros(2, int), None, "de") == ["Zug und Hund"] * 2
    assert join_names(["Ein Tag", "Haus und Hof"], "de") == "Ein Tag; Haus und Hof"
    assert join_names(["Why wait?", "Fees"]) == "Why wait? Fees"


def test_a_broader_group_has_the_names_of_its_largest_but_not_of_one():
    names, broader = ["Bees", "Ships", "Wasps", "Ants", "Flies"], np.array([0, 1, 0, 0, 0])
    joined = "Bees, Wasps and Ants"
    assert name_broader(names, broader) == [joined, None, joined, joined, joined]
    long = ["Bees", *(n * "a" for n in (40, 50)), "Bread and honey"]
    assert name_broader(long, np.array([0, 0, 0, 1]))[0] == f"Bees and {long[1]}"
    assert name_broader(long, np.array([0, 1, 1, 0]))[0] == "Bees; Bread and honey"


def test_a_heading_above_a_broader_group_is_its_name_unless_a_group_has_it():
    nlp = spacy.blank("en")
    groups = [
        [replace(one, above=["Insects", *above]) for one in read_content([nlp("It hums.")[:]])]
        for above in ([], ["Ships"], [])
    ]
    finder = HeadingFinder(groups, CENTRES, np.arange(3), None).merge(BROADER)
    assert name_broader(["Bees", "Ships", "Wasps"], BROADER, finder) == ["Insects", None, "Insects"]
    named = name_broader(["Insects", "Ships", "Wasps"], BROADER, finder)
    assert named == ["Insects and Wasps", None, "Insects and Wasps"]


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
        assert values["name"] == one.name
        assert all(isinstance(v, (str, int, float, list, type(None))) for v in values.values())
        shown = repr(one)
        assert one.name in shown and one.keywords[0] in shown and len(shown) < 200


def test_a_function_names_themes_and_segments_and_is_saved_with_the_pipeline(doc, tmp_path):
    nlp = spacy_thematic.load("en_thematic_sm")
    clusterer = nlp.get_pipe("thematic_clusterer")
    nlp.to_disk(tmp_path / "before")
    clusterer.namer = {"@misc": "tests.namer.v1"}
    segments = {"n": 2, "namer": {"@misc": "tests.namer.v1"}}
    nlp.add_pipe("thematic_segmenter", config=segments, before="thematic_clusterer")
    nlp.to_disk(tmp_path / "pipeline")
    found = spacy.load(tmp_path / "pipeline")(doc.text)
    kept = [one.name for one in doc._.thematic_clusters if "king" in one.keywords]
    assert {one.name for one in found._.thematic_clusters} == {"Water", *kept}
    assert len(kept) == 1
    assert found._.thematic_segments[0].name == "Water"
    assert spacy.load(tmp_path / "before").get_pipe("thematic_clusterer").namer is None


def test_a_function_names_the_themes_of_a_collection_by_its_typical_sentences():
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = [f"The bus of {town} is late. The bus driver sleeps." for town in ("Ulm", "Bonn")] * 9
    texts += [f"The king of {land} fought a war." for land in ("Spain", "France")] * 9
    docs = [*nlp.pipe(texts, disable=["thematic_clusterer"])]
    CALLS.clear()
    themes = cluster_docs(docs, k=3, namer=make_namer(), seed_themes={"bus": ["bus", "driver"]})
    assert "bus" in [theme.name for theme in themes.themes]
    assert len(CALLS) == len(themes.themes) - 1
    for sentences, keywords, names in CALLS:
        assert len(sentences) == len({*sentences}) <= 20
        assert all("king" in sentence for sentence in sentences)
        assert "king" in keywords
        assert names[0] in [theme.name for theme in themes.themes]
    again = cluster_docs(docs, k=2, n_broader=0, namer=lambda sentences, keywords, names: "Alike")
    assert [theme.name for theme in again.themes] == ["Alike", "Alike (2)"]
    for wrong in (5, " ", ["A"]):
        with pytest.raises(ValueError, match=r"returned .*: expected a name, or None to keep"):
            cluster_docs(docs, k=2, namer=lambda *_, name=wrong: name)
    for wrong in ("name", {"@misc": "tests.namer.v1"}):
        with pytest.raises(ValueError, match="Expected namer to be .*function"):
            cluster_docs(docs, namer=wrong)
