"""The objectives of Triplet BiGAN, all to be minimised.

Source: Zamorski & Zieba (2019), "Semi-supervised learning with Bidirectional GANs"; the adversarial
game is that of Donahue et al. (2017) and Dumoulin et al. (2017). The encoder and the generator use
the non-saturating form.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

EPSILON = 1e-8


def discriminator_loss(real: Tensor, generated: Tensor, smoothing: float = 0.0) -> Tensor:
    """L_D = softplus(-D(x, E(x))) + softplus(D(G(z), z)), the mean over the batch.

    real, generated: (batch,) logits of the pairs (x, E(x)) and (G(z), z). smoothing: the share of
    "generated" in the label of real pairs (one-sided label smoothing, Salimans et al. 2016).
    """
    return F.softplus(-real).mean() + smoothing * real.mean() + F.softplus(generated).mean()


def encoder_generator_loss(real: Tensor, generated: Tensor) -> Tensor:
    """L_EG = softplus(D(x, E(x))) + softplus(-D(G(z), z)), the mean over the batch.

    real, generated: (batch,) logits of the pairs (x, E(x)) and (G(z), z).
    """
    return F.softplus(real).mean() + F.softplus(-generated).mean()


def triplet_loss(codes: Tensor, triplets: Tensor) -> Tensor:
    """L_T = -log p_T = softplus(|q - p| - |q - n|) with L2 distances, the mean over triplets.

    codes: (n, width) the encoder's vectors. triplets: (m, 3) row numbers of anchor, positive,
    negative. Equation 7.
    """
    anchor, positive, negative = (codes[triplets[:, i]] for i in range(3))
    return F.softplus(_distance(anchor, positive) - _distance(anchor, negative)).mean()


def gradient_penalty(logits: Tensor, x: Tensor, z: Tensor) -> Tensor:
    """Half the squared norm of the discriminator's gradient at real pairs, the mean over the batch:
    the R1 of Mescheder et al. (2018). x and z must require a gradient."""
    gradients = torch.autograd.grad(logits.sum(), (x, z), create_graph=True)
    return 0.5 * sum(g.flatten(1).square().sum(dim=1) for g in gradients).mean()  # type: ignore[union-attr]


def reconstruction_loss(x: Tensor, reconstructed: Tensor) -> Tensor:
    """The mean squared error of G(E(x)). Not part of the paper's objective."""
    return F.mse_loss(reconstructed, x)


def _distance(a: Tensor, b: Tensor) -> Tensor:
    return ((a - b).square().sum(dim=1) + EPSILON).sqrt()
