"""Losses over the sentences of a batch of articles, with analytic gradients."""

from dataclasses import dataclass
from functools import partial
from typing import Callable, Literal

from spacy.util import registry
from thinc.api import Ops, get_array_module
from thinc.loss import Loss
from thinc.types import Floats1d, Floats2d, Ints1d, Ints2d

from spacy_thematic.training.distances import distance, unit_rows


@dataclass
class Rows:
    """What a loss is told of the n encoded rows (sentences and titles) of a batch.

    triplets: (m, 3) row numbers of anchor, positive, negative. sections: (n,) a number for each
    section, distinct between articles. articles: (n,) a number for each article.
    """

    triplets: Ints2d
    sections: Ints1d
    articles: Ints1d
    ops: Ops


class TripletLoss(Loss):
    """The mean over triplets of a function of d+ = d(anchor, positive), d- = d(anchor, negative).

    penalty(d+, d-) returns the loss of each triplet and its derivatives by d+ and by d-.
    """

    def __init__(self, penalty: Callable, distance: str, scale: float, normalize: bool):
        self.penalty = penalty
        self.distance = distance
        self.scale = scale
        self.normalize = normalize

    def __call__(self, guesses: Floats2d, truths: Rows) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without triplets."""
        ops, triplets = truths.ops, truths.triplets
        gradient = ops.alloc2f(*guesses.shape)
        if not len(triplets):
            return gradient, 0.0
        rows, backprop_unit = unit_rows(guesses) if self.normalize else (guesses, _identity)
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

    def get_grad(self, guesses: Floats2d, truths: Rows) -> Floats2d:
        return self(guesses, truths)[0]

    def get_loss(self, guesses: Floats2d, truths: Rows) -> float:
        return self(guesses, truths)[1]


def _identity(dY: Floats2d) -> Floats2d:
    return dY


@registry.losses("spacy-thematic.SoftmaxRatio.v1")
def create_softmax_ratio(
    distance: Literal["L1", "L2", "cosine"] = "L1", scale: float = 1.0, normalize: bool = False
) -> Loss:
    """The paper's loss: |p(d+)| + |1 - p(d-)| with p = softmax(d+, d-), that is 2 sigmoid(d+ - d-).

    Ein Dor et al. (2018), section 4; Hoffer & Ailon (2015). Chance value 1.
    distance: "L1" is the paper's. scale: factor of the distances. normalize: scale the vectors to
    unit length first.
    """
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
    """max(0, d+ - d- + margin), as in Schroff et al. (2015).

    margin: in units of the scaled distance. The other settings are those of SoftmaxRatio.
    """
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
    does not saturate on badly violated triplets. Zamorski & Zieba (2019), equation 7.
    """
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
    Ein Dor et al. (2018) prefer triplets: pairs are told apart by an absolute distance.

    distance: "L1" is theirs. scale: factor of the distances; of wide vectors they are so large that
    exp(-d) vanishes, and its gradient with it, so take 1 / (their mean). normalize: scale the
    vectors to unit length first.
    """
    return TripletLoss(siamese_pairs, distance, scale, normalize)


def siamese_pairs(near: Floats1d, far: Floats1d) -> tuple[Floats1d, Floats1d, Floats1d]:
    """((1 - exp(-d+))^2 + exp(-d-)^2) / 2, the mean of both pairs, and its derivatives."""
    xp = get_array_module(near)
    alike, different = xp.exp(-near), xp.exp(-far)
    losses = ((1 - alike) ** 2 + different**2) / 2
    return losses, (1 - alike) * alike, -(different**2)


class SectionContrastive(Loss):
    """Supervised contrastive loss with the other sentences of the section as positives."""

    def __init__(self, temperature: float, batch_weight: float):
        self.temperature = temperature
        self.batch_weight = batch_weight

    def __call__(self, guesses: Floats2d, truths: Rows) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without positives."""
        xp = get_array_module(guesses)
        unit, backprop_unit = unit_rows(guesses)
        similarity = unit @ unit.T / self.temperature
        others = ~xp.eye(len(unit), dtype=bool)
        positive = (truths.sections[:, None] == truths.sections) & others
        article = (truths.articles[:, None] == truths.articles) & others
        loss, d_similarity = _contrast(similarity, positive, article)
        if self.batch_weight:
            batch_loss, d_batch = _contrast(similarity, positive, others)
            loss += self.batch_weight * batch_loss
            d_similarity += self.batch_weight * d_batch
        d_unit = (d_similarity + d_similarity.T) @ unit / self.temperature
        return backprop_unit(d_unit).astype("f"), loss

    def get_grad(self, guesses: Floats2d, truths: Rows) -> Floats2d:
        return self(guesses, truths)[0]

    def get_loss(self, guesses: Floats2d, truths: Rows) -> float:
        return self(guesses, truths)[1]


def _contrast(similarity: Floats2d, positive, candidates) -> tuple[float, Floats2d]:
    """Mean over the rows that have positives of the cross-entropy between softmax over the
    candidates and the uniform distribution over the positives; and its gradient."""
    xp = get_array_module(similarity)
    n_positive = positive.sum(axis=1, keepdims=True)
    anchors = (n_positive > 0).astype("f")
    n_anchors = max(float(anchors.sum()), 1.0)
    target = positive / xp.maximum(n_positive, 1)
    masked = xp.where(candidates, similarity, -xp.inf)
    highest = xp.where(anchors > 0, masked.max(axis=1, keepdims=True), 0)
    exponential = xp.exp(masked - highest)
    total = xp.maximum(exponential.sum(axis=1, keepdims=True), 1e-30)
    log_total = xp.log(total) + highest
    losses = anchors * log_total - (target * similarity).sum(axis=1, keepdims=True)
    gradient = (exponential / total - target) * (anchors / n_anchors)
    return float(losses.sum() / n_anchors), gradient.astype("f")


@registry.losses("spacy-thematic.SectionContrastive.v1")
def create_section_contrastive(temperature: float = 0.1, batch_weight: float = 0.3) -> Loss:
    """For sentence i with positives P(i), the other sentences of its section,

        -1/|P(i)| sum_p log( exp(cos(i, p) / t) / sum_{a in A(i)} exp(cos(i, a) / t) )

    averaged over the sentences that have positives; A(i) once the other sentences of the article
    (hard negatives), and once, weighted by `batch_weight`, those of the whole batch.
    After Khosla et al. (2020). temperature: t.
    """
    return SectionContrastive(temperature, batch_weight)
