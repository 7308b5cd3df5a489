"""Losses of triplets and of pairs, with analytic gradients."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from spacy.util import registry
from thinc.api import get_array_module
from thinc.loss import Loss
from thinc.types import Floats1d, Floats2d

from spacy_thematic.losses.distances import BatchLoss, Targets, distance, normalize_rows


@dataclass(eq=False)
class TripletLoss(BatchLoss):
    """The mean over triplets of a function of d+ = d(anchor, positive), d- = d(anchor, negative).

    Attributes:
        penalty: of d+ and d-, returns the loss of each triplet and its derivatives by d+ and d-.
        normalize: whether the vectors are scaled to unit length first.
    """

    penalty: Callable
    distance: str
    scale: float
    normalize: bool

    def __call__(self, guesses: Floats2d, truths: Targets) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without triplets."""
        ops, triplets = truths.ops, truths.triplets
        gradient = ops.alloc2f(*guesses.shape)
        if not len(triplets):
            return gradient, 0.0
        rows, backprop_unit = normalize_rows(guesses) if self.normalize else (guesses, _identity)
        anchor, positive, negative = (ops.as_contig(triplets[:, i]) for i in range(3))
        near, backprop_near = distance(self.distance, rows[anchor], rows[positive])
        far, backprop_far = distance(self.distance, rows[anchor], rows[negative])
        losses, d_near, d_far = self.penalty(near * self.scale, far * self.scale)
        factor = self.scale / len(triplets)
        d_anchor, d_positive = backprop_near(d_near * factor)
        d_anchor_too, d_negative = backprop_far(d_far * factor)
        for index, values in (
            (anchor, d_anchor + d_anchor_too),
            (positive, d_positive),
            (negative, d_negative),
        ):
            ops.scatter_add(gradient, index, values.astype("f"))
        return backprop_unit(gradient), float(losses.mean())


def _identity(dY: Floats2d) -> Floats2d:
    return dY


@registry.losses("spacy-thematic.SoftmaxRatio.v1")
def create_softmax_ratio(
    distance: Literal["L1", "L2", "cosine"] = "L1", scale: float = 1.0, normalize: bool = False
) -> Loss:
    """The paper's loss: |p(d+)| + |1 - p(d-)| with p = softmax(d+, d-), that is 2 sigmoid(d+ - d-).
    `normalize` scales vectors to unit length first.

    Ein Dor et al. (2018), section 4; Hoffer & Ailon (2015). Chance value 1."""
    return TripletLoss(softmax_ratio, distance, scale, normalize)


def softmax_ratio(near: Floats1d, far: Floats1d) -> tuple[Floats1d, Floats1d, Floats1d]:
    """2 sigmoid(d+ - d-) and its derivatives, +- 2 p (1 - p)."""
    xp = get_array_module(near)
    p = 0.5 * (1 + xp.tanh(0.5 * (near - far)))
    slope = 2 * p * (1 - p)
    return 2 * p, slope, -slope


@registry.losses("spacy-thematic.TripletMargin.v1")
def create_triplet_margin(
    distance: Literal["L1", "L2", "cosine"] = "cosine",
    margin: float = 0.2,
    scale: float = 1.0,
    normalize: bool = False,
) -> Loss:
    """max(0, d+ - d- + margin), as in Schroff et al. (2015), with the margin in units of the scaled
    distance. Other settings are those of `SoftmaxRatio.v1`."""
    return TripletLoss(partial(triplet_margin, margin=margin), distance, scale, normalize)


def triplet_margin(
    near: Floats1d, far: Floats1d, margin: float
) -> tuple[Floats1d, Floats1d, Floats1d]:
    """max(0, d+ - d- + margin) and its derivatives, 1 and -1 where it is positive."""
    losses = near - far + margin
    slope = (losses > 0).astype("f")
    return losses * slope, slope, -slope


@registry.losses("spacy-thematic.TripletNLL.v1")
def create_triplet_nll(
    distance: Literal["L1", "L2", "cosine"] = "L2", scale: float = 1.0, normalize: bool = False
) -> Loss:
    """-log p(d-) with p = softmax(d+, d-), that is softplus(d+ - d-): unlike the paper's loss it
    does not saturate on badly violated triplets. Zamorski & Zieba (2019), equation 7. The settings
    are those of `SoftmaxRatio.v1`."""
    return TripletLoss(triplet_nll, distance, scale, normalize)


def triplet_nll(near: Floats1d, far: Floats1d) -> tuple[Floats1d, Floats1d, Floats1d]:
    """softplus(d+ - d-) and its derivatives, +- sigmoid(d+ - d-)."""
    xp = get_array_module(near)
    slope = 0.5 * (1 + xp.tanh(0.5 * (near - far)))
    return xp.logaddexp(0, near - far), slope, -slope


@registry.losses("spacy-thematic.SiamesePairs.v1")
def create_siamese_pairs(
    distance: Literal["L1", "L2", "cosine"] = "L1", scale: float = 1.0, normalize: bool = False
) -> Loss:
    """Squared error of the similarity exp(-d) of pairs: 1 is wanted of anchor and positive, 0 of
    anchor and negative. The Siamese network of Mueller & Thyagarajan (2016), section 3, to which
    Ein Dor et al. (2018) prefer triplets: an absolute distance separates the pairs.

    Args:
        scale: factor of the distances. Those of wide vectors are so large that exp(-d) vanishes,
            and its gradient with it, so take 1 / (their mean).
        normalize: whether the vectors are scaled to unit length first.
    """
    return TripletLoss(siamese_pairs, distance, scale, normalize)


def siamese_pairs(near: Floats1d, far: Floats1d) -> tuple[Floats1d, Floats1d, Floats1d]:
    """((1 - exp(-d+))^2 + exp(-d-)^2) / 2, the mean of both pairs, and its derivatives."""
    xp = get_array_module(near)
    alike, different = xp.exp(-near), xp.exp(-far)
    losses = ((1 - alike) ** 2 + different**2) / 2
    return losses, (1 - alike) * alike, -(different**2)
