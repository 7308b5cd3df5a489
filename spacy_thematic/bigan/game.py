"""The game of encoder, generator and discriminator on a batch of data without labels."""

from __future__ import annotations

from dataclasses import dataclass

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

    def play_discriminator(self, x: Tensor) -> Measures:
        """Add the gradient of L_D to the discriminator's parameters. x: a batch of real data."""
        self._train()
        settings = self.stabilizers
        penalized = settings.gradient_penalty > 0
        with torch.no_grad():
            z = self._draw(x)
            codes, generated = self.encoder(x), self.generator(z)
        real_x = self._blur(x).requires_grad_(penalized)
        codes.requires_grad_(penalized)
        real = self.discriminator(real_x, codes)
        false = self.discriminator(self._blur(generated), z)
        loss = discriminator_loss(real, false, settings.label_smoothing)
        total = loss
        if penalized:
            total = loss + settings.gradient_penalty * gradient_penalty(real, real_x, codes)
        total.backward()
        with torch.no_grad():
            return Measures(
                discriminator_loss=loss.item(),
                encoder_generator_loss=encoder_generator_loss(real, false).item(),
                discriminator_accuracy=torch.cat([real > 0, false < 0]).float().mean().item(),
                logit_spread=torch.cat([real, false]).std().item(),
                generated_spread=(_spread(generated) / _spread(x)).item(),
            )

    def encoder_generator_loss(self, x: Tensor) -> Tensor:
        """L_EG on a batch of real data, with what `stabilizers` add. Its gradient does not reach
        the discriminator's parameters."""
        self._train()
        self.discriminator.requires_grad_(False)
        z = self._draw(x)
        codes = self.encoder(x)
        real = self.discriminator(self._blur(x), codes)
        false = self.discriminator(self._blur(self.generator(z)), z)
        self.discriminator.requires_grad_(True)
        loss = encoder_generator_loss(real, false)
        if self.stabilizers.reconstruction:
            reconstructed = self.generator(codes)
            loss = loss + self.stabilizers.reconstruction * reconstruction_loss(x, reconstructed)
        return loss

    def _train(self) -> None:
        for module in (self.encoder, self.generator, self.discriminator):
            module.train()

    def _draw(self, x: Tensor) -> Tensor:
        return torch.randn(len(x), self.width, device=x.device)

    def _blur(self, x: Tensor) -> Tensor:
        noise = self.stabilizers.instance_noise
        return x + noise * torch.randn_like(x) if noise else x.clone()


def _spread(x: Tensor) -> Tensor:
    return torch.pdist(x.flatten(1)).mean()
