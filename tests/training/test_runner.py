import io
import os
import signal
from functools import partial

import numpy as np
import pytest
import spacy
import srsly
from spacy.training.initialize import init_nlp

from spacy_thematic.training import runner
from spacy_thematic.training.runner import TrainingError, load_last, train
from tests.training.conftest import (
    BILSTM,
    MEAN,
    act_before_step,
    load_config,
    run,
    run_with_a_kill,
    weights,
)


@pytest.mark.parametrize("model", [MEAN, BILSTM])
def test_training_learns_and_writes_pipelines(corpus, tmp_path, model):
    config = load_config(corpus, model)
    config["training"]["max_steps"] = 30
    outcome = run(config, tmp_path)
    assert outcome.progress.step == 30
    lines = list(srsly.read_jsonl(tmp_path / "log.jsonl"))
    assert [line["step"] for line in lines] == [*range(0, 31, 3)]
    accuracies = [line["other_scores"]["thematic_accuracy"] for line in lines]
    assert max(accuracies) == pytest.approx(outcome.progress.best_score)
    assert max(accuracies) > accuracies[0]
    assert max(accuracies) > 0.9
    best = spacy.load(tmp_path / "model-best")
    assert best.meta["performance"]["thematic_accuracy"] == pytest.approx(max(accuracies))
    totals = srsly.read_json(corpus / "statistics.json")["train"]
    size = {"articles": totals["articles"], "triplets": totals["triplets"], "seed": 0}
    assert best.meta["thematic"] == [{**size, "updates": outcome.progress.best_step}]
    last = srsly.read_json(tmp_path / "model-last" / "meta.json")
    assert last["thematic"] == [{**size, "updates": 30}]
    doc = best("The river meets the coast. A bank pays tax. The island has a lake.")
    first, second, third = doc.sents
    assert first._.thematic_similarity(third) > first._.thematic_similarity(second)
    assert len(doc._.thematic_clusters) >= 1


@pytest.fixture(scope="module", params=[MEAN, BILSTM], ids=["mean", "bilstm"])
def undisturbed(request, corpus, tmp_path_factory):
    """A config as a function, and the output of a run of it."""
    output = tmp_path_factory.mktemp("undisturbed")
    make_config = partial(load_config, corpus, request.param)
    run(make_config(), output)
    return make_config, output


def test_the_same_seed_gives_the_same_bytes(undisturbed, tmp_path):
    make_config, first = undisturbed
    run(make_config(), tmp_path / "second")
    assert weights(tmp_path / "second") == weights(first)
    config = make_config()
    config["system"]["seed"] = 1
    run(config, tmp_path / "other")
    assert weights(tmp_path / "other") != weights(first)


@pytest.mark.parametrize("moment", [4, 6, 8])
def test_a_killed_run_resumes_to_the_same_weights(undisturbed, tmp_path, moment):
    make_config, output = undisturbed
    run_with_a_kill(make_config, tmp_path, moment)
    assert weights(tmp_path) == weights(output)
    assert weights(tmp_path, "model-best") == weights(output, "model-best")
    logs = [srsly.read_jsonl(folder / "log.jsonl") for folder in (tmp_path, output)]
    assert [line["other_scores"] for line in logs[0]] == [line["other_scores"] for line in logs[1]]


def test_ctrl_c_saves_and_ends_in_order(corpus, tmp_path, monkeypatch):
    act_before_step(monkeypatch, 5, lambda: os.kill(os.getpid(), signal.SIGINT))
    outcome = run(load_config(corpus), tmp_path)
    assert outcome.interrupted
    assert outcome.progress.step == 5
    spacy.load(tmp_path / "model-last")
    monkeypatch.undo()
    nlp = load_last(tmp_path, load_config(corpus))
    train(nlp, tmp_path, resume=True)
    run(load_config(corpus), tmp_path / "undisturbed")
    assert weights(tmp_path) == weights(tmp_path / "undisturbed")


def test_patience_stops_and_the_best_weights_are_kept(corpus, tmp_path):
    config = load_config(corpus)
    config["training"].update(max_steps=0, max_epochs=0, patience=6)
    config["training"]["optimizer"]["learn_rate"] = 0.0
    outcome = run(config, tmp_path)
    assert outcome.progress.best_step == 0
    assert outcome.progress.step == 6


