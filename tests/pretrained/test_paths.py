"""What `pretrained` and `spacy_thematic.load` take, and when it is read."""

import os
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import spacy
from spacy.cli.package import package

import spacy_thematic
from spacy_thematic.pipeline.loading import export_encoder
from spacy_thematic.pretrained import find_path, find_pretrained
from spacy_thematic.pretrained import model_file as format_of_files
from tests.pretrained.conftest import ARCHITECTURES, SAVED, encode, make_pipeline, restore


@pytest.fixture
def expected(model_file):
    return encode(make_pipeline(pretrained=str(model_file)))


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def test_a_file_loads_in_another_folder_and_process(model_file, expected, tmp_path):
    code = f"""
        import spacy
        import numpy as np
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("thematic_embedder", config={{"pretrained": "mine.safetensors"}})
        doc = nlp("The river meets the coast.")
        np.save({str(tmp_path / "vectors.npy")!r}, doc._.thematic_vectors)
    """
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    subprocess.run(command, check=True, cwd=model_file.parent)
    assert np.allclose(np.load(tmp_path / "vectors.npy"), expected[:1], atol=1e-6)


def test_a_folder_with_one_model_file(model_file, expected):
    assert np.array_equal(encode(make_pipeline(pretrained=str(model_file.parent))), expected)
    shutil.copy(model_file, model_file.with_name("other.safetensors"))
    with pytest.raises(ValueError, match=r"found mine\.safetensors, other\.safetensors"):
        make_pipeline(pretrained=str(model_file.parent))


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(ValueError, match=r"config\.cfg.*\*\.safetensors.*found neither"):
        make_pipeline(pretrained=str(tmp_path))


def test_the_folder_of_a_trained_pipeline(architecture, tmp_path):
    nlp = restore(architecture)
    nlp.to_disk(tmp_path / "trained")
    taken = make_pipeline(pretrained=str(tmp_path / "trained"))
    assert np.array_equal(encode(taken), encode(nlp))
    taken.to_disk(tmp_path / "again")
    shutil.rmtree(tmp_path / "trained")
    assert np.array_equal(encode(spacy.load(tmp_path / "again")), encode(nlp))


def test_the_folder_of_a_pipeline_without_an_embedder(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ValueError, match="blank has no thematic_embedder"):
        make_pipeline(pretrained=str(tmp_path / "blank"))


def test_an_installed_package_with_a_model_file(model_file, expected, site):
    (site / "themes_of_mine").mkdir()
    (site / "themes_of_mine" / "__init__.py").write_text("raise ImportError('not to be run')")
    shutil.copy(model_file, site / "themes_of_mine")
    for name in ("themes_of_mine", "themes-of-mine", "package:themes_of_mine/mine.safetensors"):
        assert np.array_equal(encode(make_pipeline(pretrained=name)), expected)


def test_an_installed_pipeline(model_file, expected, tmp_path, site):
    nlp = make_pipeline(pretrained=str(model_file))
    nlp.meta["name"] = "made_up_themes"
    nlp.to_disk(tmp_path / "trained")
    (tmp_path / "packages").mkdir()
    package(tmp_path / "trained", tmp_path / "packages", create_sdist=False, silent=True)
    shutil.copytree(
        tmp_path / "packages" / "en_made_up_themes-0.0.0" / "en_made_up_themes",
        site / "en_made_up_themes",
    )
    model_file.unlink()
    assert np.array_equal(encode(make_pipeline(pretrained="en_made_up_themes")), expected)
    loaded = spacy_thematic.load("en_made_up_themes")
    assert loaded.pipe_names == ["sentencizer", "thematic_embedder", "thematic_clusterer"]
    assert np.array_equal(encode(loaded), expected)


@pytest.mark.parametrize("read", [spacy_thematic.load, find_pretrained])
def test_an_empty_name_is_refused(read):
    with pytest.raises(ValueError, match="the name or path of a model, .* found an empty string"):
        read("")


def test_what_is_not_there_is_refused_with_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError) as error:
        make_pipeline(pretrained="my/model.safetensors")
    for part in ("en_thematic_md, en_thematic_sm", str(tmp_path / "my"), "not installed"):
        assert part in str(error.value)
    with pytest.raises(ValueError, match='package "nowhere", which is not installed'):
        make_pipeline(pretrained="package:nowhere/model.safetensors")


def test_the_encoder_of_a_pipeline_that_needs_its_word_vectors(tmp_path):
    static = {"@architectures": "spacy-thematic.StaticVectors.v1"}
    nlp = make_pipeline(
        model={"@architectures": "spacy-thematic.BiLSTMAttention.v1", "embed": static}
    )
    nlp.to_disk(tmp_path / "trained")
    with pytest.raises(ValueError, match="trained.*word vectors of the pipeline.*spacy.load"):
        make_pipeline(pretrained=str(tmp_path / "trained"))


def test_a_saved_pipeline_loads_where_the_file_is_not(model_file, expected, tmp_path):
    make_pipeline(pretrained=str(model_file)).to_disk(tmp_path / "saved")
    model_file.unlink()
    loaded = spacy.load(tmp_path / "saved")
    assert np.array_equal(encode(loaded), expected)
    loaded.initialize()  # keeps the weights
    loaded.to_disk(tmp_path / "again")
    assert np.array_equal(encode(spacy.load(tmp_path / "again")), expected)
    with pytest.raises(ValueError, match="Cannot find the model"):
        make_pipeline(pretrained=str(model_file))


