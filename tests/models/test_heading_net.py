"""The net that says which headings fit sections."""

import numpy as np
import pytest
import spacy
import srsly
from spacy.tokens import Doc
from thinc.api import NumpyOps, fix_random_seed

from spacy_thematic.models.section_headings import (
    Pairs,
    build_section_headings,
    describe_sections,
    find_heading_net,
    get_leanings,
    get_scale,
    set_bank,
)
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.weighted_mean import build_weighted_mean
from spacy_thematic.models.word_tables import build_learned_vectors
from spacy_thematic.pretrained.state import ModelState, give_state, take_state

WIDTH = 5
HEADINGS = ["Early life", "Rivers", "Side effects"]


@pytest.fixture
def pairs():
    nlp = spacy.blank("en")
    docs = [nlp(heading) for heading in HEADINGS]
    words = make_doc_spans(NumpyOps(), docs, [[doc[:]] for doc in docs])
    rng = np.random.default_rng(0)
    means = rng.normal(size=(4, WIDTH)).astype("f")
    sections = describe_sections(means, means.mean(axis=0))
    return Pairs(sections, rng.normal(size=(3, WIDTH)).astype("f"), words)


@pytest.fixture(params=[0, 6])
def net(request, pairs):
    fix_random_seed(0)
    words = build_weighted_mean(build_learned_vectors(8, 1, 16, False))
    net = build_section_headings(words, width=8, hidden_width=request.param, dropout=0.0)
    tokens, counts = np.unique(pairs.words.words.lower, return_counts=True)
    for node in net.walk():
        if "set_vocabulary" in node.attrs:
            node.attrs["set_vocabulary"](node, pairs.words.vocab, tokens, counts)
    net.set_dim("nI", WIDTH)
    net.initialize()
    return net


def test_scores_are_cosines_times_the_learned_factor(net, pairs):
    scores = net.predict(pairs)
    assert scores.shape == (4, 3)
    assert np.abs(scores).max() <= get_scale(net)
    longer = pairs._replace(vectors=3 * pairs.vectors)
    assert np.allclose(net.predict(longer), scores, atol=1e-5)


def test_gradients_are_those_of_finite_differences(net, pairs):
    direction = np.random.default_rng(2).normal(size=(4, 3)).astype("f")
    _, backprop = net.begin_update(pairs)
    backprop(direction)
    checked = 0
    for node in net.walk():
        for name in node.param_names:
            if not node.has_grad(name):
                continue
            weights, gradient = node.get_param(name).copy(), node.get_grad(name)
            change = np.random.default_rng(3).normal(size=weights.shape).astype("f")
            found = []
            for step in (1e-3, -1e-3):
                node.set_param(name, weights + step * change)
                found.append(float((net.predict(pairs) * direction).sum()))
            node.set_param(name, weights)
            expected = float((gradient * change).sum())
            assert (found[0] - found[1]) / 2e-3 == pytest.approx(expected, rel=0.05, abs=0.2)
            checked += 1
    assert checked >= 6


def test_a_section_that_is_its_whole_text_has_nothing_of_its_own():
    mean = np.ones((1, WIDTH), "f")
    features = describe_sections(mean, mean)
    assert np.allclose(features[0, :WIDTH], 1 / np.sqrt(WIDTH)) and not features[0, WIDTH:].any()


def test_a_net_is_found_by_the_width_that_it_reads(net):
    assert find_heading_net(net, WIDTH) is net
    assert find_heading_net(net, WIDTH + 1) is None


def test_the_bank_is_kept_with_the_weights(net):
    set_bank(net, HEADINGS, np.array([0.5, 0.25, 0.25]))
    data = net.to_bytes()
    set_bank(net, [], np.zeros(0))
    net.from_bytes(data)
    assert net.attrs["bank"] == HEADINGS
    assert np.allclose(np.exp(net.get_param("log_shares")), [0.5, 0.25, 0.25])


def test_leanings_are_those_of_the_words_at_their_places(net):
    vocab = spacy.blank("en").vocab
    words = ["floods", "of", "rivers"]
    keys = np.array([vocab.strings.add(word) for word in words], "uint64")
    order = np.argsort(keys)
    values = np.array([[1, 2, 3], [4, -5, 6], [7, 8, 9]], "f")
    docs = [Doc(vocab, text.split()) for text in ("Floods of rivers", "Rivers", "floods rise")]
    headings = make_doc_spans(NumpyOps(), docs, [[doc[:]] for doc in docs]).words
    assert not get_leanings(net, headings).any()
    net.attrs.update(word_keys=keys[order], leanings=values[order])
    assert get_leanings(net, headings).tolist() == [[1, -5, 9], [7, 0, 9], [1, 0, 0]]
    data = net.to_bytes()
    net.attrs.update(word_keys=keys[:0], leanings=values[:0])
    assert (net.from_bytes(data).attrs["leanings"] == values[order]).all()


def test_a_net_without_leanings_loads(net):
    """As pipelines and files of earlier versions have them."""
    state = take_state(net)
    arrays = {
        name: array
        for name, array in state.arrays.items()
        if not name.endswith(("word_keys", "leanings"))
    }
    give_state(net, ModelState(arrays, state.dims))
    old = srsly.msgpack_loads(net.to_bytes())
    for attrs in old["attrs"]:
        for name in ("word_keys", "leanings"):
            attrs.pop(name, None)
    net.from_bytes(srsly.msgpack_dumps(old))
    doc = spacy.blank("en")("Rivers")
    assert not get_leanings(net, make_doc_spans(NumpyOps(), [doc], [[doc[:]]]).words).any()
