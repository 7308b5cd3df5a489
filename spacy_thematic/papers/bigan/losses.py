"""The losses of a BiGAN, all to be minimised; that of triplets is `spacy-thematic.TripletNLL.v1`.

Source: Zamorski & Zieba (2019), "Semi-supervised learning with Bidirectional GANs"; the adversarial
game is that of Donahue et al. (2017) and Dumoulin et al. (2017). Encoder and generator use the
non-saturating form.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def discriminator_loss(real: Tensor, generated: Tensor, smoothing: float = 0.0) -> Tensor:
    """L_D = softplus(-D(x, E(x))) + softplus(D(G(z), z)), the mean over the batch.

    Args:
        real: Logits of the pairs (x, E(x)), (batch,).
        generated: Logits of the pairs (G(z), z), (batch,).
        smoothing: Share of "generated" in the label of real pairs (one-sided label smoothing,
            Salimans et al. 2016).
    """
    return F.softplus(-real).mean() + smoothing * real.mean() + F.softplus(generated).mean()


def encoder_generator_loss(real: Tensor, generated: Tensor) -> Tensor:
    """L_EG = softplus(D(x, E(x))) + softplus(-D(G(z), z)), the mean over the batch.

    Args:
        real: Logits of the pairs (x, E(x)), (batch,).
        generated: Logits of the pairs (G(z), z), (batch,).
    """
    return F.softplus(real).mean() + F.softplus(-generated).mean()


def gradient_penalty(logits: Tensor, x: Tensor, z: Tensor) -> Tensor:
    """Half the squared norm of the discriminator's gradient at real pairs, the mean over the batch:
    the R1 of Mescheder et al. (2018).

    Args:
        logits: D(x, z), (batch,).
        x: Real data, (batch, ...), which requires a gradient.
        z: Their codes, (batch, width), which require a gradient.
    """
    gradients = torch.autograd.grad(logits.sum(), (x, z), create_graph=True)
    return 0.5 * sum(g.flatten(1).square().sum(dim=1) for g in gradients).mean()  # type: ignore[union-attr]


def reconstruction_loss(x: Tensor, reconstructed: Tensor) -> Tensor:
    """The mean squared error of G(E(x)), which is no part of the paper's objective."""
    return F.mse_loss(reconstructed, x)
