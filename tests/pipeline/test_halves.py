import pytest
import spacy

import spacy_thematic
from spacy_thematic.pipeline.halves import compare_halves


@pytest.fixture(scope="module")
def nlp():
    return spacy_thematic.load("en_thematic_sm")


def test_halves_of_one_word_are_the_same(nlp):
    doc = nlp("river river river river")
    width = doc._.thematic_vectors.shape[1]
    assert compare_halves(nlp, [doc[:]], width) == pytest.approx(1, abs=1e-5)


def test_halves_are_those_in_a_row_and_those_in_turns(nlp):
    doc = nlp("river lake war king")
    width = doc._.thematic_vectors.shape[1]

    def compare(first, second):
        rows = [nlp(words)._.thematic_vectors[0] for words in (first, second)]
        return rows[0] @ rows[1] / (rows[0] @ rows[0] * (rows[1] @ rows[1])) ** 0.5

    expected = compare("river lake", "war king") + compare("river war", "lake king")
    assert compare_halves(nlp, [doc[:]], width) == pytest.approx(expected / 2, abs=1e-4)


def test_nothing_is_known_of_single_words_other_vectors_or_without_an_embedder(nlp):
    doc = nlp("The river. Lakes.")
    width = doc._.thematic_vectors.shape[1]
    assert compare_halves(nlp, list(doc.sents), width) is None
    assert compare_halves(nlp, [doc[:]], width) is not None
    assert compare_halves(nlp, [doc[:]], width + 1) is None
    assert compare_halves(spacy.blank("en"), [doc[:]], width) is None
    assert compare_halves(nlp, [], width) is None
