"""The game of encoder, generator and discriminator on a batch of data without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from spacy_thematic.bigan.objectives import (
    discriminator_loss,
    encoder_generator_loss,
    gradient_penalty,
    reconstruction_loss,
)


@dataclass(frozen=True)
class Stabilizers:
    """What keeps the game in balance; spectral normalisation is a setting of the discriminator.

    label_smoothing: see `discriminator_loss`. instance_noise: standard deviation of noise that is
    added to real and generated x alike (Sonderby et al. 2017). gradient_penalty: weight of it.
    reconstruction: weight of the squared error of G(E(x)), which is not the paper's.
    """

    label_smoothing: float = 0.0
    instance_noise: float = 0.0
    gradient_penalty: float = 0.0
    reconstruction: float = 0.0


@dataclass
class Measures:
    """Of one update of D, or means of several.

    discriminator_loss, encoder_generator_loss: L_D and L_EG. discriminator_accuracy: share of pairs
    that D tells rightly, 0.5 by chance. logit_spread: standard deviation of D's logits.
    generated_spread: mean distance between generated x, relative to that between real ones.
    """

    discriminator_loss: float
    encoder_generator_loss: float
    discriminator_accuracy: float
    logit_spread: float
    generated_spread: float


class Pairs(NamedTuple):
    """What the discriminator is to tell apart: (x, codes = E(x)) and (generated = G(z), z)."""

    x: Tensor
    codes: Tensor
    generated: Tensor
    z: Tensor


class Game:
    """Losses and gradients of E, G and D; whoever holds it makes the steps of the optimizers.

    encoder: x to z, (batch, width). generator: z to x. discriminator: x, z to logits, (batch,).
    width: of z, whose prior is N(0, 1). Randomness is torch's own.
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
        """The real pairs of a batch of data, and as many generated ones. They serve D first, and
        then E and G, which D's step leaves as they are."""
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
        x, codes = self._blur(x).requires_grad_(penalized), codes.requires_grad_(penalized)
        real, false = self._judge(x, codes, self._blur(generated), z)
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
        """L_EG, with what `stabilizers` add. Its gradient does not reach D's parameters."""
        self.discriminator.requires_grad_(False)
        real, false = self._judge(
            self._blur(pairs.x), pairs.codes, self._blur(pairs.generated), pairs.z
        )
        self.discriminator.requires_grad_(True)
        loss = encoder_generator_loss(real, false)
        if self.stabilizers.reconstruction:
            reconstructed = self.generator(pairs.codes)
            loss = loss + self.stabilizers.reconstruction * reconstruction_loss(
                pairs.x, reconstructed
            )
        return loss

    def _judge(
        self, x: Tensor, codes: Tensor, generated: Tensor, z: Tensor
    ) -> tuple[Tensor, Tensor]:
        logits = self.discriminator(torch.cat([x, generated]), torch.cat([codes, z]))
        real, false = logits.split(len(x))
        return real, false

    def _blur(self, x: Tensor) -> Tensor:
        noise = self.stabilizers.instance_noise
        return x + noise * torch.randn_like(x) if noise else x


def _spread(x: Tensor) -> Tensor:
    return torch.pdist(x.flatten(1)).mean()
