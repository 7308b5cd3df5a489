"""Training on a mixture in the plane, and the ways in which the game breaks down."""

import numpy as np
import pytest
import torch

from bigan_encoder import VectorEncoder
from bigan_experiments.fit import (
    Schedule,
    encode,
    fit,
    iter_batches,
    triplet_loss,
    triplets_of_classes,
)
from bigan_experiments.retrieval import neighbour_accuracy
from triplet_bigan import (
    CollapseMonitor,
    Game,
    GameError,
    VectorDiscriminator,
    VectorGenerator,
)

CENTRES = 1.5 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])


def mixture(n: int = 2000, seed: int = 0):
    rng = np.random.default_rng(seed)
    modes = rng.integers(len(CENTRES), size=n)
    points = CENTRES[modes] + 0.1 * rng.standard_normal((n, 2))
    return torch.tensor(points, dtype=torch.float32), modes


def make_game(
    hidden_width: int = 64, spectral_normalization: bool = False, gradient_penalty: float = 0.0
) -> Game:
    torch.manual_seed(0)
    return Game(
        VectorEncoder(2, 2, hidden_width),
        VectorGenerator(2, 2, hidden_width),
        VectorDiscriminator(2, 2, hidden_width, spectral_normalization),
        2,
        gradient_penalty,
    )


def shares_of_modes(game: Game) -> np.ndarray:
    """Of a thousand generated points, the share within five deviations of each mode."""
    game.generator.eval()
    torch.manual_seed(1)
    with torch.no_grad():
        points = game.generator(torch.randn(1000, 2)).numpy()
    near = np.linalg.norm(points[:, None] - CENTRES, axis=2) < 0.5
    return near.mean(axis=0)


def test_a_mixture_is_learned_with_all_its_modes():
    points, _ = mixture()
    game = make_game(gradient_penalty=0.1)
    before = shares_of_modes(game)
    schedule = Schedule(1000, triplet_weight=0, batch_size=128, learn_rate=2e-3)
    fit(game, points, schedule)
    shares = shares_of_modes(game)
    assert before.sum() < 0.3
    assert shares.min() > 0.08
    assert shares.sum() > 0.7


def test_triplets_of_few_labels_order_the_codes():
    points, modes = mixture(400)
    labels = modes % 2  # opposite modes are one class, which no distance in the plane tells
    labelled = np.arange(16)
    game = make_game(hidden_width=16, spectral_normalization=True)
    schedule = Schedule(150, batch_size=32, learn_rate=3e-3)
    log = fit(game, points, schedule, triplets_of_classes(points[labelled], labels[labelled]))
    assert len(log.measures) == len(log.triplet_losses) == 150
    assert np.mean(log.triplet_losses[-10:]) < 0.5 * log.triplet_losses[0]
    codes = encode(game.encoder, points)
    assert codes.shape == (400, 2)
    same = labels[16:, None] == labels[:16]
    distances = np.linalg.norm(codes[16:, None] - codes[:16], axis=2)
    assert distances[same].mean() < 0.5 * distances[~same].mean()
    assert neighbour_accuracy(codes[:16], labels[:16], codes[16:], labels[16:], 3) > 0.9


def test_the_same_seed_gives_the_same_weights():
    points, modes = mixture(200)
    weights = []
    for seed in (0, 0, 1):
        game = make_game(hidden_width=8)
        fit(game, points, Schedule(3, batch_size=20), triplets_of_classes(points, modes), seed=seed)
        weights.append(torch.cat([p.flatten() for p in game.encoder.parameters()]))
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_a_plain_triplet_net_leaves_the_game_alone():
    points, modes = mixture(50)
    game = make_game(hidden_width=8)
    before = [p.clone() for net in (game.generator, game.discriminator) for p in net.parameters()]
    log = fit(game, points, Schedule(3, game_weight=0), triplets_of_classes(points, modes))
    after = [p for net in (game.generator, game.discriminator) for p in net.parameters()]
    assert all(torch.equal(a, b) for a, b in zip(before, after))
    assert not log.measures
    assert len(log.triplet_losses) == 3


