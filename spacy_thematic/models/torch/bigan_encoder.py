"""The encoder of a Triplet BiGAN over sentence vectors in PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


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


class Standardize(nn.Module):
    """Each column minus its mean, divided by its standard deviation; before `fit` unchanged."""

    mean: Tensor
    scale: Tensor

    def __init__(self, width: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))

    def fit(self, features: Tensor) -> None:
        """Take mean and deviation from rows, (n, width). A constant column is only centred."""
        self.mean.copy_(features.mean(dim=0))
        scale = features.std(dim=0, correction=0)
        self.scale.copy_(torch.where(scale > 1e-6, scale, 1.0))

    def forward(self, features: Tensor) -> Tensor:
        return (features - self.mean) / self.scale


class SentenceEncoder(nn.Module):
    """Features of sentences to their vectors: `Standardize`, then `VectorEncoder`.

    Args:
        input_width: Width of the features; None to build the layers later, with `build`.
        width: Width of the vectors.
        hidden_width: See `VectorEncoder`.
        depth: See `VectorEncoder`.
        stochastic: See `VectorEncoder`.
    """

    input_weight = "standardize.mean"
    standardize: Standardize
    encoder: VectorEncoder

    def __init__(
        self,
        input_width: int | None,
        width: int,
        hidden_width: int = 512,
        depth: int = 2,
        stochastic: bool = False,
    ):
        super().__init__()
        self.sizes = (width, hidden_width, depth, stochastic)
        if input_width is not None:
            self.build(input_width)

    def build(self, input_width: int) -> None:
        """Make the layers, whose sizes depend on the width of the features."""
        self.standardize = Standardize(input_width)
        self.encoder = VectorEncoder(input_width, *self.sizes)

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Encode features, (sentences, input_width): (sentences, width), zeros for zeros. Lengths
        are not used, since every sentence is one row."""
        known = features.any(dim=1, keepdim=True)
        return self.encoder(self.standardize(features)) * known
