"""The format of model files: what is written is read, and nothing else is."""

import json
import os

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import ENTRY, read_header, read_state, write_model_file
from spacy_thematic.pretrained.state import ModelState, take_state
from tests.pretrained.conftest import ARCHITECTURES, TEXT, encode, make_pipeline, restore

TABLE = "1.learned_word_vectors.E"


def read(path):
    with safe_open(path, "np") as file:
        return load_file(path), json.loads(file.metadata()[ENTRY])


def rewrite(path, arrays=None, **fields):
    """Change a model file: arrays and fields of the header; None takes them out."""
    found, header = read(path)
    found.update(arrays or {})
    header.update(fields)
    save_file(
        {name: array for name, array in found.items() if array is not None},
        path,
        {ENTRY: json.dumps({key: value for key, value in header.items() if value is not None})},
    )


def load(path):
    return encode(make_pipeline(pretrained=str(path)))


def test_header_and_weights_survive(tmp_path):
    model = restore("concatenate").get_pipe("thematic_embedder").model
    state = take_state(model)
    path = tmp_path / "model.safetensors"
    architecture = ARCHITECTURES["concatenate"]
    write_model_file(path, "de", architecture, state)
    header = read_header(path)
    assert (header.lang, header.architecture) == ("de", architecture)
    assert header.dims == state.dims
    assert header.dims[0] == {"nO": 16}
    found = read_state(path, header)
    assert found.arrays.keys() == state.arrays.keys()
    for name, array in state.arrays.items():
        if array.dtype != "float32":
            assert np.array_equal(found.arrays[name], array)
    # Both encoders have the same words: they are in the file once.
    assert len(header.same) >= 2
    assert not set(header.same) & set(load_file(path))


def test_rows_become_int8_and_other_floats_16_bits(model_file):
    arrays, _ = read(model_file)
    assert arrays[TABLE].dtype == np.int8
    assert arrays["2.word_weights.E"].dtype == np.float16
    before = take_state(restore("mean").get_pipe("thematic_embedder").model).arrays[TABLE]
    rows = arrays[TABLE] * arrays["1.learned_word_vectors.scales"][:, None].astype("f")
    assert np.abs(rows - before).max() <= np.abs(before).max() / 127


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_numbers_that_16_bits_cannot_hold_keep_32(scale, tmp_path):
    values = np.array([1.0, 0.5, -0.25], "f") * np.float32(scale)
    path = tmp_path / "model.safetensors"
    write_model_file(path, "en", {}, ModelState({"0.net.b": values, "0.net.c": values * 0}, [{}]))
    state = read_state(path, read_header(path))
    assert np.array_equal(state.arrays["0.net.b"], values)
    assert load_file(path)["0.net.c"].dtype == np.float16


def test_the_same_model_gives_the_same_bytes(model_file, tmp_path):
    state = take_state(restore("mean").get_pipe("thematic_embedder").model)
    header = read_header(model_file)
    write_model_file(tmp_path / "again", header.lang, header.architecture, state)
    assert (tmp_path / "again").read_bytes() == model_file.read_bytes()


def test_what_is_no_safetensors_file_is_refused(model_file):
    model_file.write_bytes(b"\x80\x04N.")
    with pytest.raises(ValueError, match=r"mine\.safetensors is not a safetensors file"):
        load(model_file)


def test_a_file_cut_short_is_refused(model_file):
    model_file.write_bytes(model_file.read_bytes()[:-10])
    with pytest.raises(ValueError, match="not a safetensors file"):
        load(model_file)


def test_weights_of_something_else_are_refused(model_file):
    save_file({"weight": np.zeros(3, "f")}, model_file)
    with pytest.raises(ValueError, match='no model file.*"spacy-thematic".*thematic export'):
        load(model_file)


def test_a_newer_format_is_refused(model_file):
    rewrite(model_file, version=2)
    with pytest.raises(ValueError, match="format 2.*install a newer version"):
        load(model_file)


def test_a_header_without_sizes_is_refused(model_file):
    rewrite(model_file, dims=None)
    with pytest.raises(ValueError, match='The header of .* is damaged: "dims"'):
        load(model_file)


def test_an_architecture_that_is_not_registered_is_refused(model_file):
    rewrite(model_file, architecture={"@architectures": "somebody.Net.v1"})
    with pytest.raises(ValueError, match=r'"somebody\.Net\.v1" is not registered'):
        load(model_file)


def test_functions_that_are_no_architectures_are_not_called(model_file, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text("8")
    width = {"@readers": "srsly.read_json.v1", "path": str(secret)}
    embed = {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": width}
    rewrite(
        model_file,
        architecture={"@architectures": "spacy-thematic.WeightedMean.v1", "embed": embed},
    )
    with pytest.raises(ValueError, match='names "@readers" = "srsly.read_json.v1"'):
        load(model_file)


def test_settings_that_an_architecture_does_not_have_are_refused(model_file):
    architecture = {**ARCHITECTURES["mean"], "depth": 3}
    rewrite(model_file, architecture=architecture)
    with pytest.raises(ValueError, match=r"Cannot load .*mine\.safetensors(.|\n)*depth"):
        load(model_file)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({TABLE: None}, f"{TABLE} is missing"),
        ({"1.learned_word_vectors.keys": None}, "learned_word_vectors.keys is missing"),
        ({TABLE: np.zeros((9, 8), "int8")}, r"Found a table of \(9, 8\).*expected \("),
        ({"1.learned_word_vectors.scales": np.zeros(3, "f")}, r"\(3,\) scales, expected"),
        ({"0.weighted_mean.W": np.zeros(3, "f")}, "Layer 0.*no place for W"),
        ({"7.other.W": np.zeros(3, "f")}, r"No layer has a place for the array 7\.other\.W"),
    ],
)
def test_missing_and_misshapen_arrays_are_refused(model_file, arrays, message):
    rewrite(model_file, arrays)
    with pytest.raises(ValueError, match=rf"(?s)mine\.safetensors.*{message}"):
        load(model_file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weight: None, "Missing key"),
        (lambda weight: weight[:-1], "size mismatch"),
    ],
)
def test_a_net_without_its_weights_is_refused(change, message, tmp_path):
    path = tmp_path / "net.safetensors"
    state = take_state(restore("transformer").get_pipe("thematic_embedder").model)
    write_model_file(path, "en", ARCHITECTURES["transformer"], state)
    name = next(name for name in state.arrays if name.endswith("layers.0.output.weight"))
    rewrite(path, {name: change(read(path)[0][name])})
    with pytest.raises(ValueError, match=rf"(?s)net\.safetensors.*{message}"):
        load(path)


