"""The projects: their descriptions, what their commands name, and the demonstration on the real
dump."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import srsly
from spacy.cli import project_document, project_run
from thinc.api import Config
from weasel.util.config import load_project_config

from spacy_thematic.pretrained import list_bundled

ROOT = Path(__file__).parent.parent
PROJECTS = {ROOT: "PROJECT.md", **dict.fromkeys(sorted(ROOT.glob("projects/*")), "README.md")}
by_project = pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)


@by_project
def test_the_description_of_a_project_is_up_to_date(folder, tmp_path):
    text = (folder / PROJECTS[folder]).read_text()
    (tmp_path / "README.md").write_text(text)
    project_document(folder, tmp_path / "README.md", no_emoji=True)
    assert (tmp_path / "README.md").read_text() == text


@by_project
def test_a_project_has_the_settings_that_its_commands_use(folder):
    text = (folder / "project.yml").read_text()
    assert set(srsly.yaml_loads(text)["vars"]) == set(re.findall(r"\$\{vars\.(\w+)\}", text))


@by_project
def test_the_scripts_and_recipes_that_a_project_names_exist(folder):
    project = load_project_config(folder)
    for command in project["commands"]:
        for line in (*command["script"], *command.get("deps", ())):
            for path in re.findall(r"[\w/.]*(?:scripts|configs)/[\w.]+", line):
                assert (folder / path).is_file(), path


@pytest.mark.parametrize("recipe", sorted((ROOT / "projects/pretrain/configs").glob("*.cfg")))
def test_what_a_recipe_reads_is_made_in_the_project(recipe):
    paths = Config().from_disk(recipe, interpolate=False).get("paths", {})
    made = (ROOT / "projects/pretrain/project.yml").read_text()
    for path in paths.values():
        assert path is None or path.startswith("package:") or f" {path.split('/')[0]}" in made


@pytest.mark.parametrize("name", ["papers", "pretrain"])
def test_clean_removes_what_the_commands_make(name, tmp_path):
    shutil.copy(ROOT / "projects" / name / "project.yml", tmp_path)
    kept = tmp_path / "assets" / "kept.zip"
    kept.parent.mkdir()
    kept.touch()
    for command in load_project_config(tmp_path)["commands"]:
        for output in map(tmp_path.joinpath, command.get("outputs", ())):
            if output.suffix:
                output.parent.mkdir(parents=True, exist_ok=True)
                output.touch()
            else:
                output.mkdir(parents=True)
    project_run(tmp_path, "clean", capture=True)
    assert {path for path in tmp_path.rglob("*") if path.name != "project.lock"} == {
        tmp_path / "project.yml", kept.parent, kept
    }  # fmt: skip


@pytest.mark.slow
def test_the_workflow_runs_through_once_and_then_does_nothing(tmp_path, capsys):
    for name in ("project.yml", "configs", "assets"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    command = [sys.executable, "-m", "spacy", "project", "run", "all"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    statistics = srsly.read_json(tmp_path / "corpus" / "statistics.json")
    splits = [statistics[split] for split in ("train", "dev", "test")]
    assert sum(split["articles"] for split in splits) >= 60
    assert sum(split["triplets"] for split in splits) >= 12_000
    metrics = srsly.read_json(tmp_path / "metrics" / "metrics.json")
    others = [*list_bundled("en", slow=True), "mean_vectors", "random"]
    assert list(metrics["models"]) == ["thematic_embedder", *others]
    assert "Too few to say which model to use" in metrics["verdict"]
    assert metrics["models"]["thematic_embedder"]["thematic_accuracy"] > 0.6
    assert "documents have sections to compare" in done.stdout
    assert (tmp_path / "adapted" / "config.cfg").is_file()
    assert (tmp_path / "report" / "report.html").read_text().count('class="sentence') >= 100
    project_run(tmp_path, "all")
    again = capsys.readouterr().out
    assert again.count("Skipping") == 5
    assert "Running command" not in again
    project_run(tmp_path, "package", capture=True)
    assert list(tmp_path.glob("packages/*/dist/*.tar.gz"))
    project_run(tmp_path, "clean", capture=True)
    left = {path.name for path in tmp_path.iterdir()} - {"project.lock"}
    assert left == {"project.yml", "configs", "assets"}
