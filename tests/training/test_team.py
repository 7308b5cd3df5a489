"""Training by several processes, as torchrun starts them, with Gloo on the CPU."""

import subprocess
import sys
import time

import numpy as np
import pytest
import spacy
import torch
from thinc.api import Linear, Model, PyTorchWrapper

from spacy_thematic.models.row_updates import RowUpdates, add_gradient, get_row_updates
from spacy_thematic.training.checks import TrainingError
from spacy_thematic.training.team import Team
from spacy_thematic.training.weights import copy_weights
from tests.training.conftest import BILSTM, MEAN, load_config, read_log, run


def start(config, output, processes, *options):
    """Start the command by torchrun."""
    path = output.with_suffix(".cfg")
    config.to_disk(path)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", processes, "-m", "spacy_thematic", "train", path]
    command += ["--output", output, *options]
    return subprocess.Popen(list(map(str, command)), text=True, stdout=-1, stderr=-1)


def train_together(config, output, processes, *options):
    process = start(config, output, processes, *options)
    printed, errors = process.communicate(timeout=500)
    assert process.returncode == 0, printed + errors
    return printed


def divided(corpus, model=MEAN):
    config = load_config(corpus, model, accumulate_gradient=2)
    config["training"]["batcher"]["size"] = 300
    return config


def read_weights(output):
    model = spacy.load(output / "model-last").get_pipe("thematic_embedder").model
    return copy_weights({"": model})


def assert_same_runs(output, other):
    logs = [read_log(folder) for folder in (output, other)]
    assert [line["step"] for line in logs[0]] == [line["step"] for line in logs[1]]
    for line, expected in zip(*logs):
        assert line["losses"] == pytest.approx(expected["losses"], rel=1e-5)
        assert line["score"] == pytest.approx(expected["score"], abs=1e-5)
        assert line["words"] == expected["words"]
    weights, expected = read_weights(output), read_weights(other)
    assert weights.keys() == expected.keys()
    for key, values in weights.items():
        assert np.abs(values - expected[key]).max() < 1e-4, key


@pytest.mark.slow
@pytest.mark.parametrize("model", [MEAN, BILSTM])
def test_two_processes_train_as_one_does(corpus, tmp_path, model):
    run(divided(corpus, model), tmp_path / "one")
    printed = train_together(divided(corpus, model), tmp_path / "two", 2)
    assert printed.count("Saved") == 1
    assert_same_runs(tmp_path / "two", tmp_path / "one")
    assert read_log(tmp_path / "one")[-1]["losses"]["thematic_embedder"] > 0


@pytest.mark.slow
def test_a_killed_process_ends_the_run_and_another_number_resumes_it(corpus, tmp_path):
    config = divided(corpus)
    config["training"].update(max_steps=60, eval_frequency=3)
    run(config, tmp_path / "one")
    process = start(config, tmp_path / "two", 2)
    while not (tmp_path / "two" / "checkpoint.msgpack").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    children = subprocess.run(
        ["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True
    )
    subprocess.run(["kill", "-9", children.stdout.split()[-1]], check=True)
    _, errors = process.communicate(timeout=200)
    assert process.returncode != 0
    assert "SIGKILL" in errors
    assert read_log(tmp_path / "two")[-1]["step"] < 60
    train_together(config, tmp_path / "two", 1, "--resume")
    assert_same_runs(tmp_path / "two", tmp_path / "one")


def test_gradients_become_the_mean_over_the_parts():
    table = Model("table", lambda model, X, is_train: (X, lambda d: d), params={"E": None})
    table.set_param("E", np.zeros((4, 2), "f"))
    table.shims.append(RowUpdates(1.0))
    linear, torch_linear = Linear(2, 3), PyTorchWrapper(torch.nn.Linear(3, 1))
    linear.initialize()
    models = {"linear": linear, "torch": torch_linear, "table": table}
    for part in (1, 2):
        linear.set_grad("W", linear.get_param("W") * 0 + 3)
        for parameter in torch_linear.shims[0]._model.parameters():
            parameter.grad = torch.full_like(parameter, 5)
        add_gradient(table, np.array([part]), np.full((1, 2), 7, "f"))
    Team().average(models, 2)
    assert (linear.get_grad("W") == 1.5).all()
    assert not linear.has_grad("b")
    assert all((p.grad == 2.5).all() for p in torch_linear.shims[0]._model.parameters())
    rows = get_row_updates(table).take()
    assert [row.tolist() for row, _ in rows] == [[1], [2]]
    assert all((values == 3.5).all() for _, values in rows)


def test_a_divided_batch_is_learned_from(corpus, tmp_path):
    run(divided(corpus), tmp_path)
    scores = [line["score"] for line in read_log(tmp_path)]
    assert max(scores) > scores[0]


def test_more_processes_than_parts_are_refused(corpus, tmp_path):
    with pytest.raises(TrainingError, match="set --training.accumulate_gradient to a multiple"):
        run(load_config(corpus), tmp_path, team=Team(0, 2))
