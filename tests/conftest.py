"""Shared fixtures: a small sectioned corpus whose themes are plain from its words."""

import random
from collections import Counter

import numpy as np
import pytest
import spacy
import torch
from spacy.training import Example

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.corpus import make_example
from spacy_thematic.triplets.docbin import make_article_doc
from spacy_thematic.triplets.mining import article_rng, mine_adjacent
from spacy_thematic.triplets.sentences import opening_sentences

# The machines that run the tests are shared, and these nets are tiny.
torch.set_num_threads(1)

# Where MKL, oneDNN or torch computes, the last bits depend on the processor and on the batch. It is
# promised that a row is off by no more than this much of its largest entry.
ROUNDING = 1e-5

THEMES = {
    "Geography": "river mountain valley coast border plateau lake island climate rainfall",
    "Economy": "market trade export bank tax wage industry budget currency harvest",
    "Music": "opera guitar choir melody concert drum violin album singer rhythm",
    "Sport": "football goal league coach stadium match team player medal referee",
    "Religion": "church temple priest prayer bishop faith monastery saint ritual mosque",
    "Education": "school teacher pupil university exam lecture degree library course diploma",
}


def make_article(number: int) -> Article:
    rng = random.Random(number)
    sections = [Section("", 1, ["This lead says what the article is about."])]
    for title in rng.sample(sorted(THEMES), 5):
        words = THEMES[title].split()
        paragraphs = [
            " ".join(["The", *rng.sample(words, 3), "and", *rng.sample(words, 2)]) + " are known."
            for _ in range(4)
        ]
        sections.append(Section(title, 2, paragraphs))
    return Article(f"Land {number}", "made up", sections)


def assert_same_rows(found, expected) -> None:
    """Rows are equal but for the rounding of the libraries that computed them."""
    found, expected = np.atleast_2d(found), np.atleast_2d(expected)
    assert found.shape == expected.shape
    largest = np.abs(expected).max(axis=1, keepdims=True, initial=0)
    assert (np.abs(found - expected) <= ROUNDING * largest).all()


def encoder_bytes(nlp) -> bytes:
    return nlp.get_pipe("thematic_embedder").model.to_bytes()


@pytest.fixture(scope="session")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


@pytest.fixture(scope="session")
def articles() -> list[Article]:
    return [make_article(number) for number in range(12)]


@pytest.fixture
def examples(articles, nlp) -> list[Example]:
    return [make_example(article_doc(article, nlp)) for article in articles]


def article_doc(article: Article, nlp, seed: int = 0):
    sections = article.sections[1:]
    body = Article(article.title, article.source, sections)
    sentences = opening_sentences(body, nlp, Counter())
    places = zip(*((sentence.section, sentence.paragraph) for sentence in sentences))
    triplets = mine_adjacent(*places, article_rng(article.title, seed))
    titles = [nlp.make_doc(f"{article.title} {section.title}") for section in sections]
    return make_article_doc(
        body, sentences, titles, triplets, kind="sen", seed=seed, vocab=nlp.vocab
    )


@pytest.fixture
def rank_by_fit(monkeypatch):
    """Names are as good as they fit, and as their words and their being common say; few sentences
    have those that were seen in training, too."""

    def rank(features):
        return np.nansum([features[name] for name in ("fit", "known", "leaning")], axis=0)

    monkeypatch.setattr("spacy_thematic.naming.headings.load_ranker", lambda of: rank)
    monkeypatch.setattr("spacy_thematic.naming.candidates._LEAST_OF_SEEN", 1)
