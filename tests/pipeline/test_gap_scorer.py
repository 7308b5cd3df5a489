"""What the encoder of a pipeline has learned of the gaps between sentences."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

import spacy_thematic
from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.pipeline import text_encoder
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.text_encoder import find_encoder, score_gaps

TEXT = (
    "The river floods the valley each spring. Its water carries mud. Boats sail the river to the "
    "sea. Fish live in it. The king fought two wars. His army lost both battles. The treaty ended "
    "the war. He ruled for ten years."
)


@pytest.fixture(scope="module")
def nlp():
    return spacy_thematic.load("en_thematic_sm")


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT)


def test_the_bundled_model_knows_where_a_theme_begins(nlp, doc):
    lengths = np.array([len(sentence.text) for sentence in doc.sents], "f")
    odds = score_gaps(find_embedder(nlp), doc._.thematic_vectors, lengths)
    assert odds.shape == (7,) and odds.argmax() == 3


def test_a_long_text_is_scored_in_pieces(nlp, monkeypatch):
    rng = np.random.default_rng(0)
    vectors, lengths = rng.normal(size=(100, 256)).astype("f"), np.full(100, 80.0, "f")
    monkeypatch.setattr(text_encoder, "PIECE", 30)
    odds = score_gaps(find_embedder(nlp), vectors, lengths)
    assert odds.shape == (99,)
    net, margin = find_boundaries(find_embedder(nlp).model, 256), text_encoder.MARGIN
    second = net.predict([(vectors[: 60 + margin], lengths[: 60 + margin])])
    assert np.allclose(odds[29:59], second[30:60], atol=1e-5)


@pytest.mark.parametrize("n, width", [(0, 256), (1, 256), (5, 64)])
def test_nothing_is_known_of_one_sentence_or_of_other_vectors(nlp, n, width):
    assert score_gaps(find_embedder(nlp), np.ones((n, width), "f"), np.ones(n, "f")) is None


def test_without_an_embedder_there_is_no_encoder():
    assert find_encoder(spacy.blank("en"), Doc(Vocab())) is None
