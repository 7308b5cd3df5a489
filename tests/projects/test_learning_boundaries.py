"""Learning where sections begin."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from thinc.api import Config

import spacy_thematic
from learn_boundaries import count_characters, find_text_order
from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import export_encoder
from spacy_thematic.triplets.compiled import open_compiled
from start_nets import boundaries as start_boundaries
from teacher import get_texts
from tests.training.conftest import load_config, run, weights

START = Path(__file__).parents[2] / "projects/pretrain/configs/start_boundaries.cfg"
OBJECTIVE = """
[objectives]

[objectives.boundaries]
@misc = "pretrain.SectionBoundaries.v1"
n_texts = 8
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "start.safetensors"
    start_boundaries(START, "en_thematic_sm", path, seed=0)
    return path


def make_config(corpus, start, **training):
    config = load_config(corpus, model="[model]\n", **training)
    config["components"]["thematic_embedder"].update(model=None, pretrained=str(start))
    config["objectives"] = Config().from_str(OBJECTIVE)["objectives"]
    config["training"]["score_weights"] = {"boundaries_average_precision": 1.0}
    return config


def test_sentences_are_in_the_order_of_the_text(whole):
    corpus = open_compiled(whole / "train", spacy.blank("en").vocab)
    batch = corpus.take([3, 1])
    order = find_text_order(batch)
    assert sorted(order) == np.flatnonzero(batch.is_sentence).tolist()
    places = np.stack([batch.articles, batch.sections, batch.paragraphs, batch.is_other])[:, order]
    assert (np.lexsort(places[::-1]) == np.arange(len(order))).all()


def test_characters_are_counted_without_white_space_at_the_end(whole):
    corpus = open_compiled(whole / "train", spacy.blank("en").vocab)
    batch = corpus.take([0])
    rows = get_texts(corpus, np.arange(len(batch.lengths)))
    assert count_characters(corpus, batch).tolist() == [len(text) for text in rows]


def test_only_the_net_learns(whole, start, tmp_path):
    config = make_config(whole, start)
    config["training"].update(max_steps=40, eval_frequency=40)
    run(config, tmp_path / "out")
    log = list(srsly.read_jsonl(tmp_path / "out" / "log.jsonl"))
    assert log[0]["score"] < log[-1]["score"] > 0.5
    paths = (start, tmp_path / "out" / "model-last")
    before, after = (find_embedder(spacy_thematic.load(path)) for path in paths)
    docs = [spacy.blank("en")("The river floods the valley each spring.")]
    rows = [one.encode(docs, [[doc[:] for doc in docs]])[0] for one in (before, after)]
    assert (rows[0] == rows[1]).all()
    nets = [find_boundaries(one.model, rows[0].shape[1]) for one in (before, after)]
    assert nets[0].to_bytes() != nets[1].to_bytes()


def test_training_is_deterministic(whole, start, tmp_path):
    for name in ("a", "b"):
        run(make_config(whole, start), tmp_path / name)
    assert weights(tmp_path / "a") == weights(tmp_path / "b")


def test_the_net_is_exported_and_read(whole, start, tmp_path):
    run(make_config(whole, start), tmp_path / "out")
    nlp = spacy_thematic.load(tmp_path / "out" / "model-last")
    export_encoder(nlp, tmp_path / "model.safetensors")
    loaded = spacy_thematic.load(tmp_path / "model.safetensors")
    doc = loaded("The river floods. The king fought.")
    assert doc._.thematic_clusters
    width = doc._.thematic_vectors.shape[1]
    trained, read = (find_boundaries(find_embedder(one).model, width) for one in (nlp, loaded))
    text = [(doc._.thematic_vectors, np.array([17.0, 16.0], "f"))]
    assert np.allclose(trained.predict(text), read.predict(text), atol=0.05)


def test_a_model_without_the_net_says_what_to_do(whole, tmp_path):
    config = load_config(whole)
    config["objectives"] = Config().from_str(OBJECTIVE)["objectives"]
    with pytest.raises(ValueError, match="start_nets"):
        run(config, tmp_path / "out")
