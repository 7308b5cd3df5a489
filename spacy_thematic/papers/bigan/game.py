"""The game of encoder, generator and discriminator on a batch of data without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from spacy_thematic.papers.bigan.losses import (
    discriminator_loss,
    encoder_generator_loss,
    gradient_penalty,
    reconstruction_loss,
)


@dataclass(frozen=True)
class Stabilizers:
    """What keeps the game in balance, beside the discriminator's spectral normalisation.

    Attributes:
        label_smoothing: See `discriminator_loss`.
        instance_noise: Standard deviation of noise that is added to real and generated x alike
            (Sonderby et al. 2017).
        gradient_penalty: Weight of the discriminator's `gradient_penalty`.
        reconstruction: Weight of the squared error of G(E(x)), which is not the paper's.
    """

    label_smoothing: float = 0.0
    instance_noise: float = 0.0
    gradient_penalty: float = 0.0
    reconstruction: float = 0.0


@dataclass
class Measures:
    """How one update of D went.

    Attributes:
        discriminator_loss: L_D.
        encoder_generator_loss: L_EG.
        discriminator_accuracy: Share of pairs that D classifies correctly, 0.5 by chance.
        logit_spread: Standard deviation of D's logits.
        generated_spread: Mean distance between generated x, relative to that between real x.
    """

    discriminator_loss: float
    encoder_generator_loss: float
    discriminator_accuracy: float
    logit_spread: float
    generated_spread: float


class Pairs(NamedTuple):
    """What the discriminator has to tell apart: (x, codes = E(x)) and (generated = G(z), z)."""

    x: Tensor
    codes: Tensor
    generated: Tensor
    z: Tensor


class Game:
    """Losses and gradients of E, G and D. The caller makes the steps of the optimizers. Random
    numbers are torch's own.

    Args:
        encoder: x to z, (batch, width).
        generator: z to x.
        discriminator: x and z to logits, (batch,).
        width: Width of z, whose prior is N(0, 1).
        stabilizers: None for none.
    """

    def __init__(
        self,
        encoder: nn.Module,
        generator: nn.Module,
        discriminator: nn.Module,
        width: int,
        stabilizers: Stabilizers | None = None,
    ):
        self.encoder = encoder
        self.generator = generator
        self.discriminator = discriminator
        self.width = width
        self.stabilizers = stabilizers or Stabilizers()

    def make_pairs(self, x: Tensor) -> Pairs:
        """Make the real pairs of a batch of data, and as many generated ones. D learns from them
        first, then E and G, which D's step does not change."""
        for module in (self.encoder, self.generator, self.discriminator):
            if not module.training:
                module.train()
        z = torch.randn(len(x), self.width, device=x.device)
        return Pairs(x, self.encoder(x), self.generator(z), z)

    def discriminator_step(self, pairs: Pairs) -> Measures:
        """Add the gradient of L_D to the discriminator's parameters."""
        settings = self.stabilizers
        penalized = settings.gradient_penalty > 0
        x, codes, generated, z = (tensor.detach() for tensor in pairs)
        x, codes = self._add_noise(x).requires_grad_(penalized), codes.requires_grad_(penalized)
        real, false = self._classify(x, codes, self._add_noise(generated), z)
        loss = discriminator_loss(real, false, settings.label_smoothing)
        total = loss
        if penalized:
            total = loss + settings.gradient_penalty * gradient_penalty(real, x, codes)
        total.backward()
        with torch.no_grad():
            return Measures(
                discriminator_loss=loss.item(),
                encoder_generator_loss=encoder_generator_loss(real, false).item(),
                discriminator_accuracy=torch.cat([real > 0, false < 0]).float().mean().item(),
                logit_spread=torch.cat([real, false]).std().item(),
                generated_spread=(_spread(generated) / _spread(pairs.x)).item(),
            )

    def encoder_generator_loss(self, pairs: Pairs) -> Tensor:
        """L_EG and what `stabilizers` add to it. Its gradient does not reach D's parameters."""
        self.discriminator.requires_grad_(False)
        real, false = self._classify(
            self._add_noise(pairs.x), pairs.codes, self._add_noise(pairs.generated), pairs.z
        )
        self.discriminator.requires_grad_(True)
        loss = encoder_generator_loss(real, false)
        if self.stabilizers.reconstruction:
            reconstructed = self.generator(pairs.codes)
            loss = loss + self.stabilizers.reconstruction * reconstruction_loss(
                pairs.x, reconstructed
            )
        return loss

    def _classify(
        self, x: Tensor, codes: Tensor, generated: Tensor, z: Tensor
    ) -> tuple[Tensor, Tensor]:
        logits = self.discriminator(torch.cat([x, generated]), torch.cat([codes, z]))
        real, false = logits.split(len(x))
        return real, false

    def _add_noise(self, x: Tensor) -> Tensor:
        noise = self.stabilizers.instance_noise
        return x + noise * torch.randn_like(x) if noise else x


def _spread(x: Tensor) -> Tensor:
    return torch.pdist(x.flatten(1)).mean()
