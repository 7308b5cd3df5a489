"""Adapting an encoder to a few documents: a linear map on its vectors, tied to what they were.

So few documents teach little by training all weights: that makes vectors worse as often as better.
A linear map v + v W is found in two parts. Whitening shrinks the directions in which sentences of
one section differ, in closed form. Steps of gradient descent bring sections apart, held by a
penalty on W and by how few they are. Documents that were not learned from decide whether the map is
any good, and no change is a possible answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from thinc.api import Adam, NumpyOps

from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.losses.contrastive import CentredContrastive
from spacy_thematic.losses.targets import Targets
from spacy_thematic.measures import clustering_agreement, thematic_accuracy
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets.compiled import number_sections

# Of whitening: full whitening has the exponent 0.5; the ridge is in units of the mean variance.
EXPONENT, RIDGE = 0.25, 1.0
# These, and the next, were chosen on textbooks and wikis. A softer loss, paragraphs in place of
# sections, and distillation of a larger model gained nothing.
TIE = 0.02
STEPS = 300
LEARN_RATE = 1e-3
DOCUMENTS_A_STEP = 24
SENTENCES_A_DOCUMENT = 24
# A mean gain of fewer standard errors counts as chance.
STANDARD_ERRORS = 1.0


@dataclass(frozen=True)
class Document:
    """The vectors of a document's sentences, float32 (rows, width), and what its sections say of
    them: the section of each, int (rows), and triplets of numbers of rows, int (m, 3)."""

    vectors: np.ndarray
    sections: np.ndarray
    triplets: np.ndarray

    def map(self, W: np.ndarray) -> Self:
        """The document with the vectors v + v W."""
        return replace(self, vectors=self.vectors + self.vectors @ W)


@dataclass(frozen=True)
class Adaptation:
    """What documents taught: W of the map v + v W, float32 (width, width), None for no change; and
    accuracy and AMI of each document, float (documents, 2), with the vectors as they were, and as
    they are mapped by what the other folds teach. NaN where a document has no triplet or one
    section."""

    W: np.ndarray | None
    before: np.ndarray
    after: np.ndarray


def learn_map(
    documents: Sequence[Document],
    *,
    n_folds: int = 5,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> Adaptation:
    """Fit a linear map to documents, at least `n_folds`, if cross-validation says that it helps.
    Calls `on_step` after each of `count_steps` steps; of fewer if nothing is changed."""
    folds = np.random.default_rng(seed).permutation(len(documents)) % n_folds
    before = score(documents)
    after = np.full_like(before, np.nan)
    for fold in range(n_folds):
        held, others = (
            [document for document, is_wanted in zip(documents, mask) if is_wanted]
            for mask in (folds == fold, folds != fold)
        )
        after[folds == fold] = score(held, _learn(others, seed, on_step))
    is_better = is_gain(after - before)
    return Adaptation(_learn(documents, seed, on_step) if is_better else None, before, after)


def count_steps(n_folds: int = 5) -> int:
    """The steps of `learn_map`."""
    return (n_folds + 1) * STEPS


def _normalize(documents: Sequence[Document]) -> list[Document]:
    """Cosines do not see lengths, and a map is to learn from all sentences alike."""
    return [replace(d, vectors=unit_rows(d.vectors, centre=False)) for d in documents]


def _learn(documents: Sequence[Document], seed: int, on_step: Callable[[], None]) -> np.ndarray:
    """W of the map that whitens and then brings sections apart."""
    documents = _normalize(documents)
    with single_thread():
        first = whiten(documents)
        second = fit([document.map(first) for document in documents], TIE, seed, on_step)
        return first + second + first @ second


def is_gain(differences: np.ndarray) -> bool:
    """Whether the mean of accuracy and AMI rises by more than chance, and neither falls by more, by
    the differences of each document, float (documents, 2), with NaN for what was not measured."""
    both = differences[~np.isnan(differences).all(axis=1)]
    if not len(both):
        return False
    gain, chance = _measure(np.nanmean(both, axis=1))
    columns = (column[~np.isnan(column)] for column in both.T)
    changes = [_measure(column) for column in columns if len(column)]
    return gain > chance and all(change >= -chance for change, chance in changes)


def _measure(values: np.ndarray) -> tuple[float, float]:
    """The mean of values, and how far from zero chance alone may bring it."""
    return float(values.mean()), STANDARD_ERRORS * float(values.std()) / len(values) ** 0.5


def whiten(documents: Sequence[Document]) -> np.ndarray:
    """Find the map that partly whitens what varies within sections: within-class covariance
    normalization (Hatch et al. 2006), with a smaller exponent. Returns W, float32 (width, width),
    such that v + v W is v times a power of the covariance within sections, scaled to a mean
    eigenvalue of 1. Zeros if no section has two sentences."""
    width = documents[0].vectors.shape[1]
    covariance = np.zeros((width, width))
    for document in documents:
        for section in np.unique(document.sections):
            rows = document.vectors[document.sections == section].astype("float64")
            if len(rows) > 1:
                rows = rows - rows.mean(axis=0)
                # A section of many sentences counts as the root of their number.
                covariance += rows.T @ rows * len(rows) ** 0.5 / (len(rows) - 1)
    values, directions = np.linalg.eigh(covariance)
    values = np.maximum(values, 0)
    if not values.mean() > 0:
        return np.zeros((width, width), "f")
    scales = (values / values.mean() + RIDGE) ** -EXPONENT
    whitening = (directions * (scales / scales.mean())) @ directions.T
    return (whitening - np.eye(width)).astype("f")


def fit(
    documents: Sequence[Document],
    tie: float,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """Fit W of the map v + v W with `CentredContrastive` and a penalty tie |W|^2, by Adam."""
    rng = np.random.default_rng(seed)
    loss = CentredContrastive(temperature=0.1, centred_temperature=0.1)
    width = documents[0].vectors.shape[1]
    W = np.zeros((width, width), "f")
    optimizer = Adam(LEARN_RATE, grad_clip=0.0, L2=0.0)
    for _ in range(STEPS):
        vectors, targets = _draw(documents, rng)
        d_vectors, _ = loss(vectors + vectors @ W, targets)
        W, _ = optimizer((0, "W"), W, vectors.T @ d_vectors + 2 * tie * W)
        on_step()
    return W


def _draw(documents: Sequence[Document], rng: np.random.Generator) -> tuple[np.ndarray, Targets]:
    n_drawn = min(DOCUMENTS_A_STEP, len(documents))
    vectors, sections, articles = [], [], []
    for number, i in enumerate(rng.choice(len(documents), n_drawn, replace=False)):
        document = documents[i]
        rows = rng.permutation(len(document.vectors))[:SENTENCES_A_DOCUMENT]
        vectors.append(document.vectors[rows])
        sections.append(document.sections[rows])
        articles.append(np.full(len(rows), number))
    ops = NumpyOps()
    own = np.concatenate(articles).astype("i")
    numbers = number_sections(own, np.concatenate(sections))
    return np.concatenate(vectors), Targets(ops.alloc2i(0, 3), numbers, own, ops, rng)


def score(documents: Sequence[Document], W: np.ndarray | None = None) -> np.ndarray:
    """Accuracy on triplets (cosine), and AMI of k-means on vectors of length one, mapped and
    centred, with the true number of sections, of each document: float (documents, 2), NaN where
    there is nothing to measure."""
    scores = np.full((len(documents), 2), np.nan)
    for number, document in enumerate(_normalize(documents)):
        vectors = document.vectors if W is None else document.map(W).vectors
        accuracy = thematic_accuracy(vectors, document.triplets)
        if accuracy is not None:
            scores[number, 0] = accuracy
        n_sections = len(np.unique(document.sections))
        if n_sections > 1:
            labels = kmeans(vectors, n_sections)
            scores[number, 1] = clustering_agreement(labels, document.sections)["ami"]
    return scores
