import pytest
from typer.testing import CliRunner

from spacy_thematic.cli import app
from spacy_thematic.pretrained import BUNDLED, manifest


def run():
    return CliRunner().invoke(app, ["verify"])


def test_the_bundled_models_are_those_of_the_manifest():
    """If one was changed: python -m spacy_thematic.pretrained.manifest"""
    found = run()
    assert found.exit_code == 0, found.output
    for name in BUNDLED:
        assert f"pretrained/{name}.safetensors:" in found.output
    assert all(entry["sources"] for entry in manifest.read_manifest().values())


def test_every_learned_file_is_in_the_manifest():
    files = [*manifest._PACKAGE.rglob("*.safetensors"), *manifest._PACKAGE.rglob("*.npz")]
    names = {file.relative_to(manifest._PACKAGE).as_posix() for file in files}
    assert names == set(manifest.read_manifest())


@pytest.mark.parametrize("content", [None, b"changed"])
def test_a_file_that_is_missing_or_was_changed_is_an_error(tmp_path, monkeypatch, content):
    monkeypatch.setattr(manifest, "_PACKAGE", tmp_path)
    if content:
        (tmp_path / "naming").mkdir()
        (tmp_path / "naming/ranker.npz").write_bytes(content)
    found = run()
    assert found.exit_code == 1 and "install it again" in found.output
    assert "naming/ranker.npz: missing" not in found.output or not content
