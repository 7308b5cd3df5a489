"""Learning which headings fit sections."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from thinc.api import Config

import spacy_thematic
from learn_headings import (
    _compare,
    contrast,
    count_headings,
    normalise_heading,
    weigh_heading_words,
)
from spacy_thematic.articles.article import Article
from spacy_thematic.models.section_headings import find_heading_net, get_scale
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import export_encoder
from spacy_thematic.triplets.compiled import compile_temporarily, open_compiled
from spacy_thematic.triplets.docbin import read_shards
from start_nets import carry
from start_nets import headings as start_headings
from tests.conftest import article_doc, make_article
from tests.training.conftest import load_config, run, weights

START = Path(__file__).parents[2] / "projects/pretrain/configs/start_headings.cfg"
OBJECTIVE = """
[objectives]

[objectives.headings]
@misc = "pretrain.SectionHeadings.v1"
n_articles = 8
min_articles = 2
"""


@pytest.fixture(scope="module")
def start(whole, tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "start.safetensors"
    start_headings(START, "en_thematic_sm", whole / "train", path, seed=0)
    return path


def make_config(corpus, start, **training):
    config = load_config(corpus, model="[model]\n", **training)
    config["components"]["thematic_embedder"].update(model=None, pretrained=str(start))
    config["objectives"] = Config().from_str(OBJECTIVE)["objectives"]
    config["training"]["score_weights"] = {"headings_hits_1": 1.0}
    return config


def test_rows_know_the_headings_of_their_sections(whole):
    vocab = spacy.blank("en").vocab
    corpus, docs = open_compiled(whole / "train", vocab), [*read_shards(whole / "train", vocab)]
    batch = corpus.take([0, 3])
    for article, doc in enumerate([docs[0], docs[3]]):
        n_sections = len({span.id for span in doc.spans["sentences"]})
        assert len(set(batch.headings[batch.articles == article])) == n_sections
    assert all(corpus.headings[number] for number in batch.headings)


def test_headings_are_counted_by_article(whole):
    corpus = open_compiled(whole / "train", spacy.blank("en").vocab)
    counts = count_headings(corpus)
    assert max(counts.articles.values()) <= len(corpus)
    assert counts.n_sections >= sum(counts.articles.values())


def test_what_one_source_repeats_is_not_common(nlp):
    templates = {"wiki": ["History", "Plot"], "blog": ["History", "Plugin of the week"]}
    docs = []
    for source, headings in templates.items():
        for number in range(4):
            lead, *others = make_article(number).sections
            sections = [replace(section, title=own) for section, own in zip(others, headings)]
            docs.append(article_doc(Article(f"{source} {number}", source, [lead, *sections]), nlp))
    counts = count_headings(compile_temporarily(docs))
    assert counts.find_common(9, 4, 2) == {"History": 8}
    assert list(counts.find_common(2, 4, 1)) == ["History", "Plot"]
    assert counts.find_common(9, 5, 1) == {"History": 8}
    of_one = count_headings(compile_temporarily(docs[:4]))
    assert of_one.find_common(9, 4, 2) == {"History": 4, "Plot": 4}


def test_words_of_headings_are_told_from_those_of_texts(whole):
    nlp = spacy.blank("en")
    corpus = open_compiled(whole / "train", nlp.vocab)
    keys, values = weigh_heading_words(corpus, count_headings(corpus).articles, nlp.tokenizer, 200)
    assert values.shape == (len(keys), 3) and 0 < len(keys) <= 200 and np.isfinite(values).all()
    assert (keys[1:] > keys[:-1]).all()
    # No word of its texts stands in a heading, so each is less likely there.
    assert (values[:, [0, 2]] < 0).all()
    counts = np.array([30.0, 0, 0, 0])
    found = _compare(counts, np.array([3.0, 3, 3, 0]), np.array([0, 0, 1, 0]))
    assert found[0] > 1 > found[2] and found[1] > found[2] and found[3] > 1


@pytest.mark.parametrize(
    ("heading", "clean"),
    [
        ("3.1  Side effects:", "Side effects"),
        ("IV. The war", "The war"),
        ("1990s reforms", "1990s reforms"),
        ("Vision", "Vision"),
        ("7", ""),
        ("x" * 60, ""),
    ],
)
def test_headings_are_cleaned(heading, clean):
    assert normalise_heading(heading) == clean


def test_the_loss_and_its_gradient():
    logits = np.random.default_rng(0).normal(size=(4, 3))
    own = np.array([0, 0, 1, 2])
    loss, gradient = contrast(logits, own, 0.5)
    for place in np.ndindex(*logits.shape):
        step = np.zeros_like(logits)
        step[place] = 1e-5
        found = (contrast(logits + step, own, 0.5)[0] - contrast(logits - step, own, 0.5)[0]) / 2e-5
        assert found == pytest.approx(gradient[place], abs=1e-6)
    assert contrast(20 * np.eye(3)[own], own, 0.0)[0] < loss


def test_only_the_net_learns_and_is_exported(whole, start, tmp_path):
    config = make_config(whole, start)
    config["training"].update(max_steps=40, eval_frequency=40)
    run(config, tmp_path / "out")
    log = list(srsly.read_jsonl(tmp_path / "out" / "log.jsonl"))
    assert log[0]["score"] < log[-1]["score"]
    trained = spacy_thematic.load(tmp_path / "out" / "model-last")
    export_encoder(trained, tmp_path / "model.safetensors")
    pipelines = [spacy_thematic.load(path) for path in (start, tmp_path / "model.safetensors")]
    text = "The river floods the valley each spring. The king fought."
    rows = [nlp(text)._.thematic_vectors for nlp in (*pipelines, trained)]
    assert (rows[0] == rows[1]).all() and (rows[0] == rows[2]).all()
    nets = [find_heading_net(find_embedder(nlp).model, rows[0].shape[1]) for nlp in pipelines]
    assert not nets[0].attrs["bank"] and nets[1].attrs["bank"]
    assert not len(nets[0].attrs["word_keys"]) and len(nets[1].attrs["word_keys"])


def test_training_is_deterministic(whole, start, tmp_path):
    for name in ("a", "b"):
        run(make_config(whole, start), tmp_path / name)
    assert weights(tmp_path / "a") == weights(tmp_path / "b")


def test_a_net_is_carried_to_another_file(start, tmp_path):
    carry("en_thematic_sm", str(start), tmp_path / "carried.safetensors", sharpen=1.0)
    carry("en_thematic_sm", str(start), tmp_path / "sharper.safetensors", sharpen=1.5)
    net, carried = (
        find_heading_net(find_embedder(filled(name)).model, 256)
        for name in ("en_thematic_sm", tmp_path / "carried.safetensors")
    )
    sharper = find_heading_net(find_embedder(filled(tmp_path / "sharper.safetensors")).model, 256)
    assert get_scale(sharper) == pytest.approx(1.5 * get_scale(net), rel=1e-3)
    assert carried.attrs["bank"] == net.attrs["bank"] and len(net.attrs["bank"]) > 1000
    assert carried.to_bytes() == net.to_bytes()


def filled(name):
    nlp = spacy_thematic.load(name)
    find_embedder(nlp).fill()
    return nlp


def test_a_model_without_the_net_says_what_to_do(whole, tmp_path):
    config = load_config(whole)
    config["objectives"] = Config().from_str(OBJECTIVE)["objectives"]
    with pytest.raises(ValueError, match="start_nets"):
        run(config, tmp_path / "out")