def test_a_saved_pipeline_loads_where_another_file_has_the_name(model_file, expected, tmp_path):
    make_pipeline(pretrained=str(model_file)).to_disk(tmp_path / "saved")
    export_encoder(restore("bilstm"), model_file)
    assert np.array_equal(encode(spacy.load(tmp_path / "saved")), expected)


def test_without_its_weights_a_saved_pipeline_says_what_is_missing(model_file, tmp_path):
    make_pipeline(pretrained=str(model_file)).to_disk(tmp_path / "saved")
    model_file.unlink()
    nlp = spacy.util.load_model_from_config(
        spacy.util.load_config(tmp_path / "saved" / "config.cfg"),
        meta=spacy.util.load_meta(tmp_path / "saved" / "meta.json"),
    )
    with pytest.raises(ValueError, match=f'Cannot find the model "{model_file}"'):
        encode(nlp)


def test_weights_are_read_when_they_are_used_and_once(model_file, monkeypatch):
    reads = []

    def load_file(path):
        reads.append(path)
        return read(path)

    read = format_of_files.load_file
    monkeypatch.setattr(format_of_files, "load_file", load_file)
    unread = shutil.copy(model_file, model_file.with_name("unread.safetensors"))
    pipelines = [make_pipeline(pretrained=str(unread)) for _ in range(4)]
    assert not reads
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(encode, pipelines))
    assert reads == [unread]
    assert all(np.array_equal(vectors[0], other) for other in vectors)
    tables = [nlp.get_pipe("thematic_embedder").model.layers[0] for nlp in pipelines]
    assert np.shares_memory(tables[0].get_param("E"), tables[1].get_param("E"))
    assert tables[0].get_param("E").dtype == np.int8


def test_a_file_that_has_changed_is_read_again(model_file, expected):
    export_encoder(restore("bilstm"), model_file)
    os.utime(model_file, ns=(1, 1))
    assert np.allclose(
        encode(make_pipeline(pretrained=str(model_file))), encode(restore("bilstm")), atol=0.05
    )


def test_a_file_of_another_language_is_warned_of(tmp_path):
    nlp = spacy.blank("de")
    nlp.add_pipe("sentencizer")
    embedder = nlp.add_pipe("thematic_embedder", config={"model": ARCHITECTURES["mean"]})
    embedder.from_bytes((SAVED / "mean.bin").read_bytes(), exclude=["vocab"])
    export_encoder(nlp, tmp_path / "german.safetensors")
    with pytest.warns(UserWarning, match='for the language "de".*"en"'):
        encode(make_pipeline(pretrained=str(tmp_path / "german.safetensors")))
    assert spacy_thematic.load(tmp_path / "german.safetensors").lang == "de"


@pytest.mark.parametrize("name", ["en_thematic_sm", "en_thematic_md"])
def test_a_ready_pipeline(name):
    nlp = spacy_thematic.load(name)
    assert nlp.pipe_names == [
        "thematic_layout",
        "thematic_sentencizer",
        "thematic_embedder",
        "thematic_clusterer",
    ]
    assert nlp.lang == "en"
    doc = nlp("The river rises. It floods the valley. The king fought. His army lost a war.")
    assert len(doc._.thematic_clusters) >= 1
    assert find_path(name) == find_pretrained(name).path


def test_a_ready_pipeline_from_a_file_and_from_a_folder(model_file, expected, tmp_path):
    nlp = spacy_thematic.load(model_file)
    assert np.array_equal(encode(nlp), expected)
    nlp.get_pipe("thematic_clusterer").max_k = 3
    nlp.to_disk(tmp_path / "saved")
    assert spacy_thematic.load(str(tmp_path / "saved")).pipe_names == nlp.pipe_names
    with pytest.raises(ValueError, match='Cannot find the model "no_such"'):
        spacy_thematic.load("no_such")


def test_a_pipeline_trained_over_a_file_loads_where_the_file_is_not(model_file, examples, tmp_path):
    base = {"@architectures": "spacy-thematic.Bundled.v1", "name": str(model_file)}
    nlp = make_pipeline(
        model={"@architectures": "papers.BiGANEncoder.v1", "base": base, "width": 4}
    )
    nlp.initialize(lambda: examples)
    nlp.to_disk(tmp_path / "saved")
    model_file.unlink()
    assert np.array_equal(encode(spacy.load(tmp_path / "saved")), encode(nlp))
    taken = make_pipeline(pretrained=str(tmp_path / "saved"))
    assert np.array_equal(encode(taken), encode(nlp))


def test_another_model_than_the_saved_one_is_warned_of(tmp_path, recwarn):
    make_pipeline(pretrained="en_thematic_sm").to_disk(tmp_path)
    spacy.load(tmp_path)
    assert not recwarn
    config = {"components": {"thematic_embedder": {"pretrained": "en_thematic_md"}}}
    with pytest.warns(UserWarning, match='saved with the weights of "en_thematic_sm"'):
        spacy.load(tmp_path, config=config)


def test_a_damaged_pipeline_is_named(tmp_path):
    make_pipeline().to_disk(tmp_path / "saved")
    for file, content, message in (
        (
            "thematic_embedder/model",
            b"\xff\x00",
            r"saved.thematic_embedder.model is damaged or cut off ",
        ),
        ("config.cfg", b"", r"saved.config\.cfg is damaged, .* has no 'nlp'"),
    ):
        (tmp_path / "saved" / file).write_bytes(content)
        with pytest.raises(ValueError, match=message):
            find_pretrained(str(tmp_path / "saved")).state
