from timeit import timeit

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin

from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import measure_clusters
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.pipeline.themes import describe_themes, read_themes, write_themes
from spacy_thematic.rows import group_by

TEXT = "Bees make wax. Ships cross seas. Bees make honey. Bees dance. Ships sink."
LABELS = np.array([0, 1, 0, 0, 1])
VECTORS = np.array([[1, 0.1], [0, 1], [1, 0], [0.6, 0.8], [0, 2]], dtype=np.float32)


@pytest.fixture
def doc():
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    return nlp(TEXT)


def describe(sentences, vectors, labels, **settings):
    groups = np.unique(labels, return_inverse=True)[1]
    finder = HeadingFinder(group_by(read_content(sentences), groups), vectors.unit, groups, None)
    return describe_themes(vectors, labels, ThemeSettings(**settings), "xx", finder)


def write(doc, labels=LABELS, outlier_threshold=None, **settings):
    sentences = list(doc.sents)
    vectors = SentenceVectors(VECTORS[: len(sentences)])
    themes, labels = describe(sentences, vectors, labels, **settings)
    write_themes(
        doc,
        sentences,
        vectors,
        labels,
        themes,
        algorithm="by_hand",
        outlier_threshold=outlier_threshold,
    )


def as_rows(themes):
    return [
        (
            theme.number,
            theme.label,
            theme.keywords,
            [sentence.text for sentence in theme.sentences],
            theme.confidences,
            theme.representative.text,
            theme.cohesion,
            theme.separation,
        )
        for theme in themes
    ]


def test_themes_are_what_was_written(doc):
    write(doc)
    group = doc.spans["thematic_clusters"]
    bees, ships = doc._.thematic_clusters
    assert [bees.number, ships.number] == [1, 2]
    assert bees.label == "Bees, make, wax, honey"
    assert ships.keywords[0] == "Ships"
    assert [s.text for s in ships.sentences] == ["Ships cross seas.", "Ships sink."]
    assert bees.representative.text in ("Bees make wax.", "Bees make honey.")
    assert ships.cohesion == pytest.approx(1.0)
    assert [span.label_ for span in group] == [
        bees.label if i == 0 else ships.label for i in LABELS
    ]
    assert [span.id for span in group] == [1, 2, 1, 1, 2]
    assert (group.attrs["algorithm"], group.attrs["k"]) == ("by_hand", 2)


def test_cohesion_and_separation_by_hand(doc):
    found = measure_clusters(SentenceVectors(VECTORS), LABELS)
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert found.cohesion[0] == pytest.approx((cosines[0, 2] + cosines[0, 3] + cosines[2, 3]) / 3)
    between = cosines[np.ix_(LABELS == 0, LABELS == 1)].mean()
    assert found.separation == pytest.approx([1 - between, 1 - between])


def test_a_sentence_between_two_themes_is_less_sure():
    confidences = measure_clusters(SentenceVectors(VECTORS), LABELS).confidences
    assert confidences.argmin() == 3
    assert ((confidences >= 0) & (confidences <= 1)).all()


def test_themes_come_largest_first_whatever_their_labels(doc):
    write(doc, 1 - LABELS)
    assert [len(theme.sentences) for theme in read_themes(doc)] == [3, 2]


def test_themes_survive_bytes_and_a_docbin_without_user_data(doc):
    write(doc)
    expected = as_rows(read_themes(doc))
    fresh = spacy.blank("xx").vocab
    assert as_rows(read_themes(Doc(fresh).from_bytes(doc.to_bytes()))) == expected
    stored = DocBin(docs=[doc], store_user_data=False).to_bytes()
    fresh = spacy.blank("xx").vocab
    (again,) = DocBin().from_bytes(stored).get_docs(fresh)
    assert as_rows(read_themes(again)) == expected


def test_sentences_below_the_threshold_are_outliers(doc):
    write(doc, outlier_threshold=0.9)
    assert [s.text for s in doc.spans["thematic_clusters"] if s.id == 0] == ["Bees dance."]
    assert [s.label_ for s in doc.spans["thematic_clusters"]].count("outlier") == 1
    assert sum(len(theme.sentences) for theme in read_themes(doc)) == 4


def test_the_names_of_seed_themes_are_their_labels(doc):
    names = ["insects", "the sea"]
    write(doc, seed_themes={name: [name] for name in names})
    assert [theme.label for theme in read_themes(doc)] == names


def test_a_label_that_is_the_name_of_a_seed_theme_gets_a_number(doc):
    write(doc, LABELS + 1, seed_themes={"Bees, make, wax, honey": ["bees"]})
    assert [theme.label for theme in read_themes(doc)] == [
        "Bees, make, wax, honey (1)",
        "Ships, cross, seas, sink",
    ]


def test_one_theme_and_no_sentences(doc):
    write(doc, LABELS * 0)
    (theme,) = read_themes(doc)
    assert theme.separation is None
    assert theme.confidences == [1.0] * 5
    empty = Doc(doc.vocab)
    write(empty, LABELS[:0])
    assert read_themes(empty) == []


def test_missing_or_foreign_group_is_an_error(doc):
    assert doc._.thematic_clusters is None
    with pytest.raises(ValueError, match="thematic_clusterer"):
        read_themes(doc)
    doc.spans["thematic_clusters"] = [doc[0:2]]
    with pytest.raises(ValueError, match="not written by"):
        read_themes(doc)


def test_the_theme_of_a_span_is_read_without_the_others(doc):
    write(doc)
    theme = doc[1:2]._.thematic_theme
    assert as_rows([theme]) == as_rows(read_themes(doc)[:1])
    for record in doc.spans["thematic_clusters"].attrs["themes"]:
        del record["sentences"]  # As older versions wrote them.
    assert as_rows([doc[1:2]._.thematic_theme]) == as_rows([theme])
    n = 200
    long = Doc(doc.vocab, words=["a"] * n, sent_starts=[True] * n)
    sentences, vectors = list(long.sents), SentenceVectors(np.eye(n, dtype=np.float32))
    themes, labels = describe(sentences, vectors, np.arange(n) // 2, headings=False)
    write_themes(long, sentences, vectors, labels, themes, algorithm="by_hand")
    of_each = timeit(lambda: long[:1]._.thematic_theme, number=100)
    assert of_each < timeit(lambda: read_themes(long), number=100) / 2


def test_a_theme_can_be_renamed_in_its_doc(doc):
    write(doc)
    first, second = doc._.thematic_clusters
    first.rename(" Hives\n")
    assert first.name == "Hives"
    assert {first} == {doc._.thematic_clusters[0]}
    assert [
        theme.name for theme in Doc(doc.vocab).from_bytes(doc.to_bytes())._.thematic_clusters
    ] == [
        "Hives",
        second.name,
    ]
    first.name = "Bees"
    second.rename("Bees")
    names = [theme.name for theme in doc._.thematic_clusters]
    assert names == [first.name, second.name] == ["Bees", f"Bees ({second.number})"]
    for name in ("label", "keywords", "heading"):
        with pytest.raises(AttributeError, match=f"another {name} would be lost: theme.rename"):
            setattr(first, name, "Honey")
