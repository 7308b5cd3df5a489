"""The documents of a wiki as vectors and sections, and the pipeline that was adapted to them."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from spacy_thematic.articles.article import Article
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import add_sentences
from spacy_thematic.pretrained import BASE, find_pretrained, include_bases
from spacy_thematic.training.adapting import Document
from spacy_thematic.triplets import article_docs
from spacy_thematic.triplets.docbin import OTHERS, SENTENCES, get_triplets
from spacy_thematic.triplets.reasons import DUPLICATE, MIN_SECTIONS
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

DOCS_AT_ONCE = 8
LINEAR_MAP = "spacy-thematic.LinearMap.v1"


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
        counts[DUPLICATE] += distinct.setdefault(article.text(), article) is not article
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
