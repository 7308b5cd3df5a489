"""What the encoder of a pipeline has learned of headings."""

import numpy as np
import pytest
import spacy

import spacy_thematic
from spacy_thematic.pipeline.text_encoder import find_encoder

TEXT = (
    "She was born in Leeds to a baker. As a child she went to school there. Her parents moved to "
    "York. The drug may cause nausea and headache. Severe adverse reactions are rare. Side effects "
    "include dizziness and a rash."
)


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.add_pipe("thematic_segmenter", config={"n": 2}, before="thematic_clusterer")
    return nlp


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT)


@pytest.fixture(scope="module")
def encoder(nlp, doc):
    return find_encoder(nlp, doc)


def test_headings_that_fit_are_likelier(encoder, doc):
    rows = doc._.thematic_vectors
    means = np.stack([rows[:3].mean(axis=0), rows[3:].mean(axis=0)])
    scores = encoder.score_headings(means, means.mean(axis=0), ["nausea"])
    assert scores.headings[len(scores.log_shares) :] == ["nausea"]
    fit = scores.groups @ scores.vectors.T
    early, effects, nausea = map(scores.headings.index, ("Early life", "Side effects", "nausea"))
    assert fit[0, early] > fit[1, early]
    assert (fit[1, [effects, nausea]] > fit[0, [effects, nausea]]).all()


def test_what_a_verb_ends_is_no_heading(encoder):
    means = np.ones((1, 256), "f")
    phrases = ["King fought", "King", "fought", "Many kings", "River kings"]
    scores = encoder.score_headings(means, means[0], phrases)
    king_fought, king, fought, many, river = scores.leanings[-5:, 0]
    assert king_fought < min(king, fought, river) - 5
    assert many < min(king, fought, river) - 5


def test_segments_and_themes_have_headings(doc):
    for found in (doc._.thematic_segments, doc._.thematic_clusters):
        assert len({one.heading for one in found}) == 2
        for one in found:
            assert one.heading == one.name and 0 < one.heading_score <= 1


def test_headings_survive_serialization(nlp, doc):
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    for attribute in ("thematic_segments", "thematic_clusters"):
        names = [[one.heading for one in getattr(d._, attribute)] for d in (doc, again)]
        assert names[0] == names[1]


def test_a_phrase_that_is_known_is_not_encoded_again(encoder, monkeypatch):
    means, known = np.ones((1, 256), "f"), {}
    first = encoder.score_headings(means, means[0], ["river", "king"], known)
    encoded = []
    encode = type(encoder).encode

    def count(self, docs, spans):
        encoded.extend(span.text for of_doc in spans for span in of_doc)
        return encode(self, docs, spans)

    monkeypatch.setattr(type(encoder), "encode", count)
    again = encoder.score_headings(means, means[0], ["king", "army", "river"], known)
    assert [text.strip() for text in encoded] == ["army"]
    assert np.allclose(again.vectors[[-3, -1]], first.vectors[[-1, -2]])
    assert again.leanings[[-3, -1]].tolist() == first.leanings[[-1, -2]].tolist()
    assert again.rows[[-3, -1]].tolist() == first.rows[[-1, -2]].tolist()


def test_nothing_is_known_of_other_vectors(encoder):
    means = np.ones((1, 64), "f")
    assert encoder.score_headings(means, means[0], []) is None
