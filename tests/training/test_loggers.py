"""spaCy's loggers, and those of spacy-loggers, by config."""

import io
import sys
from contextlib import redirect_stdout
from types import SimpleNamespace

import pytest
from spacy.training.initialize import init_nlp

from spacy_thematic.training.runner import train
from tests.training.conftest import load_config


def log_with(corpus, output, logger: dict) -> str:
    config = load_config(corpus)
    config["training"]["max_steps"] = 3
    config["training"]["logger"] = logger
    with redirect_stdout(io.StringIO()) as stdout:
        train(init_nlp(config), output)
    return stdout.getvalue()


@pytest.mark.parametrize("progress_bar", [None, "train", "eval"])
def test_the_console_logger_prints_a_line_for_each_evaluation(corpus, tmp_path, progress_bar):
    logger = {
        "@loggers": "spacy.ConsoleLogger.v3", "progress_bar": progress_bar,
        "console_output": True, "output_file": str(tmp_path / "log"),
    }  # fmt: skip
    printed = log_with(corpus, tmp_path, logger)
    assert "LOSS THEMA" in printed
    lines = [line.split() for line in printed.splitlines() if line.strip()]
    assert [line[1] for line in lines[-2:]] == ["0", "3"]


def test_a_lookup_logger_finds_scores_losses_and_the_pipeline(corpus, tmp_path):
    logger = {
        "@loggers": "spacy.LookupLogger.v1",
        "patterns": ["^other_scores.thematic_accuracy", "^losses", "^output_path"],
    }
    printed = log_with(corpus, tmp_path, logger)
    assert printed.count("other_scores.thematic_accuracy -> ") == 2
    assert printed.count("losses.thematic_embedder -> ") == 2
    assert printed.count("output_path -> ") == 1


def test_mlflow_is_told_scores_and_the_best_pipeline(corpus, tmp_path, monkeypatch):
    """With a stand-in for the mlflow package, which the tests do not need."""
    metrics: list[tuple[str, float]] = []
    models: list[str] = []
    mlflow = SimpleNamespace(
        log_artifact=None,
        start_run=lambda **settings: None,
        end_run=lambda: None,
        log_params=lambda parameters: None,
        log_metric=lambda name, value, **step: metrics.append((name, value)),
        log_metrics=lambda values, **step: metrics.extend(values.items()),
        spacy=SimpleNamespace(log_model=lambda nlp, name, **rest: models.append(name)),
    )
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    log_with(corpus, tmp_path, {"@loggers": "spacy.MLflowLogger.v2"})
    assert [name for name, _ in metrics].count("score") == 2
    assert "loss_thematic_embedder" in dict(metrics)
    assert models
