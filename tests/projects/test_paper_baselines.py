import numpy as np
import pytest

from baselines import find_terms, sif_vectors, tfidf_vectors
from spacy_thematic.evaluation.encoders import mean_vectors, random_vectors
from spacy_thematic.models.vector_tables import load_word_vectors
from tests.models.test_encoders import add_vectors

WORDS = "the river sea king war and coast floods".split()


@pytest.fixture(scope="module")
def vocab(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "v.npz"
    data = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype("f") + 0.5
    np.savez(path, words=np.array(WORDS), vectors=data)
    return load_word_vectors(path)


@pytest.fixture
def doc(nlp):
    return nlp("The river floods. The river and sea. The king xyzzy. The war king.")


def test_mean_vectors_by_hand(nlp):
    add_vectors(nlp.vocab)
    doc = nlp("The river xyzzy. Qwerty uiop")
    vectors = mean_vectors(nlp.vocab)(doc, list(doc.sents))
    expected = np.mean([nlp.vocab[w].vector for w in ("the", "river", ".")], axis=0)
    assert np.allclose(vectors[0], expected, atol=1e-6)
    assert not vectors[1].any()
    nlp.vocab.reset_vectors(width=0)


def test_sif_by_hand(vocab, doc):
    sentences = list(doc.sents)
    found = sif_vectors(vocab, [(doc, sentences)], a=0.1)(doc, sentences)
    words = [token.lower_ for token in doc]
    rows = []
    for sentence in sentences:
        known = [t.lower_ for t in sentence if t.lower_ in WORDS]
        weights = [0.1 / (0.1 + words.count(word) / len(words)) for word in known]
        vectors = np.array([vocab[word].vector for word in known])
        rows.append(np.array(weights) @ vectors / len(known))
    rows = np.array(rows)
    component = np.linalg.svd(rows)[2][0]
    assert np.allclose(found, rows - np.outer(rows @ component, component), atol=1e-4)


def test_sif_of_words_without_vectors_is_zero(vocab, nlp):
    doc = nlp("Qwerty uiop. Asdf.")
    sentences = list(doc.sents)
    assert not sif_vectors(vocab, [(doc, sentences)])(doc, sentences).any()


def test_sif_drops_what_all_sentences_share(vocab, doc):
    sentences = list(doc.sents)
    plain = mean_vectors(vocab)(doc, sentences)
    found = sif_vectors(vocab, [(doc, sentences)])(doc, sentences)
    assert np.linalg.norm(found.mean(axis=0)) < 0.5 * np.linalg.norm(plain.mean(axis=0))


def test_terms_and_tfidf_by_hand(doc):
    sentences = list(doc.sents)
    assert [sorted(find_terms(sentence)) for sentence in sentences] == [
        ["floods", "river"], ["river", "sea"], ["king", "xyzzy"], ["king", "war"],
    ]  # fmt: skip
    found = tfidf_vectors([(doc, sentences)])(doc, sentences)
    rare, twice = np.log(5 / 2) + 1, np.log(5 / 3) + 1
    assert found[0] == pytest.approx([rare, 0, twice, 0, 0, 0])


def test_words_without_a_frequency_do_not_count(nlp, doc):
    other = nlp("The river dried.")
    found = tfidf_vectors([(doc, list(doc.sents))])(other, list(other.sents))
    assert found[0] == pytest.approx([np.log(5 / 3) + 1])


def test_a_sentence_of_stop_words_still_has_terms(nlp):
    doc = nlp("It was so. The sea.")
    assert [len(find_terms(sentence)) for sentence in doc.sents] == [4, 1]


def test_random_vectors_depend_on_text_and_seed_alone(nlp):
    doc, again = nlp("One thing. Two things."), nlp("Two things.")
    first = random_vectors(0)(doc, list(doc.sents))
    assert np.array_equal(first[1], random_vectors(0)(again, list(again.sents))[0])
    assert not np.array_equal(first, random_vectors(1)(doc, list(doc.sents)))
