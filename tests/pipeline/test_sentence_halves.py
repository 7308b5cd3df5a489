import pytest
import spacy

import spacy_thematic
from spacy_thematic.pipeline.sentence_halves import compare_halves, measure_halves
from spacy_thematic.pipeline.text_encoder import find_encoder


@pytest.fixture(scope="module")
def nlp():
    return spacy_thematic.load("en_thematic_sm")


@pytest.fixture(scope="module")
def encoder(nlp):
    return find_encoder(nlp, nlp.make_doc(""))


def test_halves_of_one_word_are_the_same(encoder):
    assert measure_halves(encoder, [["river"] * 4]) == pytest.approx(1, abs=1e-5)


def test_halves_are_those_in_a_row_and_those_in_turns(nlp, encoder):
    def compare(first, second):
        rows = [nlp(words)._.thematic_vectors[0] for words in (first, second)]
        return rows[0] @ rows[1] / (rows[0] @ rows[0] * (rows[1] @ rows[1])) ** 0.5

    expected = compare("river lake", "war king") + compare("river war", "lake king")
    found = measure_halves(encoder, ["river lake war king".split()])
    assert found == pytest.approx(expected / 2, abs=1e-4)


def test_usual_sentences_count_as_much_as_these_in_english(nlp, encoder):
    doc = nlp("river river river river")
    width = doc._.thematic_vectors.shape[1]
    first, again = (compare_halves(encoder, [doc[:]], width) for _ in range(2))
    assert first == again
    assert 0.6 < first < 0.7
    other = spacy.blank("xx")
    with pytest.warns(UserWarning, match="en"):
        other.add_pipe("thematic_embedder", config={"pretrained": "en_thematic_sm"})
    doc = other.make_doc("river river river river")
    assert compare_halves(find_encoder(other, doc), [doc[:]], width) == pytest.approx(1, abs=1e-5)


def test_the_encoder_is_the_one_whose_vectors_are_as_wide(nlp, encoder):
    two = spacy.blank("en")
    two.add_pipe("thematic_sentencizer")
    two.add_pipe("thematic_embedder", "wide", config={"pretrained": "en_thematic_md"})
    two.add_pipe("thematic_embedder", "narrow", config={"pretrained": "en_thematic_sm"})
    doc = two("Rivers flood the valley.")
    width = doc._.thematic_vectors.shape[1]
    alone = compare_halves(encoder, [nlp("Rivers flood the valley.")[:]], width)
    assert compare_halves(find_encoder(two, doc), [doc[:]], width) == pytest.approx(alone, abs=1e-5)


def test_nothing_is_known_of_single_words_or_other_vectors(nlp, encoder):
    doc = nlp("The river. Lakes.")
    width = doc._.thematic_vectors.shape[1]
    assert compare_halves(encoder, list(doc.sents), width) is None
    assert compare_halves(encoder, [doc[:]], width) is not None
    assert compare_halves(encoder, [doc[:]], width + 1) is None
    assert compare_halves(encoder, [], width) is None
