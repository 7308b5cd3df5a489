"""`spacy_thematic.train`, which does what `thematic train` does."""

import pytest
import spacy

import spacy_thematic
from tests.training.conftest import load_config

OVERRIDES = {"training.max_steps": 2, "training.eval_frequency": 1}


@pytest.fixture
def config(corpus, tmp_path):
    load_config(corpus).to_disk(tmp_path / "tiny.cfg")
    return tmp_path / "tiny.cfg"


def test_training_returns_how_far_it_came_and_goes_on_from_there(config, tmp_path):
    out = tmp_path / "out"
    outcome = spacy_thematic.train(config, out, overrides=OVERRIDES)
    assert outcome.progress.step == 2 and not outcome.interrupted
    assert "thematic_embedder" in spacy.load(out / "model-last").pipe_names
    longer = {**OVERRIDES, "training.max_steps": 3}
    assert spacy_thematic.train(config, out, overrides=longer, resume=True).progress.step == 3


def test_wrong_configs_and_settings_are_named(config, tmp_path):
    with pytest.raises(ValueError, match="There is no config at"):
        spacy_thematic.train(tmp_path / "none.cfg", tmp_path / "out")
    with pytest.raises(ValueError, match="max_stepz"):
        spacy_thematic.train(config, tmp_path / "out", overrides={"training.max_stepz": 1})
    assert not (tmp_path / "out").exists()
