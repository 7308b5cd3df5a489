import copy

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

import spacy_thematic
from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.models.encoder_and_net import build_topics, build_with_topics, find_net
from spacy_thematic.models.weighted_mean import build_weighted_mean
from spacy_thematic.models.word_tables import build_learned_vectors
from spacy_thematic.pretrained import find_pretrained

TEXTS = [
    "The river floods the valley each spring.",
    "Streams and lakes of the Alps are cold.",
    "The bank lends money to small firms.",
]


def test_the_map_is_found_by_the_width_of_the_vectors():
    model = build_with_topics(build_weighted_mean(build_learned_vectors(4)), build_topics(3))
    assert find_net("topics", model, 4) is None
    _, topics = model.layers
    topics.set_dim("nI", 4)
    topics.initialize()
    assert find_net("topics", model, 4).get_param("W").tolist() == np.zeros((4, 3)).tolist()
    assert find_net("topics", model, 5) is None


def test_the_gradient_of_the_map():
    topics = build_topics(2)
    topics.set_dim("nI", 3)
    topics.initialize()
    topics.set_param("W", np.arange(6, dtype="f").reshape(3, 2))
    rows = np.array([[1, 0, 2], [0, 1, 0]], "f")
    found, backprop = topics(rows, True)
    assert found.tolist() == [[8, 11], [2, 3]]
    assert backprop(np.ones((2, 2), "f")).tolist() == [[1, 5, 9], [1, 5, 9]]
    assert topics.get_grad("W").tolist() == [[1, 1], [1, 1], [2, 2]]


def test_rows_of_zeros_have_no_topic():
    rows = map_to_topics(np.array([[3, 0], [0, 0]], "f"), np.eye(2, dtype="f"))
    assert rows.tolist() == [[1, 0], [0, 0]]


@pytest.mark.parametrize("name", ["en_thematic_sm", "en_thematic_md", "en_thematic_lg"])
def test_the_bundled_models_have_learned_topics(name):
    encoder = find_pretrained(name)
    model = encoder.build()
    encoder.fill(model)
    (width,) = {node.get_dim("nI") for node in model.walk() if node.name == "topics"}
    assert find_net("topics", model, width).get_param("W").shape == (width, 256)


def test_topics_of_texts_and_of_their_parts():
    nlp = spacy_thematic.load("en_thematic_sm")
    river, lakes, bank = nlp.pipe(TEXTS)
    assert river._.thematic_topic.shape == (256,)
    assert np.linalg.norm(river._.thematic_topic) == pytest.approx(1, abs=1e-5)
    near = river[:]._.thematic_similarity(lakes[:], kind="topic")
    assert near == pytest.approx(float(river._.thematic_topic @ lakes._.thematic_topic), abs=1e-5)
    assert near > river[:]._.thematic_similarity(bank[:], kind="topic")
    with pytest.raises(ValueError, match='"theme" or "topic", found \'other\''):
        river[:]._.thematic_similarity(lakes[:], kind="other")


def test_a_doc_without_sentences_has_a_topic_of_zeros():
    nlp = spacy_thematic.load("en_thematic_sm")
    topics = np.stack([doc._.thematic_topic for doc in nlp.pipe([TEXTS[0], "", " \n"])])
    assert topics.any(axis=1).tolist() == [True, False, False]
    assert topics.dtype == np.float32


@pytest.mark.parametrize("copied", [Doc.copy, copy.deepcopy], ids=["copy", "deepcopy"])
def test_copies_of_a_doc_have_its_topic_whether_or_not_it_is_still_there(copied):
    nlp = spacy_thematic.load("en_thematic_sm")
    doc = nlp(TEXTS[0])
    expected = doc._.thematic_topic.tolist()
    again = copied(doc)
    del doc
    assert again._.thematic_topic.tolist() == expected
    again._.thematic_vectors = 2 * again._.thematic_vectors
    with pytest.raises(ValueError, match="The topic is not known"):
        again._.thematic_topic


def test_a_doc_of_another_process_has_a_topic_once_its_pipeline_has_run_in_this_one():
    nlp = spacy_thematic.load("en_thematic_sm")
    (doc,) = nlp.pipe(TEXTS[:1], n_process=2)
    expected = nlp(TEXTS[0])._.thematic_topic.tolist()
    assert doc._.thematic_topic.tolist() == pytest.approx(expected)


def test_the_topic_of_a_doc_from_elsewhere_is_an_error():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    doc = nlp(TEXTS[0])
    read = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert read._.thematic_vectors is not None
    read.spans["thematic_sentences"].attrs["maker"] = "another"  # As of another process.
    with pytest.raises(ValueError, match="in this process"):
        read._.thematic_topic
