"""What the nets learn from: the sections of articles, and a teacher's vectors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass(frozen=True)
class SectionLoss:
    """SectionContrastive with a second view of the article: cosines of vectors from which the
    article's mean is taken.

    temperature, centred_temperature: of the plain and of the centred cosines. centred_share: of
    the latter, from 0 to 1. batch_weight: of plain cosines against the sentences of all articles,
    of which at most `batch_size` are drawn.
    """

    temperature: float
    centred_temperature: float
    centred_share: float
    batch_weight: float
    batch_size: int

    def __call__(self, vectors: Tensor, articles: Tensor, sections: Tensor) -> dict[str, Tensor]:
        """The weighted terms. vectors: unit rows. articles, sections: their numbers; a section's
        is unique in the batch."""
        others = ~torch.eye(len(vectors), dtype=torch.bool)
        same_article = (articles[:, None] == articles) & others
        same_section = (sections[:, None] == sections) & others
        centred = F.normalize(vectors - _means(vectors, articles), dim=1)
        plain = vectors @ vectors.T / self.temperature
        drawn = torch.randperm(len(vectors))[: self.batch_size]
        drawn = drawn[:, None], drawn
        return {
            "plain": (1 - self.centred_share) * contrast(plain, same_section, same_article),
            "centred": self.centred_share
            * contrast(centred @ centred.T / self.centred_temperature, same_section, same_article),
            "batch": self.batch_weight * contrast(plain[drawn], same_section[drawn], others[drawn]),
        }


@dataclass(frozen=True)
class Distillation:
    """The cosine distance to the teacher's vectors, and the cross-entropy between the softmax over
    the batch of the teacher's cosines and of the net's.

    relation_temperature: of both softmaxes. project_relations: take the net's cosines in the
    teacher's space. centre: take the mean from the teacher's vectors.
    """

    relation_temperature: float
    project_relations: bool
    centre: bool

    def __call__(self, vectors: Tensor, projected: Tensor, taught: Tensor) -> dict[str, Tensor]:
        """Both terms. All are unit rows, of the same sentences."""
        itself = torch.eye(len(vectors), dtype=torch.bool)
        own = projected if self.project_relations else vectors
        scores = (own @ own.T / self.relation_temperature).masked_fill(itself, -1e9)
        targets = (taught @ taught.T / self.relation_temperature).masked_fill(itself, -1e9)
        logs = scores.log_softmax(1).masked_fill(itself, 0)
        return {
            "cosine": 1 - (projected * taught).sum(1).mean(),
            "relation": -(targets.softmax(1) * logs).sum(1).mean(),
        }


def contrast(similarity: Tensor, positive: Tensor, candidates: Tensor) -> Tensor:
    """The mean over the rows with positives of -1/|P| sum_p log softmax(similarity)_p, the softmax
    over the candidates. All are (n, n)."""
    n_positive = positive.sum(1)
    logs = similarity - similarity.masked_fill(~candidates, -1e9).logsumexp(1, keepdim=True)
    losses = -(logs * positive).sum(1) / n_positive.clamp(min=1)
    return losses.sum() / (n_positive > 0).sum().clamp(min=1)


def _means(vectors: Tensor, articles: Tensor) -> Tensor:
    """For each row the mean of the rows of its article; articles are numbered from 0."""
    counts = torch.bincount(articles)[:, None]
    sums = vectors.new_zeros(len(counts), vectors.shape[1]).index_add(0, articles, vectors)
    return (sums / counts)[articles]
