import pytest
import spacy

import spacy_thematic
from spacy_thematic.pipeline.text_encoder import find_encoder


@pytest.fixture(scope="module")
def nlp():
    return spacy_thematic.load("en_thematic_sm")


@pytest.fixture(scope="module")
def encoder(nlp):
    return find_encoder(nlp, nlp.make_doc(""))


def test_halves_of_one_word_are_the_same(encoder):
    assert encoder.measure_halves([["river"] * 4]) == pytest.approx(1, abs=1e-5)


def test_halves_are_those_in_a_row_and_those_in_turns(nlp, encoder):
    def compare(first, second):
        rows = [nlp(words)._.thematic_vectors[0] for words in (first, second)]
        return rows[0] @ rows[1] / (rows[0] @ rows[0] * (rows[1] @ rows[1])) ** 0.5

    expected = compare("river lake", "war king") + compare("river war", "lake king")
    found = encoder.measure_halves(["river lake war king".split()])
    assert found == pytest.approx(expected / 2, abs=1e-4)


def test_usual_sentences_count_as_much_as_these_in_english(nlp, encoder):
    doc = nlp("river river river river")
    first, again = (encoder.compare_halves([doc[:]]) for _ in range(2))
    assert first == again
    assert 0.6 < first < 0.7
    other = spacy.blank("xx")
    with pytest.warns(UserWarning, match="en"):
        other.add_pipe("thematic_embedder", config={"pretrained": "en_thematic_sm"})
    doc = other.make_doc("river river river river")
    assert find_encoder(other, doc).compare_halves([doc[:]]) == pytest.approx(1, abs=1e-5)


def test_the_encoder_is_the_one_whose_vectors_are_as_wide(nlp, encoder):
    two = spacy.blank("en")
    two.add_pipe("thematic_sentencizer")
    two.add_pipe("thematic_embedder", "wide", config={"pretrained": "en_thematic_md"})
    two.add_pipe("thematic_embedder", "narrow", config={"pretrained": "en_thematic_sm"})
    doc = two("Rivers flood the valley.")
    alone = encoder.compare_halves([nlp("Rivers flood the valley.")[:]])
    assert find_encoder(two, doc).compare_halves([doc[:]]) == pytest.approx(alone, abs=1e-5)


def test_nothing_is_known_of_single_words(nlp, encoder):
    doc = nlp("The river. Lakes.")
    assert encoder.compare_halves(list(doc.sents)) is None
    assert encoder.compare_halves([doc[:]]) is not None
    assert encoder.compare_halves([]) is None
