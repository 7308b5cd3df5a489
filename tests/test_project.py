"""The workflow itself, on the real dump."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import srsly
from spacy.cli import project_document, project_run

from spacy_thematic.pretrained import list_bundled

ROOT = Path(__file__).parent.parent


def test_the_description_of_the_project_is_up_to_date(tmp_path):
    project_document(ROOT, tmp_path / "PROJECT.md", no_emoji=True)
    assert (tmp_path / "PROJECT.md").read_text() == (ROOT / "PROJECT.md").read_text()


@pytest.mark.slow
def test_the_workflow_runs_through_once_and_then_does_nothing(tmp_path, capsys):
    for name in ("project.yml", "configs", "assets"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    train_for_four_epochs(tmp_path / "configs" / "fast.cfg")
    adapt_alone(tmp_path / "project.yml")
    # The smaller model is adapted faster.
    small = ["--vars.start", "en_thematic_sm"]
    command = [sys.executable, "-m", "spacy", "project", "run", "all", ".", *small]
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
    project_run(tmp_path, "all", overrides={"vars.start": "en_thematic_sm"})
    again = capsys.readouterr().out
    assert again.count("Skipping") == 6
    assert "Running command" not in again
    project_run(tmp_path, "package", capture=True)
    assert list(tmp_path.glob("packages/*/dist/*.tar.gz"))
    project_run(tmp_path, "clean", capture=True)
    left = {path.name for path in tmp_path.iterdir()} - {"project.lock"}
    assert left == {"project.yml", "configs", "assets"}


def train_for_four_epochs(config: Path) -> None:
    """All that is shown of training here is that it is part of the workflow."""
    whole = config.read_text()
    assert "max_epochs = 20" in whole
    config.write_text(whole.replace("max_epochs = 20", "max_epochs = 4"))


def adapt_alone(project: Path) -> None:
    """What the bundled models score beside the adapted one takes minutes, and is tested with it."""
    whole = project.read_text()
    adapt = "--output adapted "
    assert whole.count(adapt) == 1
    project.write_text(whole.replace(adapt, f"{adapt}--no-bundled "))
