"""Adapting an encoder to a few documents: a linear map on its vectors, tied to what they were.

So few documents teach little by training all weights: that makes vectors worse as often as better.
A linear map v + v W is held by two ties: a penalty on W, and how many steps are taken. Documents
that were not learned from decide on both, and no step at all is a possible answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from thinc.api import Adam, NumpyOps

from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.losses.contrastive import create_centred_contrastive
from spacy_thematic.losses.targets import Targets
from spacy_thematic.measures import clustering_agreement, thematic_accuracy
from spacy_thematic.triplets.compiled import number_sections

TIES = (0.1, 0.03, 0.01)
STEPS = (100, 200)
LEARN_RATE = 1e-3
DOCUMENTS_A_STEP = 24
SENTENCES_A_DOCUMENT = 24
# A mean gain below so many of its standard errors counts as chance.
STANDARD_ERRORS = 2.0


@dataclass(frozen=True)
class Document:
    """The vectors of a document's sentences, and what its sections say of them.

    Attributes:
        vectors: float32 (rows, width).
        sections: of each row, int (rows).
        triplets: numbers of rows, int (m, 3).
    """

    vectors: np.ndarray
    sections: np.ndarray
    triplets: np.ndarray


@dataclass(frozen=True)
class Choice:
    """How far to go: the tie, and the steps, 0 for no change."""

    tie: float
    steps: int


NO_CHANGE = Choice(0.0, 0)


@dataclass(frozen=True)
class Adaptation:
    """What documents taught.

    Attributes:
        W: of the map v + v W, float32 (width, width); None for no change.
        choice: the one that was best on held-out documents.
        before, after: accuracy and AMI of each document, float (documents, 2), with the vectors as
            they were, and as they would be had the document not been learned from. NaN where a
            document has no triplet or one section.
    """

    W: np.ndarray | None
    choice: Choice
    before: np.ndarray
    after: np.ndarray


def adapt(
    documents: Sequence[Document],
    *,
    n_folds: int = 5,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> Adaptation:
    """Fit a linear map to documents.

    Args:
        documents: at least `n_folds`.
        n_folds: of the cross-validation.
        seed: of the folds, and of what is drawn.
        on_step: called after each step of `count_steps`.

    Returns:
        The map and its scores. Those of a fold are by the choice that the other folds make.
    """
    folds = np.random.default_rng(seed).permutation(len(documents)) % n_folds
    before = score(documents)
    choices = [Choice(tie, steps) for tie, steps in product(TIES, STEPS)]
    scores = np.full((len(choices), len(documents), 2), np.nan)
    for fold, tie in product(range(n_folds), TIES):
        held, others = (
            [document for document, is_wanted in zip(documents, mask) if is_wanted]
            for mask in (folds == fold, folds != fold)
        )
        for steps, W in fit(others, tie, STEPS, seed, on_step):
            scores[choices.index(Choice(tie, steps)), folds == fold] = score(held, W)
    after = before.copy()
    for fold in range(n_folds):
        best = _choose(choices, scores[:, folds != fold], before[folds != fold])
        if best is not NO_CHANGE:
            held = folds == fold
            after[held] = scores[choices.index(best), held]
    choice = _choose(choices, scores, before)
    if choice is NO_CHANGE:
        return Adaptation(None, choice, before, after)
    ((_, fitted),) = fit(documents, choice.tie, (choice.steps,), seed, on_step)
    return Adaptation(fitted, choice, before, after)


def count_steps(n_folds: int = 5) -> int:
    """The steps of the cross-validation of `adapt`."""
    return n_folds * len(TIES) * STEPS[-1]


def _choose(choices: Sequence[Choice], scores: np.ndarray, before: np.ndarray) -> Choice:
    """The choice with the best mean of accuracy and AMI, if its gain is more than chance."""
    gains = np.nanmean(scores - before, axis=2)
    means = np.nanmean(gains, axis=1)
    best = int(means.argmax())
    own = gains[best][~np.isnan(gains[best])]
    error = own.std() / max(len(own), 1) ** 0.5
    return choices[best] if means[best] > STANDARD_ERRORS * error else NO_CHANGE


def fit(
    documents: Sequence[Document],
    tie: float,
    steps: Sequence[int],
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, np.ndarray]]:
    """Fit the map with `CentredContrastive` and a penalty tie |W|^2, by Adam.

    Yields:
        After each number of `steps`, in ascending order, this number and W.
    """
    rng = np.random.default_rng(seed)
    loss = create_centred_contrastive(temperature=0.1, centred_temperature=0.1)
    width = documents[0].vectors.shape[1]
    W = np.zeros((width, width), "f")
    optimizer = Adam(LEARN_RATE, grad_clip=0.0, L2=0.0)
    for step in range(1, steps[-1] + 1):
        vectors, targets = _draw(documents, rng)
        d_vectors, _ = loss(vectors + vectors @ W, targets)
        W, _ = optimizer((0, "W"), W, vectors.T @ d_vectors + 2 * tie * W)
        on_step()
        if step in steps:
            yield step, W.copy()


def _draw(documents: Sequence[Document], rng: np.random.Generator) -> tuple[np.ndarray, Targets]:
    """Sentences of some documents, as a batch."""
    n_drawn = min(DOCUMENTS_A_STEP, len(documents))
    vectors, sections, articles = [], [], []
    for number, i in enumerate(rng.choice(len(documents), n_drawn, replace=False)):
        document = documents[i]
        rows = rng.permutation(len(document.vectors))[:SENTENCES_A_DOCUMENT]
        vectors.append(document.vectors[rows])
        sections.append(document.sections[rows])
        articles.append(np.full(len(rows), number))
    ops = NumpyOps()
    article_of_rows = np.concatenate(articles).astype("i")
    targets = Targets(
        triplets=ops.alloc2i(0, 3),
        sections=number_sections(article_of_rows, np.concatenate(sections)),
        articles=article_of_rows,
        ops=ops,
        rng=rng,
    )
    return np.concatenate(vectors), targets


def score(documents: Sequence[Document], W: np.ndarray | None = None) -> np.ndarray:
    """Accuracy on triplets (cosine), and AMI of k-means on centred vectors with the true number of
    sections, of each document: float (documents, 2), NaN where there is nothing to measure."""
    clusterer = create_kmeans(centre=True)
    scores = np.full((len(documents), 2), np.nan)
    for number, document in enumerate(documents):
        vectors = document.vectors
        if W is not None:
            vectors = vectors + vectors @ W
        accuracy = thematic_accuracy(vectors, document.triplets)
        if accuracy is not None:
            scores[number, 0] = accuracy
        n_sections = len(np.unique(document.sections))
        if n_sections > 1:
            labels = clusterer(vectors, n_sections, 0)
            scores[number, 1] = clustering_agreement(labels, document.sections)["ami"]
    return scores
