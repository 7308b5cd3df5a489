"""A small corpus, and a training run on it."""

from pathlib import Path

import numpy as np
import pytest
import srsly
from spacy.training.initialize import init_nlp
from thinc.api import Config

from spacy_thematic.training import runner
from spacy_thematic.training.checkpoints import CHECKPOINT
from spacy_thematic.training.runner import load_last, train
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tests.conftest import make_article

MEAN = """
[model]
@architectures = "spacy-thematic.WeightedMean.v1"
[model.embed]
@architectures = "spacy-thematic.LearnedVectors.v1"
width = 16
min_count = 1
"""

BILSTM = """
[model]
@architectures = "spacy-thematic.BiLSTMAttention.v1"
hidden_width = 8
attention_width = 4
dropout = 0.3
[model.embed]
@architectures = "spacy-thematic.LearnedVectors.v1"
width = 8
min_count = 1
"""


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    out = tmp_path_factory.mktemp("data") / "corpus"
    articles = (make_article(number) for number in range(36))
    build_corpus(articles, out, CorpusSettings(shard_size=25, shares=(60, 20, 20)))
    return out


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """A corpus with all sentences."""
    out = tmp_path_factory.mktemp("data") / "whole"
    settings = CorpusSettings(sentences="all", shares=(70, 30, 0))
    build_corpus((make_article(number) for number in range(24)), out, settings)
    return out


def load_config(corpus, model: str = MEAN, **training) -> Config:
    path = Path(__file__).parents[2] / "configs" / "fast.cfg"
    config = Config().from_disk(path, interpolate=False)
    component = config["components"]["thematic_embedder"]
    component.update(Config().from_str(model))
    config["paths"].update(train=str(corpus / "train"), dev=str(corpus / "dev"), vectors=None)
    config["training"].update(max_steps=9, eval_frequency=3, patience=0, **training)
    config["training"]["batcher"]["size"] = 1000
    config["training"]["optimizer"]["learn_rate"] = 0.01
    config["training"]["logger"].update(progress_bar=None)
    return config


def read_log(output) -> list[dict]:
    return list(srsly.read_jsonl(output / "log.jsonl"))


def run(config, output, **kwargs):
    nlp = init_nlp(config)
    return train(nlp, output, **kwargs)


def weights(output, name="model-last") -> bytes:
    return (output / name / "thematic_embedder" / "model").read_bytes()


class Killed(Exception):
    """Ends a run as a kill does: nothing is saved."""


def kill() -> None:
    raise Killed


def run_with_a_kill(make_config, output, moment: int) -> None:
    """A run that is killed before its update of this number, and resumed."""
    with pytest.MonkeyPatch.context() as patch:
        act_before_step(patch, moment, kill)
        with pytest.raises(Killed):
            run(make_config(), output)
    np.random.seed(99)
    if (output / CHECKPOINT).exists():
        nlp = load_last(output, make_config())
        train(nlp, output, resume=True)
    else:
        run(make_config(), output, resume=True)


def act_before_step(monkeypatch, number: int, act) -> None:
    """Make runs call `act` before their update of that number, counted from 1 over all runs."""
    update, steps = runner._Run._update, 0

    def counting_update(self):
        nonlocal steps
        steps += 1
        if steps == number:
            act()
        update(self)

    monkeypatch.setattr(runner._Run, "_update", counting_update)
