"""The losses of a BiGAN: their numbers by hand, their gradients by finite differences."""

import numpy as np
import pytest
import torch

from bigan_encoder import VectorEncoder
from triplet_bigan import (
    Game,
    VectorDiscriminator,
    VectorGenerator,
    discriminator_loss,
    encoder_generator_loss,
    gradient_penalty,
)

ROWS, INPUT, WIDTH = 6, 5, 3


def softplus(x: float) -> float:
    return float(np.log1p(np.exp(x)))


def test_losses_by_hand():
    real, generated = torch.tensor([2.0]), torch.tensor([-1.0])
    assert discriminator_loss(real, generated).item() == pytest.approx(softplus(-2) + softplus(-1))
    assert encoder_generator_loss(real, generated).item() == pytest.approx(
        softplus(2) + softplus(1)
    )


def test_the_gradient_penalty_is_that_of_a_linear_function():
    x, z = torch.randn(4, 2, requires_grad=True), torch.randn(4, 1, requires_grad=True)
    logits = x @ torch.tensor([3.0, 4.0]) + 12 * z[:, 0]
    assert gradient_penalty(logits, x, z).item() == pytest.approx(13**2 / 2, rel=1e-5)


@pytest.fixture
def nets():
    torch.manual_seed(0)
    nets = (
        VectorEncoder(INPUT, WIDTH, 7),
        VectorGenerator(WIDTH, INPUT, 7),
        VectorDiscriminator(INPUT, WIDTH, 7, spectral_normalization=False),
    )
    return [net.double() for net in nets]


def losses(encoder, generator, discriminator):
    torch.manual_seed(1)
    x = torch.randn(ROWS, INPUT).double()
    z = torch.randn(ROWS, WIDTH).double()
    x.requires_grad_(True)
    z.requires_grad_(True)
    codes = encoder(x)
    real = discriminator(x, codes)
    generated = discriminator(generator(z), z)
    return {
        "L_D": discriminator_loss(real, generated),
        "L_EG": encoder_generator_loss(real, generated),
        "penalty": gradient_penalty(discriminator(x, z), x, z),
    }


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("L_D", [2]), ("L_EG", [0, 1]), ("penalty", [2])],
)
def test_gradients_agree_with_finite_differences(nets, name, numbers):
    losses(*nets)[name].backward()
    for number in numbers:
        for parameter in nets[number].parameters():
            if parameter.grad is None:  # the penalty does not see the last bias
                continue
            flat, gradient = parameter.data.view(-1), parameter.grad.view(-1)
            index = int(gradient.abs().argmax())
            before = flat[index].item()
            values = []
            for step in (1e-5, -1e-5):
                flat[index] = before + step
                values.append(losses(*nets)[name].item())
            flat[index] = before
            numeric = (values[0] - values[1]) / 2e-5
            assert numeric == pytest.approx(gradient[index].item(), rel=1e-4, abs=1e-8)


def test_each_player_learns_from_its_own_loss_alone():
    torch.manual_seed(0)
    encoder, generator = VectorEncoder(INPUT, WIDTH, 7), VectorGenerator(WIDTH, INPUT, 7)
    discriminator = VectorDiscriminator(INPUT, WIDTH, 7)
    game = Game(encoder, generator, discriminator, WIDTH, gradient_penalty=1.0)
    pairs = game.make_pairs(torch.randn(ROWS, INPUT))
    game.discriminator_step(pairs)
    assert all(p.grad is None for net in (encoder, generator) for p in net.parameters())
    assert all(p.grad is not None for p in discriminator.parameters())
    discriminator.zero_grad()
    game.encoder_generator_loss(pairs).backward()
    assert all(p.grad is None for p in discriminator.parameters())
    assert all(p.grad is not None for net in (encoder, generator) for p in net.parameters())


def test_a_stochastic_encoder_draws_in_training_only():
    encoder = VectorEncoder(INPUT, WIDTH, 7, stochastic=True)
    x = torch.randn(ROWS, INPUT)
    assert not torch.equal(encoder(x), encoder(x))
    encoder.eval()
    assert torch.equal(encoder(x), encoder(x))
