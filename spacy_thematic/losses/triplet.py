"""Losses of triplets and of pairs, with analytic gradients."""

from abc import abstractmethod
from dataclasses import dataclass

from spacy.util import registry
from thinc.api import get_array_module
from thinc.types import Floats1d, Floats2d

from spacy_thematic.losses.targets import BatchLoss, Distance, Targets, distance, normalize_rows

Penalties = tuple[Floats1d, Floats1d, Floats1d]
"""Of each triplet the loss, and its derivatives by d+ and by d-."""


@dataclass(eq=False)
class TripletLoss(BatchLoss):
    """The mean over triplets of a function of d+ = d(anchor, positive), d- = d(anchor, negative).

    Args:
        scale: factor of the distances.
        normalize: whether the vectors are scaled to unit length first.
    """

    distance: Distance = "L1"
    scale: float = 1.0
    normalize: bool = False

    @abstractmethod
    def penalty(self, near: Floats1d, far: Floats1d) -> Penalties:
        """The function, of d+ and d-, (m,)."""

    def __call__(self, guesses: Floats2d, truths: Targets) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without triplets."""
        ops, triplets = truths.ops, truths.triplets
        gradient = ops.alloc2f(*guesses.shape)
        if not len(triplets):
            return gradient, 0.0
        rows, backprop_unit = guesses, lambda d_rows: d_rows
        if self.normalize:
            rows, backprop_unit = normalize_rows(guesses)
        anchor, positive, negative = (ops.as_contig(triplets[:, i]) for i in range(3))
        near, backprop_near = distance(self.distance, rows[anchor], rows[positive])
        far, backprop_far = distance(self.distance, rows[anchor], rows[negative])
        losses, d_near, d_far = self.penalty(near * self.scale, far * self.scale)
        factor = self.scale / len(triplets)
        d_anchor, d_positive = backprop_near(d_near * factor)
        d_anchor_too, d_negative = backprop_far(d_far * factor)
        ops.scatter_add(gradient, anchor, (d_anchor + d_anchor_too).astype("f"))
        ops.scatter_add(gradient, positive, d_positive.astype("f"))
        ops.scatter_add(gradient, negative, d_negative.astype("f"))
        return backprop_unit(gradient), float(losses.mean())


@registry.losses("spacy-thematic.SoftmaxRatio.v1")
@dataclass(eq=False)
class SoftmaxRatio(TripletLoss):
    """The paper's loss: |p(d+)| + |1 - p(d-)| with p = softmax(d+, d-), that is 2 sigmoid(d+ - d-).

    Ein Dor et al. (2018), section 4; Hoffer & Ailon (2015). Chance value 1."""

    def penalty(self, near: Floats1d, far: Floats1d) -> Penalties:
        p = _sigmoid(near - far)
        slope = 2 * p * (1 - p)
        return 2 * p, slope, -slope


@registry.losses("spacy-thematic.TripletMargin.v1")
@dataclass(eq=False)
class TripletMargin(TripletLoss):
    """max(0, d+ - d- + margin), as in Schroff et al. (2015), with the margin in units of the scaled
    distance."""

    distance: Distance = "cosine"
    margin: float = 0.2

    def penalty(self, near: Floats1d, far: Floats1d) -> Penalties:
        losses = near - far + self.margin
        slope = (losses > 0).astype("f")
        return losses * slope, slope, -slope


@registry.losses("spacy-thematic.TripletNLL.v1")
@dataclass(eq=False)
class TripletNLL(TripletLoss):
    """-log p(d-) with p = softmax(d+, d-), that is softplus(d+ - d-): unlike the paper's loss it
    does not saturate on badly violated triplets. Zamorski & Zieba (2019), equation 7."""

    distance: Distance = "L2"

    def penalty(self, near: Floats1d, far: Floats1d) -> Penalties:
        slope = _sigmoid(near - far)
        return get_array_module(near).logaddexp(0, near - far), slope, -slope


@registry.losses("spacy-thematic.SiamesePairs.v1")
@dataclass(eq=False)
class SiamesePairs(TripletLoss):
    """Squared error of the similarity exp(-d) of pairs: 1 is wanted of anchor and positive, 0 of
    anchor and negative. The Siamese network of Mueller & Thyagarajan (2016), section 3, to which
    Ein Dor et al. (2018) prefer triplets: an absolute distance separates the pairs.

    The distances of wide vectors are so large that exp(-d) vanishes, and its gradient with it, so
    take 1 / (their mean) as the scale."""

    def penalty(self, near: Floats1d, far: Floats1d) -> Penalties:
        xp = get_array_module(near)
        alike, different = xp.exp(-near), xp.exp(-far)
        losses = ((1 - alike) ** 2 + different**2) / 2
        return losses, (1 - alike) * alike, -(different**2)


def _sigmoid(x: Floats1d) -> Floats1d:
    return 0.5 * (1 + get_array_module(x).tanh(0.5 * x))
