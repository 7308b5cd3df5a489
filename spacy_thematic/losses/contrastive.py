"""The contrastive loss over sections, with its analytic gradient."""

from collections.abc import Callable

from spacy.util import registry
from thinc.api import get_array_module
from thinc.loss import Loss
from thinc.types import Floats2d, Ints1d

from spacy_thematic.losses.distances import normalize_rows
from spacy_thematic.losses.targets import Targets


class SectionContrastive(Loss):
    """Supervised contrastive loss with the other sentences of the section as positives.

    The settings are those of `create_section_contrastive` and `create_centred_contrastive`.
    """

    def __init__(
        self,
        temperature: float,
        batch_weight: float,
        centred_share: float = 0.0,
        centred_temperature: float = 1.0,
        batch_size: int = 0,
    ):
        self.temperature = temperature
        self.batch_weight = batch_weight
        self.centred_share = centred_share
        self.centred_temperature = centred_temperature
        self.batch_size = batch_size

    def __call__(self, guesses: Floats2d, truths: Targets) -> tuple[Floats2d, float]:
        """Returns the gradient, (n, width), and the loss. Both are 0 without positives."""
        xp = get_array_module(guesses)
        unit, backprop_unit = normalize_rows(guesses)
        similarity = unit @ unit.T / self.temperature
        others = ~xp.eye(len(unit), dtype=bool)
        positive = (truths.sections[:, None] == truths.sections) & others
        article = (truths.articles[:, None] == truths.articles) & others
        loss, d_similarity = _contrast(similarity, positive, article)
        loss *= 1 - self.centred_share
        d_similarity *= 1 - self.centred_share
        if self.batch_weight:
            batch_loss, d_batch = self._contrast_batch(similarity, positive, others, truths)
            loss += self.batch_weight * batch_loss
            d_similarity += self.batch_weight * d_batch
        d_unit = (d_similarity + d_similarity.T) @ unit / self.temperature
        if self.centred_share:
            centred, backprop_centred = _centre(unit, truths.articles)
            centred, backprop_rows = normalize_rows(centred)
            similarity = centred @ centred.T / self.centred_temperature
            centred_loss, d_similarity = _contrast(similarity, positive, article)
            loss += self.centred_share * centred_loss
            d_similarity *= self.centred_share / self.centred_temperature
            d_unit += backprop_centred(backprop_rows((d_similarity + d_similarity.T) @ centred))
        return backprop_unit(d_unit).astype("f"), float(loss)

    def get_grad(self, guesses: Floats2d, truths: Targets) -> Floats2d:
        return self(guesses, truths)[0]

    def get_loss(self, guesses: Floats2d, truths: Targets) -> float:
        return self(guesses, truths)[1]

    def _contrast_batch(
        self, similarity: Floats2d, positive, others, truths: Targets
    ) -> tuple[float, Floats2d]:
        """`_contrast` with all rows as candidates, of `batch_size` rows drawn at random."""
        if not self.batch_size or len(similarity) <= self.batch_size:
            return _contrast(similarity, positive, others)
        xp = get_array_module(similarity)
        drawn = xp.asarray(truths.rng.permutation(len(similarity))[: self.batch_size])
        block = drawn[:, None], drawn
        loss, d_block = _contrast(similarity[block], positive[block], others[block])
        d_similarity = xp.zeros_like(similarity)
        d_similarity[block] = d_block
        return loss, d_similarity


def _centre(X: Floats2d, articles: Ints1d) -> tuple[Floats2d, Callable[[Floats2d], Floats2d]]:
    """The rows less the mean of their article, and the callback for the gradient, which is the
    same map."""
    xp = get_array_module(X)
    members = (xp.arange(int(articles.max(initial=-1)) + 1)[:, None] == articles).astype("f")
    members /= xp.maximum(members.sum(axis=1, keepdims=True), 1)

    def subtract_means(rows: Floats2d) -> Floats2d:
        return rows - (members @ rows)[articles]

    return subtract_means(X), subtract_means


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
    After Khosla et al. (2020).

    Args:
        temperature: t.
        batch_weight: of the contrast with the whole batch.
    """
    return SectionContrastive(temperature, batch_weight)


@registry.losses("spacy-thematic.CentredContrastive.v1")
def create_centred_contrastive(
    temperature: float = 0.08,
    centred_temperature: float = 0.15,
    centred_share: float = 0.5,
    batch_weight: float = 0.3,
    batch_size: int = 400,
) -> Loss:
    """`SectionContrastive.v1` with a second view of each article: vectors less the article's mean,
    which is how themes are told apart when a text is clustered.

    Args:
        temperature: of the cosines as they are.
        centred_temperature: of the cosines of centred vectors.
        centred_share: of the centred view among hard negatives, 0 to 1.
        batch_weight: of the contrast with sentences of all articles.
        batch_size: sentences that are drawn for the latter, 0 for all.
    """
    return SectionContrastive(
        temperature, batch_weight, centred_share, centred_temperature, batch_size
    )
