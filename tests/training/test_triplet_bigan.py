"""The recipe configs/triplet_bigan.cfg on a small corpus."""

import io
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from spacy.training.initialize import init_nlp
from spacy.util import registry
from thinc.api import Config

from spacy_thematic.bigan.watch import GameError
from spacy_thematic.training import loop
from spacy_thematic.training.loop import load_last
from tests.training.conftest import Killed, act_before_step, kill, run, weights

CONFIG = Path(__file__).parents[2] / "configs" / "triplet_bigan.cfg"


BASE = """
[base]
@architectures = "spacy-thematic.WeightedMean.v1"
[base.embed]
@architectures = "spacy-thematic.LearnedVectors.v1"
width = 16
min_count = 1
"""


def load_config(corpus, bundled: bool = False, **game) -> Config:
    config = Config().from_disk(CONFIG, interpolate=False)
    config["paths"].update(
        train=str(corpus / "train"), dev=str(corpus / "dev"), unlabelled=str(corpus / "train")
    )
    config["nlp"]["pipeline"].remove("thematic_clusterer")
    del config["components"]["thematic_clusterer"]
    model = config["components"]["thematic_embedder"]["model"]
    model.update(width=8, hidden_width=16, depth=1)
    if not bundled:
        model["base"] = Config().from_str(BASE)["base"]
    config["training"].update(max_steps=9, eval_frequency=3, frozen_components=[])
    config["training"]["before_update"].update(
        batch_size=32, hidden_width=16, pretraining_steps=3, **game
    )
    config["training"]["batcher"]["size"] = 1000
    config["training"]["logger"].update(progress_bar=None)
    return config


def test_the_recipe_learns_logs_and_gives_an_ordinary_embedder(corpus, tmp_path):
    config = load_config(corpus, bundled=True)
    config["training"].update(max_steps=60, eval_frequency=30)
    config["training"]["optimizer"]["learn_rate"] = 0.002
    outcome = run(config, tmp_path)
    lines = list(srsly.read_jsonl(tmp_path / "log.jsonl"))
    assert outcome.progress.best_score > lines[0]["score"]
    assert outcome.progress.best_score > 0.95
    scores = lines[-1]["other_scores"]
    assert scores["L_D"] > 0
    assert scores["L_EG"] > 0
    assert 0 <= scores["D_accuracy"] <= 1
    assert lines[-1]["losses"]["thematic_embedder"] > 0
    best = spacy.load(tmp_path / "model-best")
    text = "The river meets the coast. A bank pays tax. The island has a lake."
    doc = best(text)
    first, second, third = doc.sents
    assert first._.thematic_similarity(third) > first._.thematic_similarity(second)
    assert doc._.thematic_vectors.shape == (3, 8)
    clone = spacy.util.load_model_from_config(best.config)
    clone.from_bytes(best.to_bytes())
    assert np.array_equal(clone(text)._.thematic_vectors, doc._.thematic_vectors)


def test_triplets_have_no_part_in_pretraining(corpus, tmp_path):
    outputs = []
    for number, loss in enumerate(("TripletNLL", "TripletMargin")):
        config = load_config(corpus)
        config["training"]["before_update"]["pretraining_steps"] = 9
        config["components"]["thematic_embedder"]["loss"]["@losses"] = f"spacy-thematic.{loss}.v1"
        run(config, tmp_path / str(number))
        outputs.append(spacy.load(tmp_path / str(number) / "model-last"))
    first, second = (nlp("The river meets the coast.")._.thematic_vectors for nlp in outputs)
    assert np.array_equal(first, second)


@pytest.mark.parametrize("moment", [2, 5])
def test_a_killed_run_resumes_to_the_same_bytes(corpus, tmp_path, moment, monkeypatch):
    def config():
        settings = load_config(corpus, instance_noise=0.1)
        settings["components"]["thematic_embedder"]["model"]["stochastic"] = True
        return settings

    run(config(), tmp_path / "undisturbed")
    act_before_step(monkeypatch, moment, kill)
    with pytest.raises(Killed):
        run(config(), tmp_path / "killed")
    monkeypatch.undo()
    killed = tmp_path / "killed"
    if (killed / "checkpoint.msgpack").exists():
        nlp = load_last(killed, config())
        loop.train(nlp, killed, resume=True, stdout=io.StringIO(), stderr=io.StringIO())
    else:
        run(config(), killed, resume=True)
    assert weights(killed) == weights(tmp_path / "undisturbed")
    checkpoints = [p / "checkpoint.msgpack" for p in (killed, tmp_path / "undisturbed")]
    first, second = (srsly.msgpack_loads(p.read_bytes())["weights"] for p in checkpoints)
    assert first == second


def test_a_game_that_breaks_down_ends_the_run(corpus, tmp_path):
    config = load_config(corpus, window=4, gradient_penalty=1e6)
    config["training"]["optimizer"]["learn_rate"] = 0.05
    config["training"]["max_steps"] = 200
    with pytest.raises(GameError):
        run(config, tmp_path)
    spacy.load(tmp_path / "model-best")


@pytest.mark.parametrize(("setting", "value"), [("batch_size", 0), ("triplet_weight", -1.0)])
def test_odd_settings_are_refused(setting, value, corpus, tmp_path):
    config = load_config(corpus)
    config["training"]["before_update"][setting] = value
    with pytest.raises(ValueError, match="batch_size .* at least 2 and triplet_weight at least 0"):
        run(config, tmp_path)


def test_other_encoders_and_little_text_are_refused(corpus, tmp_path):
    config = load_config(corpus)
    config["training"]["before_update"]["batch_size"] = 100_000
    with pytest.raises(ValueError, match="fewer than a batch of 100000"):
        run(config, tmp_path)
    config = load_config(corpus)
    config["components"]["thematic_embedder"]["model"] = config["components"]["thematic_embedder"][
        "model"
    ]["base"]
    with pytest.raises(ValueError, match=r"trains a spacy-thematic.BiGANEncoder.v1"):
        run(config, tmp_path)


def test_text_without_sections_is_read_too(corpus, tmp_path):
    (tmp_path / "loose.txt").write_text("The river is long. It has a delta.\n" * 40)
    config = load_config(corpus)
    config["training"]["before_update"]["unlabelled"] = {
        "@readers": "spacy.PlainTextCorpus.v1", "path": str(tmp_path / "loose.txt"),
        "min_length": 0, "max_length": 0,
    }  # fmt: skip
    nlp = init_nlp(config)
    training = nlp.config.interpolate()["training"]
    game = registry.resolve({"game": training["before_update"]})["game"]
    game.start(nlp, registry.resolve({"optimizer": training["optimizer"]})["optimizer"])
    assert game.features.shape == (80, 16)
