"""The networks of a BiGAN of vectors in PyTorch: encoder, generator and discriminator."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import spectral_norm


class Reparametrized(nn.Module):
    """The encoder's last block: z = mu + sigma * e with e from N(0, 1) (Kingma & Welling 2014).

    Outside of training, and always if it is not stochastic, z = mu.

    Args:
        make_layer: Makes a layer with a given number of outputs.
        width: Width of z.
        stochastic: Whether there is a sigma.
    """

    def __init__(
        self, make_layer: Callable[[int], nn.Linear | nn.Conv2d], width: int, stochastic: bool
    ):
        super().__init__()
        self.mean = make_layer(width)
        self.log_scale = make_layer(width) if stochastic else None

    def forward(self, features: Tensor) -> Tensor:
        mean = self.mean(features).flatten(1)
        if self.log_scale is None or not self.training:
            return mean
        scale = self.log_scale(features).flatten(1).clamp(max=4).exp()
        return mean + scale * torch.randn_like(mean)


class VectorEncoder(nn.Module):
    """E: x, (batch, input_width), to z, (batch, width).

    It normalises layers, since batch normalisation makes labelled and unlabelled batches differ.

    Args:
        input_width: Width of x.
        width: Width of z.
        hidden_width: Width of each hidden layer.
        depth: Number of hidden layers. With 0, E is a linear map, which at first keeps angles if z
            is as wide as x, and otherwise is a random projection.
        stochastic: See `Reparametrized`.
    """

    def __init__(
        self,
        input_width: int,
        width: int,
        hidden_width: int = 512,
        depth: int = 2,
        stochastic: bool = False,
    ):
        super().__init__()
        self.hidden = make_perceptron(input_width, hidden_width, depth, normalize=True)
        last_width = hidden_width if depth else input_width
        self.last = Reparametrized(lambda n: nn.Linear(last_width, n), width, stochastic)
        if not depth:
            nn.init.orthogonal_(self.last.mean.weight)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.hidden(x))


class VectorGenerator(nn.Module):
    """The generator G, from z, (batch, width), to x, (batch, output_width)."""

    def __init__(self, width: int, output_width: int, hidden_width: int = 512, depth: int = 2):
        super().__init__()
        self.hidden = make_perceptron(width, hidden_width, depth, normalize=True)
        self.last = nn.Linear(hidden_width, output_width)

    def forward(self, z: Tensor) -> Tensor:
        return self.last(self.hidden(z))


class VectorDiscriminator(nn.Module):
    """D: x, (batch, input_width), and z, (batch, width), to logits, (batch,), high for real pairs.

    D_x reads x, D_z reads z, and D_xz reads the outputs of both.

    Args:
        input_width: Width of x.
        width: Width of z.
        hidden_width: Width of each hidden layer.
        spectral_normalization: Whether each layer has it (Miyato et al. 2018).
    """

    def __init__(
        self,
        input_width: int,
        width: int,
        hidden_width: int = 512,
        spectral_normalization: bool = True,
    ):
        super().__init__()
        self.d_x = make_perceptron(input_width, hidden_width, 1)
        self.d_z = make_perceptron(width, hidden_width, 1)
        self.d_xz = nn.Sequential(
            make_perceptron(2 * hidden_width, hidden_width, 1), nn.Linear(hidden_width, 1)
        )
        if spectral_normalization:
            add_spectral_norm(self)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        return self.d_xz(torch.cat([self.d_x(x), self.d_z(z)], dim=1)).squeeze(1)


def make_perceptron(
    input_width: int, hidden_width: int, depth: int, normalize: bool = False
) -> nn.Sequential:
    """Make `depth` linear layers with leaky rectifiers, and with layer normalisation before each
    rectifier if `normalize` is true."""
    layers: list[nn.Module] = []
    for number in range(depth):
        layers.append(nn.Linear(hidden_width if number else input_width, hidden_width))
        if normalize:
            layers.append(nn.LayerNorm(hidden_width))
        layers.append(nn.LeakyReLU(0.2))
    return nn.Sequential(*layers)


def add_spectral_norm(module: nn.Module) -> None:
    """Divide the weights of each linear and convolutional layer of a module by their spectral
    norm."""
    for layer in list(module.modules()):
        if isinstance(layer, (nn.Linear, nn.Conv2d)):
            spectral_norm(layer)