def test_mode_collapse_is_reported():
    points, _ = mixture(200)
    game = make_game(hidden_width=8)
    with torch.no_grad():
        game.generator.last.weight.zero_()
    schedule = Schedule(50, triplet_weight=0, learn_rate=1e-6)
    with pytest.raises(GameError, match="Mode collapse: the generator gives nearly the same"):
        fit(game, points, schedule, monitor=CollapseMonitor(10))


def test_a_dead_discriminator_is_reported():
    points, _ = mixture(200)
    game = make_game(hidden_width=8)
    with torch.no_grad():
        game.discriminator.d_xz[1].weight.zero_()
    schedule = Schedule(50, triplet_weight=0, learn_rate=1e-9)
    with pytest.raises(GameError, match="Dead discriminator: its logits differ by"):
        fit(game, points, schedule, monitor=CollapseMonitor(10))


def test_a_discriminator_that_always_wins_is_reported():
    points, _ = mixture(200)
    game = make_game(hidden_width=32)
    with pytest.raises(GameError, match="right on every pair for 20 updates"):
        fit(game, points + 100, Schedule(200, triplet_weight=0), monitor=CollapseMonitor(20))


def softplus(x: float) -> float:
    return float(np.log1p(np.exp(x)))


def test_the_triplet_loss_by_hand():
    codes = torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    triplets = torch.tensor([[0, 1, 2], [0, 2, 1]])
    expected = (softplus(5 - 1) + softplus(1 - 5)) / 2
    value, gradient = triplet_loss(codes, triplets)
    assert value == pytest.approx(expected, rel=1e-5)
    # Of the distances from the first vector to the second, d+ and d-, and to the third, d- and d+.
    slope = (1 / (1 + np.exp(-4)) - 1 / (1 + np.exp(4))) / 2
    assert gradient[1].tolist() == pytest.approx([0.6 * slope, 0.8 * slope], rel=1e-5)
    assert gradient[2].tolist() == pytest.approx([0, -slope], rel=1e-5)


def test_a_triplet_of_equal_vectors_has_a_finite_gradient():
    _, gradient = triplet_loss(torch.ones(3, 2), torch.tensor([[0, 1, 2]]))
    assert torch.isfinite(gradient).all()


def test_batches_show_each_row_once_in_an_epoch():
    batches = iter_batches(10, 3, np.random.default_rng(0))
    epoch = np.concatenate([next(batches) for _ in range(3)])
    assert len(set(epoch.tolist())) == 9
    assert len(next(iter_batches(2, 5, np.random.default_rng(0)))) == 2


def test_triplets_have_two_items_of_a_class_and_one_of_another():
    labels = np.array([0, 0, 1, 1, 1, 2])
    rng = np.random.default_rng(0)
    x, triplets = triplets_of_classes(torch.arange(6), labels)(rng)
    drawn = labels[x.numpy()][triplets.numpy()]
    assert len(triplets) == 5  # the item of class 2 has no other of its class
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 0] != drawn[:, 2]).all()
    assert (triplets[:, 0] != triplets[:, 1]).all()
    _, none = triplets_of_classes(torch.arange(4), np.zeros(4))(rng)
    assert none.shape == (0, 3)


def test_triplets_are_drawn_from_all_labelled_items():
    labels = np.array([0, 0, 0, 1, 1, 2])
    x = torch.arange(6.0)[:, None]
    drawn = triplets_of_classes(x, labels, n_anchors=2)
    found = set()
    for seed in range(60):
        rows, triplets = drawn(np.random.default_rng(seed))
        assert triplets.tolist() == [[0, 2, 4], [1, 3, 5]]
        for anchor, positive, negative in rows[triplets, 0].int().tolist():
            assert anchor != positive
            assert labels[anchor] == labels[positive] != labels[negative]
            found.add((anchor, positive, negative))
    # A class of one item has no anchor, and is every other's negative.
    assert len(found) == 3 * 2 * 3 + 2 * 1 * 4
