"""The contrastive loss over sections, with its analytic gradient."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spacy.util import registry
from thinc.api import get_array_module
from thinc.loss import Loss
from thinc.types import Floats2d, Ints1d

from spacy_thematic.losses.targets import BatchLoss, Targets, normalize_rows


@registry.losses("spacy-thematic.CentredContrastive.v1")
@dataclass(eq=False)
class CentredContrastive(BatchLoss):
    """`SectionContrastive.v1` with a second view of each article: vectors less the article's mean,
    which is how themes are told apart when a text is clustered.

    Args:
        centred_temperature: of the cosines of centred vectors.
        centred_share: of the centred view among hard negatives, 0 to 1.
        batch_weight: of the contrast with sentences of all articles.
        batch_size: sentences that are drawn for the latter, 0 for all.
    """

    temperature: float = 0.08
    centred_temperature: float = 0.15
    centred_share: float = 0.5
    batch_weight: float = 0.3
    batch_size: int = 400

    def __call__(self, guesses: Floats2d, truths: Targets) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without positives."""
        xp = get_array_module(truths.articles)
        unit, backprop_unit = normalize_rows(guesses)
        n_articles = int(truths.articles.max(initial=-1)) + 1
        articles = [xp.flatnonzero(truths.articles == number) for number in range(n_articles)]
        loss, d_unit = _contrast(unit, truths.sections, articles, self.temperature)
        loss *= 1 - self.centred_share
        d_unit *= 1 - self.centred_share
        if self.batch_weight:
            rows = self._draw(truths)
            batch_loss, d_batch = _contrast(unit, truths.sections, [rows], self.temperature)
            loss += self.batch_weight * batch_loss
            d_unit += self.batch_weight * d_batch
        if self.centred_share:
            centred, backprop_centred = _centre(unit, truths.articles)
            centred, backprop_rows = normalize_rows(centred)
            centred_loss, d_centred = _contrast(
                centred, truths.sections, articles, self.centred_temperature
            )
            loss += self.centred_share * centred_loss
            d_unit += backprop_centred(backprop_rows(self.centred_share * d_centred))
        return backprop_unit(d_unit).astype("f"), float(loss)

    def _draw(self, truths: Targets) -> Ints1d:
        """The rows that are contrasted whatever their article: all, or `batch_size` at random."""
        xp = get_array_module(truths.sections)
        n = len(truths.sections)
        if not self.batch_size or n <= self.batch_size:
            return xp.arange(n)
        return xp.asarray(truths.rng.permutation(n)[: self.batch_size])


def _centre(X: Floats2d, articles: Ints1d) -> tuple[Floats2d, Callable[[Floats2d], Floats2d]]:
    """The rows less the mean of their article, and the callback for the gradient, the same map."""
    xp = get_array_module(X)
    members = (xp.arange(int(articles.max(initial=-1)) + 1)[:, None] == articles).astype("f")
    members /= xp.maximum(members.sum(axis=1, keepdims=True), 1)

    def subtract_means(rows: Floats2d) -> Floats2d:
        return rows - (members @ rows)[articles]

    return subtract_means(X), subtract_means


def _contrast(
    unit: Floats2d, sections: Ints1d, groups: Sequence[Ints1d], temperature: float
) -> tuple[float, Floats2d]:
    """Mean over the rows that have positives of the cross-entropy between softmax over the others
    of their group and the uniform distribution over the positives; and its gradient. Groups are
    contrasted one by one: the matrix of all rows would be a hundred times theirs."""
    xp = get_array_module(unit)
    gradient = xp.zeros_like(unit)
    loss = n_anchors = 0.0
    for rows in groups:
        own = unit[rows]
        similarity = own @ own.T / temperature
        others = ~xp.eye(len(rows), dtype=bool)
        positive = (sections[rows][:, None] == sections[rows]) & others
        n_positive = positive.sum(axis=1, keepdims=True)
        anchors = (n_positive > 0).astype("f")
        target = (positive / xp.maximum(n_positive, 1)).astype("f")
        masked = xp.where(others, similarity, -xp.inf)
        highest = xp.where(anchors > 0, masked.max(axis=1, keepdims=True, initial=-xp.inf), 0)
        exponential = xp.exp(masked - highest)
        total = xp.maximum(exponential.sum(axis=1, keepdims=True), 1e-30)
        losses = anchors * (xp.log(total) + highest) - (target * similarity).sum(
            axis=1, keepdims=True
        )
        d_similarity = (exponential / total - target) * anchors
        gradient[rows] = (d_similarity + d_similarity.T) @ own / temperature
        loss += float(losses.sum())
        n_anchors += float(anchors.sum())
    n_anchors = max(n_anchors, 1.0)
    return loss / n_anchors, gradient / n_anchors


@registry.losses("spacy-thematic.SectionContrastive.v1")
def create_section_contrastive(temperature: float = 0.1, batch_weight: float = 0.3) -> Loss:
    """For sentence i with positives P(i), the other sentences of its section,

        -1/|P(i)| sum_p log( exp(cos(i, p) / t) / sum_{a in A(i)} exp(cos(i, a) / t) )

    averaged over the sentences that have positives; A(i) once the other sentences of the article
    (hard negatives), and once, weighted by `batch_weight`, those of the whole batch.
    After Khosla et al. (2020)."""
    return CentredContrastive(
        temperature, centred_share=0.0, batch_weight=batch_weight, batch_size=0
    )
