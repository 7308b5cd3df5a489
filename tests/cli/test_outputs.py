"""No command writes onto what it reads, or twice onto one file."""

from pathlib import Path

import pytest
import srsly

from spacy_thematic.cli.shell import claim_outputs
from spacy_thematic.pretrained import find_path
from tests.cli.conftest import run
from tests.conftest import make_article

CONFIG = Path(__file__).parents[2] / "configs" / "finetune.cfg"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files of each kind that commands read, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Guide\n\nThe river floods the valley.\n")
    (tmp_path / "hard").hardlink_to(tmp_path / "notes" / "a.md")
    (tmp_path / "soft").symlink_to(tmp_path / "notes" / "a.md")
    articles = [make_article(number).to_dict() for number in range(20)]
    srsly.write_jsonl(tmp_path / "articles.jsonl", articles)
    (tmp_path / "seeds.json").write_text('{"water": ["river"]}')
    (tmp_path / "model.safetensors").write_bytes(find_path("en_thematic_sm").read_bytes())
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "command",
    [
        "cluster notes/a.md --out notes/a.md",
        "cluster notes/a.md --out notes/../notes/a.md",
        "cluster notes/a.md --out hard",
        "cluster soft --html hard",
        "cluster notes --html notes/a.md",
        "cluster notes --seed-themes seeds.json --out seeds.json",
        "cluster notes -m model.safetensors --out model.safetensors",
        "chunk notes --out soft",
        "chunk notes --out notes/a.md",
        "export model.safetensors model",
        "evaluate en_thematic_sm articles.jsonl -o articles.jsonl",
    ],
)
def test_what_is_read_is_not_overwritten(folder, command):
    before = contents(folder)
    assert "would be overwritten: write to another place" in run(*command.split(), status=1)
    assert contents(folder) == before


def test_a_folder_with_what_is_read_is_not_replaced(folder):
    run("corpus", "articles.jsonl", "corpus")
    (folder / "articles.jsonl").rename(folder / "corpus" / "articles.jsonl")
    run("adapt", "corpus/articles.jsonl", "-o", "pipeline", "--from", "en_thematic_sm")
    run("cluster", "notes", "--save", "saved")
    run("embed", "notes", "-o", "store")
    before = contents(folder)
    for command in (
        "corpus corpus/articles.jsonl corpus",
        "adapt corpus/articles.jsonl --from pipeline -o pipeline",
        "cluster notes --themes saved --save saved",
        "cluster-store store -o store",
    ):
        assert "is read from there: name another" in run(*command.split(), status=1), command
    (folder / "run").mkdir()
    (folder / "pipeline").rename(folder / "run" / "model-best")
    start = ["--components.thematic_embedder.pretrained", "run/model-best"]
    assert "is read from there" in run("train", CONFIG, "-o", "run", *start, status=1)
    (folder / "run" / "model-best").rename(folder / "pipeline")
    (folder / "run").rmdir()
    assert contents(folder) == before


@pytest.mark.parametrize(
    "command",
    [
        "cluster notes --out new --html new",
        "cluster notes --out new --html notes/../new",
        "cluster notes --save new --html new/themes.json",
    ],
)
def test_two_outputs_are_not_written_onto_each_other(folder, command):
    before = contents(folder)
    assert "would be written onto each other" in run(*command.split(), status=1)
    assert contents(folder) == before


def test_devices_and_new_files_beside_what_is_read_are_written(folder):
    run("cluster", "notes", "--out", "/dev/null", "--html", "/dev/null")
    run("cluster", "notes", "--out", "notes.jsonl", "-m", "en_thematic_sm")


def test_a_new_file_in_a_folder_that_is_read_would_be_read_with_it(folder):
    output = run("cluster", "notes", "--out", "notes/themes.jsonl", status=1)
    assert "lies in notes, which is to be read: write to another folder" in output
    assert not Path("notes/themes.jsonl").exists()


def test_nothing_is_passed_over_that_is_no_place(folder):
    with claim_outputs(["en_thematic_sm", None, ""], files=[None, folder / "new"], folders=[None]):
        pass


WRITING = (
    "chunk notes -o {}",
    "cluster notes --out {}",
    "cluster notes --html {}",
    "cluster notes --save {}",
    "corpus articles.jsonl {}",
    "embed notes -o {}",
    "export model.safetensors {}",
    "evaluate en_thematic_sm articles.jsonl -o {}",
    "adapt articles.jsonl -o {}",
    "cluster-store store -o {}",
)


@pytest.mark.parametrize("command", WRITING[:7])
@pytest.mark.parametrize("name", ["n" * 255, "\u00e4" * 120 + ".safetensors"])
def test_the_longest_names_are_written(folder, command, name):
    if command.startswith("export"):
        name = name[-240:].removesuffix(".safetensors") + ".safetensors"
    ending = {"--out": ".jsonl", "--html": ".html"}.get(command.split()[2])
    name = name.replace(".safetensors", ending or ".safetensors")
    before = set(folder.iterdir())
    run(*command.format(name).split())
    assert set(folder.iterdir()) - before == {folder / name}


@pytest.mark.parametrize("output", [".", "..", "/"])
def test_a_model_is_not_exported_to_a_folder(folder, output):
    said = run("export", "model.safetensors", output, status=1)
    assert f"{output} is a folder: give the name of a file" in said


def test_hidden_files_of_a_folder_are_not_lost(folder):
    adapt = ["adapt", "articles.jsonl", "--from", "en_thematic_sm", "--no-bundled", "-o", "mine"]
    run(*adapt)
    (folder / "mine" / ".gitattributes").write_text("mine")
    assert "holds .gitattributes beside a pipeline" in run(*adapt, status=1)
    assert (folder / "mine" / ".gitattributes").read_text() == "mine"


def test_a_long_text_in_a_config_is_no_path(folder):
    with claim_outputs(["text " * 100, "\0"], folders=[folder / "new"]):
        pass
