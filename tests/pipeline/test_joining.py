import numpy as np
import pytest
import spacy

from spacy_thematic.pipeline.joining import join_encoders
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.training_record import read_records, write_records
from tests.pipeline.test_embedder import (
    BILSTM_STATIC,
    MEAN,
    TEXT,
    examples_for,
    make_pipeline,
    train,
)


def trained(model):
    nlp = make_pipeline(model)
    return train(nlp, examples_for(nlp), 2)


def test_joined_encoders_give_their_vectors_side_by_side(tmp_path):
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC)}
    joined = join_encoders(pipelines)
    joined.to_disk(tmp_path / "joined")
    loaded = spacy.load(tmp_path / "joined")
    vectors = joined(TEXT)._.thematic_vectors
    assert np.array_equal(loaded(TEXT)._.thematic_vectors, vectors)
    parts = [nlp(TEXT)._.thematic_vectors for nlp in pipelines.values()]
    expected = np.hstack([part / np.linalg.norm(part, axis=1, keepdims=True) for part in parts])
    assert np.allclose(vectors, expected, atol=1e-6)


def test_joined_vectors_may_stay_as_long_as_they_are():
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC)}
    vectors = join_encoders(pipelines, normalize=False)(TEXT)._.thematic_vectors
    parts = [nlp(TEXT)._.thematic_vectors for nlp in pipelines.values()]
    assert np.allclose(vectors, np.hstack(parts), atol=1e-6)


def test_what_encoders_were_trained_on_is_kept(tmp_path):
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC), "b": trained(MEAN)}
    write_records(pipelines["sen"].meta, {"articles": 9})
    write_records(pipelines["titles"].meta, {"articles": 5})
    join_encoders(pipelines).to_disk(tmp_path / "joined")
    meta = spacy.load(tmp_path / "joined").meta
    assert read_records(meta) == [{"articles": 9}, {"articles": 5}, {}]


def test_pipelines_that_have_seen_other_words_are_joined():
    """Each pipeline learns the strings of its own corpus; the word vectors are the same."""
    first, second = trained(BILSTM_STATIC), trained(BILSTM_STATIC)
    second.vocab.strings.add("antidisestablishmentarianism")
    joined = join_encoders({"a": first, "b": second})
    assert joined("The river rises.")[:].sent._.thematic_vector.any()


def test_other_word_vectors_are_refused():
    first, second = trained(MEAN), trained(BILSTM_STATIC)
    second.vocab.set_vector("river", np.zeros(32, "f"))
    with pytest.raises(ValueError, match="different word vectors"):
        join_encoders({"a": first, "b": second})


def test_a_pipeline_without_embedder_is_refused():
    with pytest.raises(ValueError, match="no thematic_embedder"):
        join_encoders({"a": trained(MEAN), "b": spacy.blank("en")})


def test_a_bundled_model_is_joined_as_any_other():
    joined = join_encoders({"a": load_pipeline("en_thematic_sm"), "b": trained(MEAN)})
    width = load_pipeline("en_thematic_sm")(TEXT)._.thematic_vectors.shape[1]
    vectors = joined(TEXT)._.thematic_vectors
    own = load_pipeline("en_thematic_sm")(TEXT)._.thematic_vectors
    unit = own / np.linalg.norm(own, axis=1, keepdims=True)
    assert np.allclose(vectors[:, :width], unit, atol=1e-6)
