"""Several objectives with weights, and averaged weights: how the bundled models learn."""

from functools import partial

import numpy as np
import pytest
import spacy
import srsly
from spacy.training.initialize import init_nlp
from thinc.api import Config

from distillation import HEADER, ROWS, VECTORS, TaughtSentences, match_cosines, match_relations
from spacy_thematic.training.objective import TrainingError
from spacy_thematic.training.settings import check_training_settings, resolve_settings
from spacy_thematic.triplets.compiled import open_compiled
from tests.training.conftest import (
    BILSTM,
    MEAN,
    load_config,
    run,
    run_with_a_kill,
    weights,
)

WIDTH = 12
BLOCKS = """
[objectives]

[objectives.structure]
@misc = "pretrain.SampledSections.v1"
weight = 0.5
from_step = 2
n_articles = 4
token_dropout = 0.1

[objectives.structure.sampling]
per_section = 2
per_article = 8
opener_preference = 0.5

[objectives.structure.loss]
@losses = "spacy-thematic.CentredContrastive.v1"
batch_size = 20

[objectives.distillation]
@misc = "pretrain.Distillation.v1"
teacher = "teacher"
n_sentences = 64
relation_weight = 0.5
centre = true
"""


@pytest.fixture(scope="module")
def teacher(corpus, tmp_path_factory):
    """Vectors that say which words a sentence has, of every second row."""
    folder = tmp_path_factory.mktemp("teacher")
    compiled = open_compiled(corpus / "train", spacy.blank("en").vocab)
    rows = np.arange(0, compiled.n_rows, 2)
    rows = rows[: len(rows) // 32 * 32]
    words, _, lengths = compiled.read_rows(rows)
    directions = np.random.default_rng(0).standard_normal((len(compiled.forms), WIDTH))
    vectors = np.add.reduceat(directions[words], np.cumsum(lengths) - lengths)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    (folder / ROWS).write_bytes(rows.astype("int64").tobytes())
    (folder / VECTORS).write_bytes(vectors.astype("float16").tobytes())
    srsly.write_json(folder / HEADER, {"corpus": compiled.key, "width": WIDTH})
    return folder


def with_objectives(corpus, teacher, **settings) -> Config:
    config = load_config(corpus, **settings)
    config["components"]["thematic_embedder"]["model"]["embed"]["row_rate"] = 0.5
    config = config.merge(Config().from_str(BLOCKS))
    config["objectives"]["distillation"]["teacher"] = str(teacher)
    config["training"]["optimizer"]["use_averages"] = True
    return config


def test_all_objectives_are_learned(corpus, teacher, tmp_path):
    config = with_objectives(corpus, teacher)
    config["training"]["max_steps"] = 30
    outcome = run(config, tmp_path)
    assert outcome.progress.step == 30
    lines = list(srsly.read_jsonl(tmp_path / "log.jsonl"))
    cosines = [line["other_scores"].get("distillation_cosine") for line in lines]
    assert cosines[0] is None
    known = [cosine for cosine in cosines if cosine is not None]
    assert known[-1] < 0.7 * known[0]
    assert outcome.progress.best_score > lines[0]["score"]
    assert [line["step"] for line in lines] == [*range(0, 31, 3)]


def test_a_second_run_starts_from_the_best_weights_of_the_first(corpus, teacher, tmp_path):
    config = with_objectives(corpus, teacher)
    first = run(config, tmp_path / "first").progress
    component = config["components"]["thematic_embedder"]
    component.pop("model")
    component["pretrained"] = str(tmp_path / "first" / "model-best")
    run(config, tmp_path / "second")
    start = next(iter(srsly.read_jsonl(tmp_path / "second" / "log.jsonl")))
    assert start["score"] == pytest.approx(first.best_score)


@pytest.fixture(scope="module")
def undisturbed(corpus, teacher, tmp_path_factory):
    output = tmp_path_factory.mktemp("undisturbed")
    run(with_objectives(corpus, teacher), output)
    return output


@pytest.mark.parametrize("moment", [5, 8])
def test_a_killed_run_resumes_to_the_same_bytes(corpus, teacher, undisturbed, tmp_path, moment):
    run_with_a_kill(partial(with_objectives, corpus, teacher), tmp_path, moment)
    for name in ("model-best", "model-last"):
        assert weights(tmp_path, name) == weights(undisturbed, name)


@pytest.mark.parametrize("model", [MEAN, BILSTM])
def test_the_averaged_weights_are_scored_and_kept(corpus, teacher, tmp_path, model):
    config = with_objectives(corpus, teacher, model=model)
    run(config, tmp_path / "averaged")
    config["training"]["optimizer"]["use_averages"] = False
    run(config, tmp_path / "plain")
    assert weights(tmp_path / "averaged") == weights(tmp_path / "plain")
    assert weights(tmp_path / "averaged", "model-best") != weights(tmp_path / "plain", "model-best")


def test_an_objective_counts_from_its_step_on(corpus, teacher, tmp_path):
    config = with_objectives(corpus, teacher)
    config["training"]["eval_frequency"] = 8
    config["objectives"]["structure"]["from_step"] = 8
    run(config, tmp_path / "late")
    del config["objectives"]["structure"]
    run(config, tmp_path / "never")
    late, never = (list(srsly.read_jsonl(tmp_path / n / "log.jsonl")) for n in ("late", "never"))
    assert [line["score"] for line in late[:2]] == [line["score"] for line in never[:2]]
    assert weights(tmp_path / "late") != weights(tmp_path / "never")


def test_a_teacher_of_another_corpus_is_refused(corpus, teacher, tmp_path):
    header = srsly.read_json(teacher / HEADER)
    for name in (ROWS, VECTORS):
        (tmp_path / name).write_bytes((teacher / name).read_bytes())
    srsly.write_json(tmp_path / HEADER, {**header, "corpus": "another"})
    with pytest.raises(TrainingError, match="are of another corpus"):
        run(with_objectives(corpus, tmp_path), tmp_path / "out")
    with pytest.raises(TrainingError, match=r"no teacher's vectors in .*nowhere"):
        run(with_objectives(corpus, tmp_path / "nowhere"), tmp_path / "out")


@pytest.mark.parametrize(
    ("block", "setting", "value", "message"),
    [
        ("training", "max_stepz", 3, r"\[training\] block has no setting max_stepz"),
        ("passes", "evaluation", 2, r"passes\] block.*evaluation.*evaluations, patience"),
        (
            "objectives.structure",
            "from_step",
            9,
            "starts at step 9, and training ends after step 9",
        ),
        ("objectives.structure", "weight", 0.0, "Expected the weight of SampledSections"),
    ],
)
def test_settings_that_would_do_nothing_are_refused(
    corpus, teacher, block, setting, value, message
):
    config = init_nlp(with_objectives(corpus, teacher)).config
    node = config
    for name in block.split("."):
        node = node.setdefault(name, {})
    node[setting] = value
    with pytest.raises(Exception, match=message):
        resolve_settings(config)


def test_a_block_whose_name_is_misspelt_is_refused(corpus, teacher):
    config = init_nlp(with_objectives(corpus, teacher)).config
    config["objective"] = config.pop("objectives")
    with pytest.raises(TrainingError, match=r"\[objective\]: is it meant to be \[objectives\]"):
        check_training_settings(config)


def test_a_block_that_is_no_objective_is_refused(corpus, teacher):
    config = with_objectives(corpus, teacher)
    config["objectives"]["structure"] = {"weight": 1.0}
    with pytest.raises(TrainingError, match=r"\[objectives.structure\] does not make an objective"):
        resolve_settings(init_nlp(config).config)


def test_vectors_are_read_run_by_run(teacher):
    taught = TaughtSentences(teacher)
    whole = taught.read(0, len(taught))
    assert np.array_equal(taught.read(32, 64), whole[32:64])
    assert np.allclose(taught.mean(), whole.mean(axis=0), atol=1e-6)


@pytest.mark.parametrize("term", ["cosine", "relation"])
def test_gradients_agree_with_finite_differences(term):
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((5, 4)).astype("f")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    targets = rng.standard_normal((5, 4 if term == "cosine" else 7)).astype("f")
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)

    def loss(X):
        if term == "cosine":
            return match_cosines(X, targets)
        return match_relations(X, targets, 0.5)

    value, gradient = loss(vectors)
    assert value > 0
    for place in np.ndindex(vectors.shape):
        values = []
        for change in (1e-2, -1e-2):
            changed = vectors.copy()
            changed[place] += change
            values.append(loss(changed)[0])
        assert (values[0] - values[1]) / 2e-2 == pytest.approx(gradient[place], abs=2e-3)


def test_relations_of_the_teacher_itself_are_the_least():
    targets = np.random.default_rng(0).standard_normal((6, 5)).astype("f")
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    best, gradient = match_relations(targets, targets, 0.3)
    other, _ = match_relations(-targets[::-1], targets, 0.3)
    assert best < other
    assert np.abs(gradient).max() < 1e-6
