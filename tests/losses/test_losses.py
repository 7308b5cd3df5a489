import itertools
from functools import partial

import numpy as np
import pytest
from thinc.api import NumpyOps

from spacy_thematic.losses.contrastive import (
    CentredContrastive,
    create_section_contrastive,
)
from spacy_thematic.losses.targets import Targets, distance, normalize_rows
from spacy_thematic.losses.triplet import (
    SiamesePairs,
    SoftmaxRatio,
    TripletMargin,
    TripletNLL,
)

TRIPLETS = [[0, 1, 2], [1, 0, 4], [3, 4, 0], [0, 1, 5]]
SECTIONS = [0, 0, 1, 2, 2, 3]
ARTICLES = [0, 0, 0, 1, 1, 1]


def rows(triplets=TRIPLETS) -> Targets:
    ops = NumpyOps()
    return Targets(
        triplets=ops.asarray2i(np.array(triplets).reshape(-1, 3)),
        sections=ops.asarray1i(SECTIONS),
        articles=ops.asarray1i(ARTICLES),
        ops=ops,
    )


def vectors() -> np.ndarray:
    return np.random.default_rng(3).standard_normal((6, 7)).astype("f")


LOSSES = (
    [
        SoftmaxRatio(distance=name, scale=scale, normalize=normalize)
        for (name, scale), normalize in itertools.product(
            (("L1", 0.2), ("L2", 0.7), ("cosine", 3.0)), (False, True)
        )
    ]
    + [
        make(distance=name, scale=0.7, normalize=normalize)
        for make in (
            partial(TripletMargin, margin=0.9),
            TripletNLL,
            SiamesePairs,
        )
        for name in ("L1", "L2", "cosine")
        for normalize in (False, True)
    ]
    + [create_section_contrastive(0.5, weight) for weight in (0.0, 0.3)]
    + [CentredContrastive(0.5, 0.6, 0.4, 0.3, size) for size in (0, 4)]
)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_agree_with_finite_differences(loss):
    X = vectors()
    gradient, value = loss(X, rows())
    assert value > 0
    for index in itertools.product(range(6), range(7)):
        values = []
        for step in (1e-2, -1e-2):
            moved = X.astype("d")
            moved[index] += step
            values.append(loss.get_loss(moved, rows()))
        assert (values[0] - values[1]) / 2e-2 == pytest.approx(gradient[index], abs=2e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_step_down_the_gradient_lowers_the_loss(loss):
    X = vectors()
    gradient, value = loss(X, rows())
    assert loss(X - 0.01 * gradient, rows())[1] < value


def test_softmax_ratio_by_hand():
    """|p(d+)| + |1 - p(d-)| with d+ = 1, d- = 3."""
    X = np.array([[0.0, 0], [1, 0], [1, 2]], "f")
    batch = Targets(np.array([[0, 1, 2]]), np.array([0, 0, 1]), np.zeros(3, int), NumpyOps())
    positive, negative = np.exp([1, 3]) / np.exp([1, 3]).sum()
    _, value = SoftmaxRatio()(X, batch)
    assert value == pytest.approx(abs(positive) + abs(1 - negative), abs=1e-6)


def test_margin_and_nll_by_hand():
    """Two triplets, with d+ - d- = -2 and +2."""
    X = np.array([[0.0, 0], [1, 0], [1, 2]], "f")
    batch = Targets(
        np.array([[0, 1, 2], [0, 2, 1]]), np.zeros(3, int), np.zeros(3, int), NumpyOps()
    )
    _, value = TripletMargin("L1", margin=0.5)(X, batch)
    assert value == pytest.approx((0 + 2.5) / 2)
    _, value = TripletNLL("L1")(X, batch)
    assert value == pytest.approx(np.log1p(np.exp([-2, 2])).mean(), abs=1e-6)


def test_siamese_pairs_by_hand():
    """Pairs at the distances ln 2 and ln 4: similarities 1/2, to be 1, and 1/4, to be 0."""
    X = np.array([[0.0, 0], [np.log(2), 0], [0, -np.log(4)]], "f")
    batch = Targets(np.array([[0, 1, 2]]), np.array([0, 0, 1]), np.zeros(3, int), NumpyOps())
    gradient, value = SiamesePairs()(X, batch)
    assert value == pytest.approx((0.5**2 + 0.25**2) / 2)
    assert gradient[1] == pytest.approx([0.5 * 0.5, 0])
    assert gradient[2] == pytest.approx([0, 0.25**2])


@pytest.mark.parametrize("distance", ["L1", "L2", "cosine"])
@pytest.mark.parametrize("make", [SoftmaxRatio, TripletMargin, TripletNLL])
def test_gradients_agree_with_autograd(make, distance):
    import torch
    from torch.nn import functional as F

    X = vectors()
    gradient, value = make(distance)(X, rows())
    tensor = torch.tensor(X, requires_grad=True)
    anchor, positive, negative = (tensor[[t[i] for t in TRIPLETS]] for i in range(3))

    def measure(a, b):
        if distance == "cosine":
            return 1 - F.cosine_similarity(a, b)
        return (a - b).abs().sum(1) if distance == "L1" else (a - b).pow(2).sum(1).sqrt()

    difference = measure(anchor, positive) - measure(anchor, negative)
    losses = {
        SoftmaxRatio: 2 * torch.sigmoid(difference),
        TripletMargin: F.relu(difference + 0.2),
        TripletNLL: F.softplus(difference),
    }[make]
    losses.mean().backward()
    assert value == pytest.approx(losses.mean().item(), abs=1e-5)
    assert np.allclose(gradient, tensor.grad.numpy(), atol=1e-5)


def test_softmax_ratio_is_1_at_chance_and_finite_at_the_extremes():
    loss = SoftmaxRatio()
    assert loss(np.zeros((6, 7), "f"), rows())[1] == pytest.approx(1.0)
    gradient, value = loss(vectors() * 1e6, rows())
    assert np.isfinite(gradient).all()
    assert 0 <= value <= 2


def test_section_contrastive_by_hand():
    """Each sentence against its formula, term by term."""
    X, temperature = vectors(), 0.5
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    similarity = unit @ unit.T / temperature
    sections, articles = np.array(SECTIONS), np.array(ARTICLES)

    def term(candidates_of):
        losses = []
        for i in range(6):
            positives = [p for p in range(6) if p != i and sections[p] == sections[i]]
            candidates = [a for a in range(6) if a != i and candidates_of(a, i)]
            if positives:
                total = np.exp(similarity[i, candidates]).sum()
                losses.append(
                    -np.mean([np.log(np.exp(similarity[i, p]) / total) for p in positives])
                )
        return np.mean(losses)

    expected = term(lambda a, i: articles[a] == articles[i]) + 0.3 * term(lambda a, i: True)
    _, value = create_section_contrastive(temperature, 0.3)(X, rows())
    assert value == pytest.approx(expected, abs=1e-5)


def test_a_batch_without_triplets_or_positives_has_no_loss():
    X = vectors()
    gradient, value = SoftmaxRatio()(X, rows([]))
    assert value == 0
    assert not gradient.any()
    alone = Targets(rows([]).triplets, np.arange(6), np.array(ARTICLES), NumpyOps())
    gradient, value = create_section_contrastive()(X, alone)
    assert value == 0
    assert not gradient.any()


def test_zero_vectors_give_finite_gradients():
    X = vectors()
    X[1] = 0
    for loss in LOSSES:
        gradient, value = loss(X, rows())
        assert np.isfinite(gradient).all()
        assert np.isfinite(value)


def test_distances_by_hand():
    A, B = np.array([[3.0, 0], [0, 1]], "f"), np.array([[0.0, 4], [0, 2]], "f")
    assert distance("L1", A, B)[0].tolist() == [7, 1]
    assert distance("L2", A, B)[0] == pytest.approx([5, 1])
    assert distance("cosine", A, B)[0] == pytest.approx([1, 0], abs=1e-6)
    assert np.linalg.norm(normalize_rows(A)[0], axis=1) == pytest.approx([1, 1])


def test_the_centred_view_contrasts_vectors_less_the_mean_of_their_article():
    X = np.random.default_rng(0).standard_normal((9, 5)).astype("f")
    articles = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
    sections = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3])
    batch = Targets(np.zeros((0, 3), "i"), sections, articles, NumpyOps())
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    means = np.stack([unit[articles == article].mean(axis=0) for article in articles])
    _, expected = create_section_contrastive(0.4, 0.0)((unit - means).astype("f"), batch)
    _, value = CentredContrastive(0.1, 0.4, 1.0, 0.0)(X, batch)
    assert value == pytest.approx(expected, abs=1e-5)
    _, plain = create_section_contrastive(0.1, 0.3)(X, batch)
    _, same = CentredContrastive(0.1, 0.4, 0.0, 0.3)(X, batch)
    assert same == pytest.approx(plain)
