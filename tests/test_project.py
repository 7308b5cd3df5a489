"""The workflow itself, on the real dump."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import srsly

ROOT = Path(__file__).parent.parent


def run(folder: Path, *args: str) -> str:
    command = [sys.executable, "-m", "spacy", "project", "run", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_description_of_the_project_is_up_to_date(tmp_path):
    command = [sys.executable, "-m", "spacy", "project", "document", "--no-emoji", "--output"]
    subprocess.run([*command, str(tmp_path / "PROJECT.md")], cwd=ROOT, check=True)
    assert (tmp_path / "PROJECT.md").read_text() == (ROOT / "PROJECT.md").read_text()


@pytest.mark.slow
def test_the_workflow_runs_through_once_and_then_does_nothing(tmp_path):
    for name in ("project.yml", "configs", "assets"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    run(tmp_path, "all")
    statistics = srsly.read_json(tmp_path / "corpus" / "statistics.json")
    splits = [statistics[split] for split in ("train", "dev", "test")]
    assert sum(split["articles"] for split in splits) >= 60
    assert sum(split["triplets"] for split in splits) >= 12_000
    metrics = srsly.read_json(tmp_path / "metrics" / "metrics.json")
    assert set(metrics["models"]) == {"thematic_embedder", "mean_vectors", "random"}
    assert metrics["models"]["thematic_embedder"]["thematic_accuracy"] > 0.6
    assert (tmp_path / "report" / "report.html").read_text().count('class="sentence') >= 100
    again = run(tmp_path, "all")
    assert again.count("Skipping") == 5
    assert "Running command" not in again
    run(tmp_path, "package")
    assert list(tmp_path.glob("packages/*/dist/*.tar.gz"))
    run(tmp_path, "clean")
    left = {path.name for path in tmp_path.iterdir()} - {"project.lock"}
    assert left == {"project.yml", "configs", "assets"}
