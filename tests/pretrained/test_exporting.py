"""`thematic export`: every architecture that can stand alone, and clear errors for the others."""

import numpy as np
import pytest
import spacy
from safetensors import safe_open
from thinc.api import Model

from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pipeline.loading import export_encoder
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import read_header, read_state
from tests.cli.conftest import flat, invoke
from tests.pretrained.conftest import TEXT, encode, make_pipeline, restore


def cosines(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def test_an_exported_encoder_gives_nearly_the_same_cosines(architecture, tmp_path):
    nlp = restore(architecture)
    change = export_encoder(nlp, tmp_path / "model.safetensors")
    exported = make_pipeline(pretrained=str(tmp_path / "model.safetensors"))
    assert 0 < change < 0.05
    assert np.abs(cosines(encode(exported)) - cosines(encode(nlp))).max() < 0.05


def test_what_is_exported_twice_stays_the_same(architecture, tmp_path):
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    export_encoder(restore(architecture), first)
    assert export_encoder(make_pipeline(pretrained=str(first)), second) < 1e-6
    assert first.read_bytes() == second.read_bytes()


def test_nets_of_8_bits_are_nearly_as_good_and_half_as_large(tmp_path):
    nlp = make_pipeline(pretrained="en_thematic_md")
    files = [tmp_path / "half.safetensors", tmp_path / "int8.safetensors"]
    change = export_encoder(nlp, files[1], int8=True)
    assert 0 < change < 0.05
    export_encoder(nlp, files[0])
    header = read_header(files[1])
    states = [read_state(file, header) for file in files]
    assert {a.dtype for a in states[1].arrays.values()} == {
        a.dtype for a in states[0].arrays.values()
    }
    found, expected = (
        next(state.arrays[n] for n in state.arrays if n.endswith("layers.0.inner.weight"))
        for state in reversed(states)
    )
    step = np.abs(expected).max(axis=1, keepdims=True) / 127
    assert np.abs(found - expected).max() > 0 and (np.abs(found - expected) <= 0.6 * step).all()
    with safe_open(files[1], "np") as file:
        stored = [n for n in file.keys() if n.endswith("layers.0.inner.weight")]  # noqa: SIM118
        assert file.get_tensor(stored[0]).dtype == "int8"
    smaller = make_pipeline(pretrained=str(files[1]))
    assert np.abs(cosines(encode(smaller)) - cosines(encode(nlp))).max() < 0.05
    assert files[1].stat().st_size < files[0].stat().st_size - 1_000_000


def test_word_pieces_are_in_the_file(tmp_path):
    embed = {"@architectures": "spacy-thematic.WordPieceVectors.v1", "width": 8}
    settings = {"n_heads": 2, "inner_width": 4, "sentence_width": 4}
    nlp = make_pipeline(
        model={"@architectures": "spacy-thematic.TransformerMean.v1", "embed": embed, **settings}
    )
    table: Model = nlp.get_pipe("thematic_embedder").model.layers[0]
    table.attrs["pieces"] = ["[UNK]", "river", "bank", "##s", "日", "é"]
    table.set_param("E", np.random.default_rng(0).standard_normal((6, 8)).astype("f"))
    export_encoder(nlp, tmp_path / "model.safetensors")
    exported = make_pipeline(pretrained=str(tmp_path / "model.safetensors"))
    assert np.allclose(encode(exported), encode(nlp), atol=0.05)
    found = exported.get_pipe("thematic_embedder").model.layers[0].attrs["pieces"]
    assert found == table.attrs["pieces"]


def test_a_base_is_in_the_file_of_what_was_trained_over_it(model_file, tmp_path):
    base = {"@architectures": "spacy-thematic.Bundled.v1", "name": str(model_file)}
    nlp = make_pipeline(
        model={"@architectures": "papers.BiGANEncoder.v1", "base": base, "width": 4}
    )
    model = nlp.get_pipe("thematic_embedder").model
    doc = nlp.make_doc(TEXT)
    model.initialize(make_doc_spans(model.ops, [doc], [[doc[:5], doc[5:9], doc[9:]]]))
    export_encoder(nlp, tmp_path / "over.safetensors")
    model_file.unlink()
    exported = make_pipeline(pretrained=str(tmp_path / "over.safetensors"))
    assert np.allclose(encode(exported), encode(nlp), atol=0.01)


def test_a_trained_bundled_model(examples, tmp_path):
    nlp = make_pipeline(pretrained="en_thematic_sm")
    untouched = encode(nlp)
    optimizer = nlp.initialize(lambda: examples)
    nlp.update(examples, sgd=optimizer)
    change = export_encoder(nlp, tmp_path / "tuned.safetensors")
    assert change < 0.01
    tuned = encode(make_pipeline(pretrained=str(tmp_path / "tuned.safetensors")))
    difference = np.abs(cosines(tuned) - cosines(encode(nlp))).max()
    assert difference < 0.01
    assert not np.array_equal(tuned, untouched)
    assert (tmp_path / "tuned.safetensors").stat().st_size < 19e6


def test_a_bundled_model_is_exported_as_it_is(tmp_path):
    path = tmp_path / "copy.safetensors"
    assert export_encoder(make_pipeline(pretrained="en_thematic_md"), path) == 0
    assert path.read_bytes() == find_pretrained("en_thematic_md").path.read_bytes()


def test_the_command_says_how_large_the_file_is_and_what_rounding_changes(tmp_path):
    restore("mean").to_disk(tmp_path / "model-best")
    output = flat(invoke("export", tmp_path / "model-best", tmp_path / "my_model"))
    assert "my_model.safetensors" in output.replace(" ", "")
    assert "MB" in output and "cosine" in output
    assert (encode(make_pipeline(pretrained=str(tmp_path / "my_model.safetensors"))) != 0).any()


def test_the_command_refuses_a_pipeline_without_an_embedder(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    error = flat(invoke("export", tmp_path / "blank", tmp_path / "out", status=1))
    assert "no thematic_embedder" in error
    assert not list(tmp_path.glob("out*"))


def test_static_word_vectors_are_refused(tmp_path):
    static = {"@architectures": "spacy-thematic.StaticVectors.v1"}
    nlp = make_pipeline(
        model={"@architectures": "spacy-thematic.BiLSTMAttention.v1", "embed": static}
    )
    with pytest.raises(ValueError, match="word vectors of the pipeline.*spacy package"):
        export_encoder(nlp, tmp_path / "model.safetensors")


def test_a_listener_is_refused(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("tok2vec")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
    nlp.add_pipe(
        "thematic_embedder",
        config={
            "model": {"@architectures": "spacy-thematic.Tok2VecAttention.v1", "tok2vec": listener}
        },
    )
    with pytest.raises(ValueError, match="listens to another component.*spacy package"):
        export_encoder(nlp, tmp_path / "model.safetensors")


def test_an_encoder_that_has_not_been_trained_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has not been trained"):
        export_encoder(make_pipeline(pretrained=None), tmp_path / "model.safetensors")
