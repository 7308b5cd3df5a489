"""The contrastive loss over sections, with its analytic gradient."""

from spacy.util import registry
from thinc.api import get_array_module
from thinc.loss import Loss
from thinc.types import Floats2d

from spacy_thematic.losses.distances import normalize_rows
from spacy_thematic.losses.targets import Targets


class SectionContrastive(Loss):
    """Supervised contrastive loss with the other sentences of the section as positives."""

    def __init__(self, temperature: float, batch_weight: float):
        self.temperature = temperature
        self.batch_weight = batch_weight

    def __call__(self, guesses: Floats2d, truths: Targets) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without positives."""
        xp = get_array_module(guesses)
        unit, backprop_unit = normalize_rows(guesses)
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

    def get_grad(self, guesses: Floats2d, truths: Targets) -> Floats2d:
        return self(guesses, truths)[0]

    def get_loss(self, guesses: Floats2d, truths: Targets) -> float:
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