def test_a_better_score_when_patience_ends_goes_on(corpus, tmp_path):
    config = load_config(corpus)
    config["training"].update(max_steps=9, eval_frequency=3, patience=3)
    config["training"]["optimizer"]["learn_rate"] = 0.01
    outcome = run(config, tmp_path)
    first, second, *_ = srsly.read_jsonl(tmp_path / "log.jsonl")
    assert second["score"] > first["score"]
    assert outcome.progress.step > 3


def test_patience_ends_with_an_evaluation(corpus, tmp_path):
    config = load_config(corpus)
    config["training"].update(max_steps=0, max_epochs=0, eval_frequency=3, patience=4)
    config["training"]["optimizer"]["learn_rate"] = 0.0
    outcome = run(config, tmp_path)
    assert [line["step"] for line in srsly.read_jsonl(tmp_path / "log.jsonl")] == [0, 3, 6]
    assert outcome.progress.step == 6


def test_evaluations_and_patience_count_in_passes(corpus, tmp_path):
    config = load_config(corpus)
    config["training"].update(max_steps=0, max_epochs=0)
    config["training"]["batcher"]["size"] = 300
    config["training"]["optimizer"]["learn_rate"] = 0.0
    config["passes"] = {"evaluations": 2, "patience": 1.5}
    outcome = run(config, tmp_path)
    steps = [line["step"] for line in srsly.read_jsonl(tmp_path / "log.jsonl")]
    (every,) = set(np.diff(steps))
    assert every > 1
    assert outcome.progress.step == 3 * every
    assert outcome.progress.epoch == 1


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"evaluation": 2}, r"\[passes\] block .*\"evaluation\": .* settings are evaluations, pat"),
        ({"evaluations": 0}, r"\[passes\] block .*\"evaluations\": .* greater than 0"),
    ],
)
def test_bad_passes_are_named(corpus, tmp_path, block, message):
    config = load_config(corpus)
    config["passes"] = block
    with pytest.raises(TrainingError, match=message):
        run(config, tmp_path)


def test_collapse_is_noticed_and_the_best_pipeline_stays(corpus, tmp_path, monkeypatch):
    update = runner._Run._update

    def collapse(self):
        update(self)
        embed = self.nlp.get_pipe("thematic_embedder").model.layers[0]
        embed.set_param("E", np.ones_like(embed.get_param("E")))

    monkeypatch.setattr(runner._Run, "_update", collapse)
    with pytest.raises(TrainingError, match="collapsed to one point at step 3"):
        run(load_config(corpus), tmp_path)
    spacy.load(tmp_path / "model-best")


def test_a_pipeline_without_embedder_is_refused(corpus, tmp_path):
    config = load_config(corpus)
    config["training"]["frozen_components"] = ["thematic_embedder"]
    nlp = init_nlp(load_config(corpus))
    nlp.config = nlp.config.merge(config)
    with pytest.raises(TrainingError, match="no thematic_embedder to train"):
        train(nlp, tmp_path)


@pytest.mark.parametrize("name", ["thematic_ami", "sents_f"])
def test_weights_of_scores_that_are_not_measured_are_refused(corpus, tmp_path, name):
    config = load_config(corpus)
    config["training"]["score_weights"][name] = 0.5
    with pytest.raises(TrainingError, match=f"weights for {name}, and measured are .*spacy train"):
        run(config, tmp_path)


def test_a_foreign_checkpoint_is_refused(corpus, tmp_path):
    (tmp_path / "checkpoint.msgpack").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"checkpoint.msgpack is not a checkpoint"):
        run(load_config(corpus), tmp_path, resume=True)


def test_spacys_own_training_works_too(corpus, tmp_path):
    from spacy.training.loop import train as spacy_train

    config = load_config(corpus)
    config["training"]["eval_frequency"] = 9
    nlp = init_nlp(config)
    spacy_train(nlp, tmp_path, stdout=io.StringIO(), stderr=io.StringIO())
    trained = spacy.load(tmp_path / "model-best")
    assert trained.meta["performance"]["thematic_accuracy"] > 0.8
