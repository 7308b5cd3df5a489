"""Consecutive sentences of articles as numbers, on which skip-thoughts are trained."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.triplets.mining import split_of
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from spacy_thematic.triplets.sentences import all_sentences


class Paragraphs(NamedTuple):
    """Paragraphs of two sentences or more, in reading order.

    Attributes:
        forms: The distinct words.
        words: The words of all sentences as numbers of forms, int32 (words,).
        sentences: Where each sentence begins among the words, and the end, (sentences + 1,).
        starts: Where each paragraph begins among the sentences, and the end, (paragraphs + 1,).
        is_dev: Whether each paragraph's article is kept out of training, (paragraphs,).
    """

    forms: list[str]
    words: np.ndarray
    sentences: np.ndarray
    starts: np.ndarray
    is_dev: np.ndarray

    def take(self, paragraphs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take some paragraphs by their numbers.

        Returns:
            Their words, one after the other; the length of each sentence; and which of these
            sentences, by number, are followed by another.
        """
        sizes = self.starts[paragraphs + 1] - self.starts[paragraphs]
        sentences = _ranges(self.starts[paragraphs], sizes)
        lengths = self.sentences[sentences + 1] - self.sentences[sentences]
        words = self.words[_ranges(self.sentences[sentences], lengths)]
        return words, lengths, np.delete(np.arange(len(sentences)), np.cumsum(sizes) - 1)


def read_paragraphs(
    articles: Iterable[Article], splitter: Language, max_length: int, dev_share: float
) -> Paragraphs:
    """Read the sentences of articles by paragraph, without leads and back matter.

    Args:
        articles: Articles as they were read.
        splitter: Finds sentences, see `make_sentence_splitter`.
        max_length: Sentences are cut to this many words.
        dev_share: The share of articles to keep out of training, chosen by a hash of the title.

    Raises:
        ValueError: If training or dev gets no paragraph of two sentences.
    """
    numbers: dict[str, int] = {}
    words, sentences, starts = array("i"), array("q", [0]), array("q", [0])
    is_dev = array("b")
    settings = CorpusSettings()
    for article in articles:
        split = split_of(normalize_title(article.title), (1 - dev_share, dev_share, 0.0))
        found = all_sentences(apply_rules(article, settings), splitter)
        places = zip(found.sections, found.paragraphs)
        for _, rows in groupby(zip(places, found.tokens), key=lambda row: row[0]):
            paragraph = [tokens[:max_length] for _, tokens in rows]
            if len(paragraph) < 2:
                continue
            for tokens in paragraph:
                words.extend(numbers.setdefault(token, len(numbers)) for token in tokens)
                sentences.append(len(words))
            starts.append(len(sentences) - 1)
            is_dev.append(split == "dev")
    dev = np.asarray(is_dev, dtype=bool)
    for name, chosen in (("training", ~dev), ("dev", dev)):
        if not chosen.any():
            raise ValueError(
                f"The articles hold no paragraph of two sentences or more for {name}, and "
                "skip-thoughts are learned from sentences that follow one another. Give more "
                "articles, or ones with whole paragraphs."
            )
    return Paragraphs(
        list(numbers),
        np.asarray(words, dtype="int32"),
        np.asarray(sentences, dtype="int64"),
        np.asarray(starts, dtype="int64"),
        dev,
    )


def _ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """starts[0], starts[0] + 1, ..., sizes[0] numbers, then as many as sizes[1] from starts[1]."""
    before = np.cumsum(sizes) - sizes
    return np.arange(sizes.sum()) + np.repeat(starts - before, sizes)