def test_sizes_of_another_architecture_are_refused(model_file):
    rewrite(model_file, dims=[{}])
    with pytest.raises(ValueError, match="Found 1 layers, expected 3"):
        load(model_file)
    rewrite(model_file, dims=[{}, {"nO": 9}, {}])
    with pytest.raises(ValueError, match="nO"):
        load(model_file)


def test_weights_are_not_changed_by_those_who_train_them(model_file, examples):
    first, second = (make_pipeline(pretrained=str(model_file)) for _ in range(2))
    untouched = encode(second)
    state = find_pretrained(str(model_file)).state
    before = {name: array.copy() for name, array in state.arrays.items()}
    optimizer = first.initialize(lambda: examples)
    for _ in range(3):
        first.update(examples, sgd=optimizer)
    assert not np.array_equal(encode(first), untouched)
    assert np.array_equal(encode(second), untouched)
    assert all(np.array_equal(state.arrays[name], array) for name, array in before.items())


@pytest.mark.parametrize(
    ("name", "settings", "wrong"),
    [
        ("BiLSTMAttention", {"hidden_width": 10**6}, "more weights than the file can hold"),
        ("BiLSTMAttention", {"attention_width": 10**12}, "more weights than the file can hold"),
        ("TransformerMean", {"n_layers": 10**9}, '"n_layers" is 1000000000, more than'),
        ("TransformerMean", {"max_length": 10**9}, "more weights than the file can hold"),
        ("TransformerMean", {"n_layers": 200, "inner_width": 8}, "more weights than the file"),
    ],
)
def test_a_small_file_builds_no_large_model(tmp_path, name, settings, wrong):
    embed = {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 768}
    architecture = {"@architectures": f"spacy-thematic.{name}.v1", "embed": embed, **settings}
    path = tmp_path / "bomb.safetensors"
    write_model_file(path, "en", architecture, ModelState({"x": np.zeros(1, "f")}, []))
    with pytest.raises(ValueError, match=f"{path}.*{wrong}"):
        load(path)


@pytest.mark.parametrize("field", ["lang", "architecture", "dims", "same", "version"])
@pytest.mark.parametrize("value", [None, 7, -1.5, "x", [], {}, [[]], {"a": {}}, [{"nO": "a"}]])
def test_a_header_of_other_types_is_refused(model_file, field, value):
    if (field, value) in [("same", {}), ("dims", []), ("lang", "x"), ("version", None)]:
        return
    rewrite(model_file, **{field: value})
    with pytest.raises(ValueError, match=str(model_file)):
        load(model_file)


def test_a_pipe_in_place_of_a_model_is_refused(tmp_path):
    os.mkfifo(tmp_path / "model")
    with pytest.raises(ValueError, match="model is a pipe or a device"):
        load(tmp_path / "model")
    pipeline = tmp_path / "pipeline"
    restore("mean").to_disk(pipeline)
    for name in ("cfg", "model"):
        file = pipeline / "thematic_embedder" / name
        content = file.read_bytes()
        file.unlink()
        os.mkfifo(file)
        for read in (load_pipeline, load):
            with pytest.raises(ValueError, match=f"{name} is not a file"):
                read(pipeline)
        file.unlink()
        file.write_bytes(content)
    load_pipeline(pipeline)


@pytest.mark.parametrize("name", ["tok2vec", "bigan", "bilstm"])
def test_a_weight_of_another_shape_is_refused(tmp_path, name):
    """Thinc itself takes a matrix of one column, and numpy stretches it."""
    whole = restore(name)
    architecture = {**ARCHITECTURES[name]}
    state = take_state(whole.get_pipe("thematic_embedder").model)
    for key, array in state.arrays.items():
        if array.ndim and array.dtype == "f" and array.shape[-1] > 1:
            path = tmp_path / "narrow.safetensors"
            arrays = {**state.arrays, key: np.ascontiguousarray(array[..., :1])}
            write_model_file(path, "en", architecture, ModelState(arrays, state.dims), exact=True)
            with pytest.raises(ValueError, match=str(path)):
                load(path)
    folder = tmp_path / "pipeline"
    whole.to_disk(folder)
    model = whole.get_pipe("thematic_embedder").model
    for node in model.walk():
        for param in node.param_names:
            if node.get_param(param)[:1].size > 1:
                kept = node.get_param(param)
                node.set_param(param, node.ops.asarray(kept[:, :1]))
                model.to_disk(folder / "thematic_embedder" / "model")
                node.set_param(param, kept)
                with pytest.raises(ValueError, match=str(folder)):
                    load_pipeline(folder)(TEXT)
