"""Encoder, generator and discriminator of vectors: perceptrons."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import spectral_norm


class Reparametrized(nn.Module):
    """The encoder's last block: z = mu + sigma * e with e from N(0, 1) (Kingma & Welling 2014).

    Outside of training, and for good with `stochastic` false, z = mu.

    make_layer: makes a layer, given its number of outputs. width: of z.
    """

    def __init__(self, make_layer, width: int, stochastic: bool):
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
    """E: x, (batch, input_width), to z, (batch, width). Layer normalisation: batch normalisation
    makes labelled and unlabelled batches differ.

    hidden_width: of each of `depth` hidden layers; with depth 0, E is linear, and at first
    leaves angles as they are, or projects at random. stochastic: see `Reparametrized`.
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
        self.hidden = perceptron(input_width, hidden_width, depth, normalize=True)
        last_width = hidden_width if depth else input_width
        self.last = Reparametrized(lambda n: nn.Linear(last_width, n), width, stochastic)
        if not depth:
            nn.init.orthogonal_(self.last.mean.weight)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.hidden(x))


class VectorGenerator(nn.Module):
    """G: z, (batch, width), to x, (batch, output_width)."""

    def __init__(self, width: int, output_width: int, hidden_width: int = 512, depth: int = 2):
        super().__init__()
        self.hidden = perceptron(width, hidden_width, depth, normalize=True)
        self.last = nn.Linear(hidden_width, output_width)

    def forward(self, z: Tensor) -> Tensor:
        return self.last(self.hidden(z))


class VectorDiscriminator(nn.Module):
    """D: x, (batch, input_width), and z, (batch, width), to logits, (batch,), high for real pairs.

    D_x and D_z read x and z by themselves, D_xz what both have found. spectral_normalization: of
    each layer (Miyato et al. 2018).
    """

    def __init__(
        self,
        input_width: int,
        width: int,
        hidden_width: int = 512,
        spectral_normalization: bool = True,
    ):
        super().__init__()
        self.d_x = perceptron(input_width, hidden_width, 1)
        self.d_z = perceptron(width, hidden_width, 1)
        self.d_xz = nn.Sequential(
            perceptron(2 * hidden_width, hidden_width, 1), nn.Linear(hidden_width, 1)
        )
        if spectral_normalization:
            normalize_spectrum(self)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        return self.d_xz(torch.cat([self.d_x(x), self.d_z(z)], dim=1)).squeeze(1)


def perceptron(
    input_width: int, hidden_width: int, depth: int, normalize: bool = False
) -> nn.Sequential:
    """Linear layers with leaky rectifiers; normalize: with layer normalisation before each."""
    layers: list[nn.Module] = []
    for number in range(depth):
        layers.append(nn.Linear(hidden_width if number else input_width, hidden_width))
        if normalize:
            layers.append(nn.LayerNorm(hidden_width))
        layers.append(nn.LeakyReLU(0.2))
    return nn.Sequential(*layers)


def normalize_spectrum(module: nn.Module) -> None:
    """Give each weight of the module's layers the spectral norm 1."""
    for layer in list(module.modules()):
        if isinstance(layer, (nn.Linear, nn.Conv2d)):
            spectral_norm(layer)
