import subprocess
import sys

import numpy as np
import pytest
import spacy
from spacy.vectors import Vectors

from joining import join_encoders
from spacy_thematic.pipeline.loading import export_encoder, load_pipeline
from spacy_thematic.training.adapting import make_adapted
from tests.cli.conftest import invoke
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


def side_by_side(*pipelines):
    """The vectors of pipelines, each of unit length."""
    parts = [nlp(TEXT)._.thematic_vectors for nlp in pipelines]
    return np.hstack([part / np.linalg.norm(part, axis=1, keepdims=True) for part in parts])


def test_joined_encoders_give_their_vectors_side_by_side(tmp_path):
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC)}
    joined = join_encoders(pipelines)
    joined.to_disk(tmp_path / "joined")
    loaded = spacy.load(tmp_path / "joined")
    vectors = joined(TEXT)._.thematic_vectors
    assert np.array_equal(loaded(TEXT)._.thematic_vectors, vectors)
    assert np.allclose(vectors, side_by_side(*pipelines.values()), atol=1e-6)


def test_joined_vectors_may_stay_as_long_as_they_are():
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC)}
    vectors = join_encoders(pipelines, normalize=False)(TEXT)._.thematic_vectors
    parts = [nlp(TEXT)._.thematic_vectors for nlp in pipelines.values()]
    assert np.allclose(vectors, np.hstack(parts), atol=1e-6)


def test_what_encoders_were_trained_on_is_kept(tmp_path):
    pipelines = {"sen": trained(MEAN), "titles": trained(BILSTM_STATIC), "b": trained(MEAN)}
    pipelines["sen"].meta["thematic"] = [{"articles": 9}]
    pipelines["titles"].meta["thematic"] = [{"articles": 5}]
    join_encoders(pipelines).to_disk(tmp_path / "joined")
    meta = spacy.load(tmp_path / "joined").meta
    assert meta["thematic"] == [{"articles": 9}, {"articles": 5}, {}]


def test_pipelines_that_have_seen_other_words_are_joined():
    """Each pipeline learns the strings of its own corpus; the word vectors are the same."""
    first, second = trained(BILSTM_STATIC), trained(BILSTM_STATIC)
    second.vocab.strings.add("antidisestablishmentarianism")
    joined = join_encoders({"a": first, "b": second})
    assert joined("The river rises.")[:].sent._.thematic_vector.any()


def test_other_word_vectors_are_refused_where_they_are_read():
    first, second = trained(MEAN), trained(BILSTM_STATIC)
    second.vocab.set_vector("river", np.zeros(32, "f"))
    with pytest.raises(ValueError, match="read different word vectors"):
        join_encoders({"a": first, "b": second})
    # Only the second reads vectors, and the first has none.
    first.vocab.vectors = Vectors(strings=first.vocab.strings)
    joined = join_encoders({"a": first, "b": second})
    assert joined.vocab.vectors.to_bytes() == second.vocab.vectors.to_bytes()
    # The first reads none of its own, nor does the second.
    first.vocab.vectors = Vectors(strings=first.vocab.strings, shape=(2, 3))
    join_encoders({"a": first, "b": load_pipeline("en_thematic_sm")})


def test_other_languages_are_refused():
    german = spacy.blank("de")
    german.add_pipe("sentencizer")
    with pytest.warns(UserWarning, match='is for the language "en"'):
        german.add_pipe("thematic_embedder")
    with pytest.raises(ValueError, match='different languages: a "en", b "de"'):
        join_encoders({"a": load_pipeline("en_thematic_sm"), "b": german})


def test_a_listener_is_joined_as_the_first_alone():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("tok2vec")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
    model = {"@architectures": "spacy-thematic.Tok2VecAttention.v1", "tok2vec": listener}
    nlp.add_pipe("thematic_embedder", config={"model": model})
    examples = examples_for(nlp)
    train(nlp, examples, 1)
    small = load_pipeline("en_thematic_sm")
    joined = join_encoders({"a": nlp, "b": small})
    assert np.allclose(joined(TEXT)._.thematic_vectors, side_by_side(nlp, small), atol=1e-6)
    with pytest.raises(ValueError, match="b listens to another component.*name it first"):
        join_encoders({"a": small, "b": nlp})


def test_a_pipeline_without_embedder_is_refused():
    with pytest.raises(ValueError, match="no thematic_embedder"):
        join_encoders({"a": trained(MEAN), "b": spacy.blank("en")})


def test_bundled_models_files_and_adapted_ones_are_joined_as_any_other(tmp_path):
    export_encoder(trained(MEAN), tmp_path / "mine.safetensors")
    width = load_pipeline("en_thematic_sm")(TEXT)._.thematic_vectors.shape[1]
    rng = np.random.default_rng(0)
    W = rng.normal(scale=0.1, size=(width, width)).astype("f")
    make_adapted("en_thematic_sm", "en", W).to_disk(tmp_path / "adapted")
    names = ["en_thematic_md", tmp_path / "mine.safetensors", tmp_path / "adapted"]
    expected = side_by_side(*map(load_pipeline, names))
    pipelines = {f"encoder{number}": load_pipeline(name) for number, name in enumerate(names)}
    join_encoders(pipelines).to_disk(tmp_path / "joined")
    joined = spacy.load(tmp_path / "joined")
    assert np.allclose(joined(TEXT)._.thematic_vectors, expected, atol=1e-6)
    # What it is made of need not be there.
    assert str(tmp_path) not in joined.config.to_str()
    code = (
        "import sys, spacy, numpy\n"
        "folder, text = sys.argv[1:]\n"
        "vectors = spacy.load(folder)(text)._.thematic_vectors\n"
        "numpy.save(folder + '/vectors.npy', vectors)"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path / "joined"), TEXT]
    subprocess.run(command, check=True)
    assert np.allclose(np.load(tmp_path / "joined" / "vectors.npy"), expected, atol=1e-6)
    (tmp_path / "joined" / "vectors.npy").unlink()
    invoke("export", tmp_path / "joined", tmp_path / "all")
    exported = load_pipeline(tmp_path / "all")(TEXT)._.thematic_vectors
    assert np.allclose(exported, expected, atol=0.01)
