"""spaCy's own commands with our component."""

import pytest
import spacy
from spacy.cli._util import app
from spacy.tokens import DocBin
from thinc.api import Config
from typer.testing import CliRunner

from tests.training.conftest import load_config, run


def call(*args) -> str:
    done = CliRunner().invoke(app, list(map(str, args)))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


@pytest.fixture(scope="module")
def path(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "config.cfg"
    load_config(corpus).to_disk(path)
    return path


def test_fill_config_adds_the_defaults_and_debug_config_has_no_complaint(path, tmp_path):
    config = Config().from_disk(path, interpolate=False)
    config["components"]["thematic_embedder"] = {"factory": "thematic_embedder"}
    config.to_disk(tmp_path / "partial.cfg")
    call("init", "fill-config", tmp_path / "partial.cfg", tmp_path / "full.cfg")
    filled = Config().from_disk(tmp_path / "full.cfg")["components"]["thematic_embedder"]
    assert {"model", "loss", "get_sentences", "scorer"} <= set(filled)
    call("debug", "config", tmp_path / "full.cfg")


def test_train_then_source_in_an_assembled_pipeline(path, tmp_path):
    call("train", path, "--output", tmp_path / "trained", "--training.max_steps", 3)
    trained = tmp_path / "trained" / "model-last"
    config = spacy.blank("en").config
    config["nlp"]["pipeline"] = ["sentencizer", "thematic_embedder"]
    config["components"] = {
        "sentencizer": {"factory": "sentencizer"},
        "thematic_embedder": {"source": str(trained)},
    }
    config.to_disk(tmp_path / "assemble.cfg")
    call("assemble", tmp_path / "assemble.cfg", tmp_path / "assembled")
    text = "The river meets the coast. A bank pays tax."
    vectors = [
        spacy.load(folder)(text)._.thematic_vectors.tobytes()
        for folder in (trained, tmp_path / "assembled")
    ]
    assert vectors[0] == vectors[1]


def test_a_sourced_embedder_is_trained_further(corpus, tmp_path):
    run(load_config(corpus), tmp_path / "first")
    config = load_config(corpus)
    source = {"source": str(tmp_path / "first" / "model-last")}
    config["components"]["thematic_embedder"] = source
    config["initialize"]["before_init"] = None
    outcome = run(config, tmp_path / "second")
    assert outcome.progress.step == 9


def test_other_components_are_trained_beside_a_trained_embedder(tmp_path):
    nlp = spacy.blank("en")
    texts = ["The river floods. It is deep.", "A bank pays tax. It has a loan."] * 4
    docs = [nlp.make_doc(text) for text in texts]
    for number, doc in enumerate(docs):
        doc.cats = {"A": float(number % 2), "B": 1.0 - number % 2}
    DocBin(docs=docs).to_disk(tmp_path / "cats.spacy")
    for name in ("sentencizer", "thematic_embedder", "thematic_clusterer", "textcat"):
        nlp.add_pipe(name)
    nlp.config.to_disk(tmp_path / "config.cfg")
    call(
        *("train", tmp_path / "config.cfg", "--output", tmp_path / "out"),
        *("--paths.train", tmp_path / "cats.spacy", "--paths.dev", tmp_path / "cats.spacy"),
        *("--training.max_steps", 2, "--training.eval_frequency", 1),
        *("--training.annotating_components", '["sentencizer", "thematic_embedder"]'),
    )
    scores = spacy.load(tmp_path / "out" / "model-last").meta["performance"]
    assert scores["thematic_embedder_loss"] == 0.0
    assert scores["cats_score"] > 0
