"""Sentences of random articles, of which benchmarks make texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import spacy

from spacy_thematic.articles.formats import read_articles


def draw_sections(
    path: Path, n_articles: int, words: tuple[int, int], rng: random.Random
) -> Iterator[list[list[str]]]:
    """Yield the sentences of each section of random articles, on one line each.

    Args:
        path: Of the articles.
        n_articles: The most that are drawn.
        words: The fewest and the most of a sentence.
        rng: Draws them.
    """
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    articles = list(read_articles(path))
    fewest, most = words
    for article in rng.sample(articles, min(n_articles, len(articles))):
        yield [
            [
                " ".join(sentence.text.split())
                for doc in nlp.pipe(section.paragraphs)
                for sentence in doc.sents
                if fewest <= len(sentence.text.split()) <= most
            ]
            for section in article.sections
        ]
