"""Adapting an encoder to a few documents: a linear map on its vectors, tied to what they were.

So few documents teach little by training all weights: that makes vectors worse as often as better.
A linear map v + v W is found in two parts. Whitening shrinks the directions in which sentences of
one section differ, in closed form. Steps of gradient descent bring sections apart, held by a
penalty on W and by how few they are. Documents that were not learned from decide whether the map is
any good, and no change is a possible answer.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import minibatch
from thinc.api import Adam, NumpyOps

from spacy_thematic.articles.article import Article
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.losses.contrastive import CentredContrastive
from spacy_thematic.losses.targets import Targets
from spacy_thematic.measures import clustering_agreement, thematic_accuracy
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import add_sentences
from spacy_thematic.pretrained import BASE, find_pretrained, include_bases
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets import article_docs
from spacy_thematic.triplets.compiled import number_sections
from spacy_thematic.triplets.docbin import OTHERS, SENTENCES, get_triplets
from spacy_thematic.triplets.reasons import DUPLICATE, MIN_SECTIONS
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

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

DOCS_AT_ONCE = 8
LINEAR_MAP = "spacy-thematic.LinearMap.v1"


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
    n_folds: int,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> Adaptation:
    """Fit a linear map to documents, at least `n_folds`, if cross-validation says that it helps.
    Calls `on_step` after each step, `STEPS` for each fold, and as many again if it helps."""
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


def draw_articles(
    articles: Iterable[Article], most: int, seed: int, on_article: Callable[[], None] = lambda: None
) -> tuple[list[Article], int]:
    """Draw up to `most` articles at random with equal chances, and count all of them, in memory
    that does not grow with their number (reservoir sampling)."""
    rng = random.Random(seed)
    drawn: list[Article] = []
    n_read = 0
    for article in articles:
        n_read += 1
        on_article()
        if len(drawn) < most:
            drawn.append(article)
        elif (place := rng.randrange(n_read)) < most:
            drawn[place] = article
    return drawn, n_read


def make_docs(articles: Iterable[Article], nlp: Language, counts: Counter[str]) -> list[Doc]:
    """The articles with two sections or more as Docs with all their sentences and triplets, each
    text once. `counts` receives how many were dropped for each reason."""
    settings = CorpusSettings(min_sections=MIN_SECTIONS, sentences="all", lang=nlp.lang or "xx")
    splitter = article_docs.make_sentence_splitter(settings, nlp.vocab)
    distinct: dict[str, Article] = {}
    for article in articles:
        text = article.text().strip() or article.title
        counts[DUPLICATE] += distinct.setdefault(text, article) is not article
    ready = [apply_rules(article, settings) for article in distinct.values()]
    made = article_docs.make_triplet_docs(ready, splitter, settings, counts)
    return [doc for doc in made if doc is not None]


def encode_docs(
    docs: Sequence[Doc],
    encode: Callable[[list[Doc], list[list[Span]]], Iterable[np.ndarray]],
    on_doc: Callable[[], Any] = lambda: None,
) -> list[Document]:
    """The vectors of the Docs' sentences, openers first, with sections and triplets. `encode` is
    that of a `ThematicEmbedder`."""
    documents = []
    for batch in minibatch(docs, size=DOCS_AT_ONCE):
        rows = [list_sentences(doc) for doc in batch]
        for doc, own, vectors in zip(batch, rows, encode(batch, rows)):
            sections = np.array([row.id for row in own])
            documents.append(Document(vectors, sections, np.array(get_triplets(doc))))
            on_doc()
    return documents


def list_sentences(doc: Doc) -> list[Span]:
    """The sentences of a Doc of `make_docs`."""
    return [*doc.spans[SENTENCES], *doc.spans.get(OTHERS, ())]


def make_adapted(start: str, lang: str, W: np.ndarray | None = None) -> Language:
    """A pipeline as `load` makes it, whose encoder is that of `start`, as `pretrained` of
    `thematic_embedder`, and a linear map W on its vectors, if there is one.

    Raises ValueError if there is no such model, or spaCy does not have the language."""
    nlp = add_sentences(article_docs.make_blank(lang))
    if W is None:
        nlp.add_pipe("thematic_embedder", config={"pretrained": start})
    else:
        base = include_bases({"@architectures": BASE, "name": start})
        model = {"@architectures": LINEAR_MAP, "base": base}
        nlp.add_pipe("thematic_embedder", config={"model": model})
        linear_map = find_embedder(nlp).model
        find_pretrained(start).fill(linear_map.layers[0].layers[0])
        linear_map.set_dim("nO", len(W))
        linear_map.set_param("W", linear_map.ops.asarray2f(W))
    nlp.add_pipe("thematic_clusterer")
    done = "adapted to documents" if W is not None else "as it is"
    nlp.meta.update(name="thematic_adapted", description=f"{start}, {done}, by spacy-thematic")
    return nlp
