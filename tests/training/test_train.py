"""`spacy_thematic.train`, which does what `thematic train` does."""

from pathlib import Path

import pytest
import spacy

import spacy_thematic
from spacy_thematic.training.train import read_config
from tests.training.conftest import load_config

EMBEDDER = "components.thematic_embedder"
OVERRIDES = {"training.max_steps": 2, "training.eval_frequency": 1}


@pytest.fixture
def config(corpus, tmp_path):
    load_config(corpus).to_disk(tmp_path / "tiny.cfg")
    return tmp_path / "tiny.cfg"


@pytest.mark.parametrize("read", [Path, spacy.util.load_config])
def test_training_returns_how_far_it_came_and_goes_on_from_there(config, tmp_path, read):
    out, config = tmp_path / "out", read(config)
    outcome = spacy_thematic.train(config, out, overrides=OVERRIDES)
    assert outcome.progress.step == 2 and not outcome.interrupted
    assert "thematic_embedder" in spacy.load(out / "model-last").pipe_names
    longer = {**OVERRIDES, "training.max_steps": 3}
    assert spacy_thematic.train(config, out, overrides=longer, resume=True).progress.step == 3


@pytest.mark.parametrize("read", [Path, spacy.util.load_config])
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("training.max_stepz", 1, "max_stepz"),
        (f"{EMBEDDER}.pretrained", "en_thematic_sm", "has a model.*configs/finetune.cfg"),
    ],
)
def test_wrong_configs_and_settings_are_named(config, tmp_path, read, name, value, message):
    with pytest.raises(ValueError, match="There is no config at"):
        spacy_thematic.train(tmp_path / "none.cfg", tmp_path / "out")
    with pytest.raises(ValueError, match=message):
        spacy_thematic.train(read(config), tmp_path / "out", overrides={name: value})
    assert not (tmp_path / "out").exists()


def test_a_config_with_a_model_and_a_trained_one_is_refused_but_for_the_default(config):
    settings = spacy.util.load_config(config)
    block = settings["components"]["thematic_embedder"]
    for name in ("en_thematic_sm", None):
        block["pretrained"] = name
        assert read_config(settings)["components"]["thematic_embedder"] == block
    block["pretrained"] = "training/model-best"
    with pytest.raises(ValueError, match="pretrained = training/model-best"):
        read_config(settings)


@pytest.mark.parametrize(
    ("name", "value"), [("model.embed.width", 8), ("loss.temperature", 0.9), ("model.depth", 2)]
)
def test_a_run_is_not_resumed_with_components_of_other_settings(config, tmp_path, name, value):
    spacy_thematic.train(config, tmp_path, overrides=OVERRIDES)
    other = {**OVERRIDES, f"{EMBEDDER}.{name}": value}
    with pytest.raises(ValueError, match=rf"other values of {EMBEDDER}\.{name}: "):
        spacy_thematic.train(config, tmp_path, overrides=other, resume=True)
