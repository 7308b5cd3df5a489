"""What was saved before models were files still loads."""

import numpy as np
import spacy
import srsly

from tests.pretrained.conftest import SAVED, encode, make_pipeline, restore


def test_encoders_give_the_same_vectors(architecture):
    expected = np.load(SAVED / "vectors.npz")[architecture]
    assert np.allclose(encode(restore(architecture)), expected, atol=1e-5)


def test_a_pipeline_of_a_bundled_model_that_does_not_say_its_architecture(tmp_path):
    nlp = make_pipeline(pretrained="en_thematic_sm")
    nlp.to_disk(tmp_path / "model")
    srsly.write_json(tmp_path / "model" / "thematic_embedder" / "cfg", {})
    assert np.array_equal(encode(spacy.load(tmp_path / "model")), encode(nlp))
    taken = make_pipeline(pretrained=str(tmp_path / "model"))
    assert np.array_equal(encode(taken), encode(nlp))
