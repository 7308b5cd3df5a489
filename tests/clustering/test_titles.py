import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from spacy_thematic.clustering.titles import find_candidates, find_titles
from spacy_thematic.clustering.vectors import SentenceVectors

AXES = {"honey": 0, "bees": 0, "wax": 0, "ships": 1, "seas": 1, "storm": 2}


def encode(texts):
    """The mean of the words' axes; unknown words have none."""
    rows = [
        np.mean([np.eye(3)[AXES[word]] if word in AXES else np.zeros(3) for word in words], axis=0)
        for words in (text.lower().split() for text in texts)
    ]
    return np.array(rows)


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


def titles_of(nlp, text, labels, vectors, keywords=((), (), ())):
    doc = nlp(text)
    labels = np.array(labels, dtype=int)
    return find_titles(encode, list(doc.sents), SentenceVectors(vectors), labels, keywords)


def test_the_nearest_phrase_is_the_title(nlp):
    text = "Storm honey. Bees wax. Ships storm. Ships seas."
    titles = titles_of(nlp, text, [0, 0, 1, 1], np.eye(3)[[0, 0, 1, 1]])
    assert titles == ["Bees wax", "Ships"]


def test_a_phrase_with_a_keyword_comes_first(nlp):
    text = "Storm honey. Bees wax. Ships storm. Ships seas."
    keywords = [["storm"], ["nothing"]]
    vectors = np.eye(3)[[0, 0, 1, 1]]
    assert titles_of(nlp, text, [0, 0, 1, 1], vectors)[0] == "Bees wax"
    assert titles_of(nlp, text, [0, 0, 1, 1], vectors, keywords)[0] == "Storm honey"


def test_no_two_titles_are_the_same(nlp):
    text = "Bees honey. Bees honey wax."
    titles = titles_of(nlp, text, [0, 1], [[1, 0, 0.1], [1, 0.1, 0]])
    assert len(set(titles)) == 2


def test_no_title_without_a_known_phrase(nlp):
    assert titles_of(nlp, "Zzz yyy. Bees honey.", [0, 1], np.eye(3)[:2]) == [None, "Bees honey"]
    assert titles_of(nlp, "It is. Bees honey.", [0, 1], np.eye(3)[:2]) == [None, "Bees honey"]
    assert titles_of(nlp, "", [], np.zeros((0, 3))) == []


def test_candidates_are_repeated_runs_of_content_words_most_frequent_first(nlp):
    doc = nlp("Old wax of the bees. Bees sing. The tall old wax tree. Bees.")
    assert find_candidates(doc.sents) == ["bees", "Old", "Old wax", "wax"]


def test_without_repeated_ones_those_of_several_words_are_candidates(nlp):
    found = find_candidates(nlp("Sweet honey of the tall old wax tree.").sents)
    assert {"Sweet honey", "tall old wax", "wax tree"} < set(found)
    assert not {"tall old wax tree", "honey of", "tree"} & set(found)
    assert find_candidates(nlp("The bees.").sents) == ["bees"]


def test_candidates_of_a_parsed_doc_are_noun_chunks(nlp):
    doc = Doc(
        nlp.vocab,
        ["The", "old", "bees", "like", "sweet", "honey", "."],
        heads=[2, 2, 3, 3, 5, 3, 3],
        deps=["det", "amod", "nsubj", "ROOT", "amod", "dobj", "punct"],
        pos=["DET", "ADJ", "NOUN", "VERB", "ADJ", "NOUN", "PUNCT"],
    )
    assert find_candidates(doc.sents) == ["old bees", "sweet honey"]
