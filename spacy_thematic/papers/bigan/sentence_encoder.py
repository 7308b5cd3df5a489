"""The encoder of a Triplet BiGAN over sentence vectors in PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from spacy_thematic.papers.bigan.networks import VectorEncoder


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
        """Encode sentences.

        Args:
            features: (sentences, input_width), zeros for a sentence without words.
            lengths: Not used, since every sentence is one row.

        Returns:
            (sentences, width), zeros for zeros.
        """
        known = features.any(dim=1, keepdim=True)
        return self.encoder(self.standardize(features)) * known
