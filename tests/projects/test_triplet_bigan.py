"""The recipe configs/triplet_bigan.cfg on a small corpus."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from thinc.api import Config

from spacy_thematic.training.objective import TrainingError
from tests.conftest import assert_same_rows, encoder_bytes
from tests.training.conftest import run, run_with_a_kill, weights
from triplet_bigan import GameError

CONFIG = Path(__file__).parents[2] / "projects/papers/configs/triplet_bigan.cfg"
STEPS = 9


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
    config["training"].update(max_steps=STEPS, eval_frequency=3, frozen_components=[])
    config["objectives"]["bigan"].update(batch_size=32, hidden_width=16, **game)
    config["objectives"]["structure"]["from_step"] = 3
    config["training"]["batcher"]["size"] = 1000
    config["training"]["logger"].update(progress_bar=None)
    return config


def read_checkpoint(output):
    return srsly.msgpack_loads((output / "checkpoint.msgpack").read_bytes())


def test_the_recipe_learns_logs_and_gives_an_ordinary_embedder(corpus, tmp_path):
    config = load_config(corpus, bundled=True)
    config["training"].update(max_steps=60, eval_frequency=30)
    config["training"]["optimizer"]["learn_rate"] = 0.002
    outcome = run(config, tmp_path)
    lines = list(srsly.read_jsonl(tmp_path / "log.jsonl"))
    assert outcome.progress.best_score > lines[0]["score"]
    assert outcome.progress.best_score > 0.95
    scores = lines[-1]["other_scores"]
    assert scores["bigan_L_D"] > 0
    assert scores["bigan_L_EG"] > 0
    assert 0 <= scores["bigan_D_accuracy"] <= 1
    assert lines[-1]["losses"]["thematic_embedder"] > 0
    best = spacy.load(tmp_path / "model-best")
    text = "The river meets the coast. A bank pays tax. The island has a lake."
    doc = best(text)
    first, second, third = doc.sents
    assert first._.thematic_similarity(third) > first._.thematic_similarity(second)
    assert doc._.thematic_vectors.shape == (3, 8)
    clone = spacy.util.load_model_from_config(best.config)
    clone.from_bytes(best.to_bytes())
    assert encoder_bytes(clone) == encoder_bytes(best)
    assert_same_rows(clone(text)._.thematic_vectors, doc._.thematic_vectors)


def test_each_player_is_updated_once_a_step(corpus, tmp_path):
    run(load_config(corpus), tmp_path)
    updates = read_checkpoint(tmp_path)["optimizer"]["nr_update"]
    players = ("bigan.generator", "bigan.discriminator", "thematic_embedder")
    found = {name: {n for key, n in updates.items() if key.startswith(name)} for name in players}
    assert found == {name: {STEPS} for name in players}


def test_triplets_have_no_part_in_pretraining(corpus, tmp_path):
    outputs = []
    for number, loss in enumerate(("TripletNLL", "TripletMargin")):
        config = load_config(corpus)
        config["training"].update(max_steps=0, max_epochs=1)
        config["objectives"]["structure"]["from_step"] = 10_000
        config["components"]["thematic_embedder"]["loss"]["@losses"] = f"spacy-thematic.{loss}.v1"
        run(config, tmp_path / str(number))
        outputs.append(weights(tmp_path / str(number)))
    assert outputs[0] == outputs[1]


def test_the_weight_of_triplets_counts(corpus, tmp_path):
    outputs = []
    for weight in (3.0, 1.0):
        config = load_config(corpus)
        config["objectives"]["structure"]["weight"] = weight
        run(config, tmp_path / str(weight))
        outputs.append(weights(tmp_path / str(weight)))
    assert outputs[0] != outputs[1]


@pytest.mark.parametrize("moment", [2, 5])
def test_a_killed_run_resumes_to_the_same_bytes(corpus, tmp_path, moment):
    def config():
        settings = load_config(corpus)
        settings["components"]["thematic_embedder"]["model"]["stochastic"] = True
        return settings

    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    run(config(), undisturbed)
    run_with_a_kill(config, killed, moment)
    assert weights(killed) == weights(undisturbed)
    first, second = map(read_checkpoint, (killed, undisturbed))
    assert set(first["weights"]) == {"thematic_embedder", "bigan.generator", "bigan.discriminator"}
    for key in ("weights", "orders"):
        assert first[key] == second[key]
    moments = first["optimizer"]["mom1"], second["optimizer"]["mom1"]
    assert moments[0].keys() == moments[1].keys()
    assert all(np.array_equal(moments[0][key], moments[1][key]) for key in moments[0])


def test_a_game_that_breaks_down_ends_the_run(corpus, tmp_path):
    config = load_config(corpus, spectral_normalization=False)
    # Beyond what float32 holds after two layers, on any processor.
    config["training"]["optimizer"]["learn_rate"] = 1e30
    with pytest.raises(TrainingError, match="L_D is") as error:
        run(config, tmp_path)
    # Where a command has read the same code with --code, the class is another of this name.
    assert type(error.value).__name__ == GameError.__name__
    spacy.load(tmp_path / "model-best")


@pytest.mark.parametrize(
    ("objective", "setting", "value", "message"),
    [
        ("bigan", "batch_size", 1, "batch_size of TripletBiGAN to be at least 2, found 1"),
        ("bigan", "weight", -1.0, "weight of TripletBiGAN to be above 0, found -1.0"),
        ("structure", "weight", -1.0, "weight of SectionStructure to be above 0, found -1.0"),
        ("bigan", "batch_size", "many", "'many' is not <class 'int'>|not a valid integer"),
    ],
)
def test_odd_settings_are_refused(corpus, tmp_path, objective, setting, value, message):
    config = load_config(corpus)
    config["objectives"][objective][setting] = value
    with pytest.raises(ValueError, match=message):
        run(config, tmp_path)


def test_too_little_text_is_refused(corpus, tmp_path):
    config = load_config(corpus)
    config["objectives"]["bigan"]["batch_size"] = 100_000
    with pytest.raises(TrainingError, match="fewer than a batch of 100000"):
        run(config, tmp_path)


def test_other_encoders_are_refused(corpus, tmp_path):
    config = load_config(corpus)
    component = config["components"]["thematic_embedder"]
    component["model"] = component["model"]["base"]
    with pytest.raises(TrainingError, match=r"BiGANEncoder.v1, but .* is \"weighted_mean\""):
        run(config, tmp_path)


def test_a_second_embedder_is_refused(corpus, tmp_path):
    config = load_config(corpus)
    config["components"]["other"] = config["components"]["thematic_embedder"].copy()
    config["nlp"]["pipeline"].append("other")
    with pytest.raises(TrainingError, match="found thematic_embedder, other"):
        run(config, tmp_path)


def test_text_without_sections_is_read_too(corpus, tmp_path):
    (tmp_path / "loose.txt").write_text("The river is long. It has a delta.\n" * 40)
    config = load_config(corpus)
    config["objectives"]["bigan"].update(batch_size=81)
    config["objectives"]["bigan"]["unlabelled"] = {
        "@readers": "spacy.PlainTextCorpus.v1", "path": str(tmp_path / "loose.txt"),
        "min_length": 0, "max_length": 0,
    }  # fmt: skip
    with pytest.raises(TrainingError, match="have 80 sentences, fewer than a batch of 81"):
        run(config, tmp_path / "out")
    config["objectives"]["bigan"]["batch_size"] = 40
    run(config, tmp_path / "out")
    # Two batches are an epoch.
    assert read_checkpoint(tmp_path / "out")["orders"]["bigan"] == [4, 1]
