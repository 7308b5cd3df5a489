"""`BiGANEncoder.v1` as a Thinc model."""

import numpy as np
import pytest
import spacy
import torch
from thinc.api import NumpyOps, fix_random_seed

from bigan_encoder import Standardize, build_bigan_encoder, get_encoder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pretrained.source import build_bundled_base
from tests.conftest import assert_same_rows

TEXTS = ["The river runs through a valley. Snow falls.", "   ", "One bank trades.", ""]


@pytest.fixture(scope="module")
def inputs():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    docs = list(nlp.pipe(TEXTS))
    return make_doc_spans(NumpyOps(), docs, [list(doc.sents) for doc in docs])


def build(inputs, **settings):
    fix_random_seed(0)
    model = build_bigan_encoder(build_bundled_base(), width=5, hidden_width=7, **settings)
    model.initialize(X=inputs)
    return model


@pytest.mark.parametrize("depth", [0, 2])
def test_a_row_for_each_span_that_does_not_depend_on_the_batch(inputs, depth):
    model = build(inputs, depth=depth)
    vectors = model.predict(inputs)
    assert vectors.shape == (4, 5)
    assert vectors[[0, 1, 3]].any(axis=1).all()
    assert not vectors[2].any()  # white space alone
    docs = inputs.docs[0]
    alone = model.predict(make_doc_spans(NumpyOps(), docs[:1], [list(docs[0].sents)[1:]]))
    assert_same_rows(alone[0], vectors[1])


def test_a_linear_encoder_as_wide_as_its_features_keeps_their_angles(inputs):
    model = build_bigan_encoder(build_bundled_base(), width=256, depth=0)
    model.initialize(X=inputs)
    features = torch.tensor(model.layers[0].predict(inputs))
    x = get_encoder(model).standardize(features)[[0, 1, 3]].numpy()
    shift = get_encoder(model).encoder.last.mean.bias.detach().numpy()
    z = model.predict(inputs)[[0, 1, 3]] - shift
    assert np.allclose(z @ z.T, x @ x.T, atol=1e-2)


def test_gradients_agree_with_finite_differences_and_the_base_stays(inputs):
    model = build(inputs)
    before = model.layers[0].to_bytes()
    dY = np.random.default_rng(1).standard_normal((4, 5)).astype("f")
    _, backprop = model.begin_update(inputs)
    backprop(dY)
    checked = 0
    for parameter in get_encoder(model).parameters():
        flat, gradient = parameter.data.view(-1), parameter.grad.view(-1)
        index = int(gradient.abs().argmax())
        start = flat[index].item()
        losses = []
        for step in (2e-3, -2e-3):
            flat[index] = start + step
            losses.append(float((model.predict(inputs).astype("d") * dY).sum()))
        flat[index] = start
        numeric = (losses[0] - losses[1]) / 4e-3
        assert numeric == pytest.approx(gradient[index].item(), rel=0.03, abs=1e-2)
        checked += 1
    assert checked == 10
    assert model.layers[0].to_bytes() == before


def test_bytes_restore_a_model_that_is_not_initialized(inputs):
    model = build(inputs, depth=1)
    fresh = build_bigan_encoder(build_bundled_base(), width=5, hidden_width=7, depth=1)
    with pytest.raises(ValueError, match="has not been trained"):
        fresh.predict(inputs)
    fresh.from_bytes(model.to_bytes())
    assert fresh.to_bytes() == model.to_bytes()
    assert_same_rows(fresh.predict(inputs), model.predict(inputs))


def test_features_are_standardized_and_constant_ones_only_centred():
    standardize = Standardize(2)
    standardize.fit(torch.tensor([[1.0, 5.0], [3.0, 5.0]]))
    assert standardize(torch.tensor([[1.0, 5.0], [3.0, 6.0]])).tolist() == [[-1, 0], [1, 1]]
