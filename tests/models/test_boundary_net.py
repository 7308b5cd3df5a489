"""The net that says where sections begin."""

import numpy as np
import pytest
from thinc.api import fix_random_seed

from spacy_thematic.models.section_boundaries import (
    build_section_boundaries,
    compare_sides,
    find_boundaries,
)

WIDTH = 5


@pytest.fixture
def texts():
    rng = np.random.default_rng(0)
    return [
        (rng.normal(size=(n, WIDTH)).astype("f"), rng.integers(5, 200, n).astype("f"))
        for n in (7, 1, 20)
    ]


@pytest.fixture
def net(texts):
    fix_random_seed(0)
    net = build_section_boundaries(hidden_width=8, dropout=0.0)
    net.initialize(texts)
    # At first the last layer is zero, and so is every gradient below it.
    last = net.layers[3].layers[1]
    last.set_param("W", np.random.default_rng(1).normal(size=(1, 8)).astype("f"))
    return net


def test_a_text_does_not_depend_on_the_others(net, texts):
    together = net.predict(texts)
    assert together.shape == (28,)
    alone = np.concatenate([net.predict([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)


def test_gradients_are_those_of_finite_differences(net, texts):
    direction = np.random.default_rng(2).normal(size=28).astype("f")
    _, backprop = net.begin_update(texts)
    backprop(direction)
    for node in net.walk():
        for name in node.param_names:
            weights, gradient = node.get_param(name).copy(), node.get_grad(name)
            change = np.random.default_rng(3).normal(size=weights.shape).astype("f")
            found = []
            for step in (1e-2, -1e-2):
                node.set_param(name, weights + step * change)
                found.append(float((net.predict(texts) * direction).sum()))
            node.set_param(name, weights)
            expected = float((gradient * change).sum())
            assert (found[0] - found[1]) / 2e-2 == pytest.approx(expected, rel=0.05, abs=0.05)


def test_sides_are_compared_by_the_means_of_windows():
    rows = np.eye(4, dtype="f")[[0, 0, 1, 1]]
    sides = compare_sides(rows, windows=(1, 2))
    assert sides[0].tolist() == [0, 0]
    assert sides[2].argmin() == 0 and (sides[2] == sides[1:].min(axis=0)).all()
    centred = rows - rows.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    cosines = (centred[1:] * centred[:-1]).sum(axis=1)
    assert np.allclose(sides[1:, 0], cosines - cosines.mean(), atol=1e-6)


@pytest.mark.parametrize("n", [1, 2])
def test_short_texts_and_empty_vectors(net, n):
    assert np.isfinite(net.predict([(np.zeros((n, WIDTH), "f"), np.ones(n, "f"))])).all()


def test_a_net_is_found_by_the_width_that_it_reads(net):
    assert find_boundaries(net, WIDTH) is net
    assert find_boundaries(net, WIDTH + 1) is None
    assert find_boundaries(build_section_boundaries(), WIDTH) is None
