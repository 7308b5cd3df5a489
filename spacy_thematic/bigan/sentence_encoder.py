"""The encoder of sentences in PyTorch: E over standardised features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from spacy_thematic.bigan.vectors import VectorEncoder
from spacy_thematic.models.torch.attention import at_least_min_rows


class Standardize(nn.Module):
    """Each column minus its mean, divided by its standard deviation; as they are before `fit`."""

    mean: Tensor
    scale: Tensor

    def __init__(self, width: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))

    def fit(self, features: Tensor) -> None:
        """Take mean and deviation from rows, (n, width). A column that does not vary is left as it
        is but for its mean."""
        self.mean.copy_(features.mean(dim=0))
        scale = features.std(dim=0, correction=0)
        self.scale.copy_(torch.where(scale > 1e-6, scale, 1.0))

    def forward(self, features: Tensor) -> Tensor:
        return (features - self.mean) / self.scale


class SentenceEncoder(nn.Module):
    """Features of sentences to their vectors: `Standardize`, then `VectorEncoder`.

    A vector does not depend, not even in the last bit, on what else is in the batch.

    input_width: of the features; None to build the layers later, with `build`. The other settings
    are those of `VectorEncoder`.
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
        """Make the layers; their sizes depend on the width of the features."""
        self.standardize = Standardize(input_width)
        self.encoder = VectorEncoder(input_width, *self.sizes)

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """features: (sentences, input_width), zeros for a sentence without words. lengths: not
        used, as every sentence is one row. Returns (sentences, width); zeros for zeros."""
        known = features.any(dim=1, keepdim=True)
        codes = self.encoder(self.standardize(at_least_min_rows(features)))
        return codes[: len(features)] * known
