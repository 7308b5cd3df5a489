"""How often headings stand in the articles of a corpus, and words in headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import NamedTuple

import numpy as np
from spacy.strings import StringStore
from spacy.tokenizer import Tokenizer

from spacy_thematic.triplets.compiled import CompiledCorpus

MOST_CHARACTERS = 50
"""Longer headings are sentences."""

_MOST_OF_ONE = 300
"""What one heading counts at most, however many articles have it."""

_OF_KIND = 3.0
"""The weight of what is known of words with the same ending, as a number of headings."""

_NUMBERING = re.compile(r"^(?:[\divxIVX]+[.)]\s+|[\d.]+\s+|[A-Za-z][.)]\s+)")


class HeadingCounts(NamedTuple):
    """Headings of a corpus.

    Attributes:
        articles: The number of articles with each heading, in the form in which most have it.
        sources: The number of sources of these articles, for each heading.
        n_sources: The number of all sources.
        n_sections: The number of all sections that have a heading.
    """

    articles: Counter[str]
    sources: dict[str, int]
    n_sources: int
    n_sections: int

    def find_common(self, most: int, min_articles: int, min_sources: int) -> dict[str, int]:
        """Return the commonest headings, with their numbers of articles.

        Args:
            most: How many.
            min_articles: That must have a heading.
            min_sources: Of these articles, or all sources if they are fewer.
        """
        needed = min(min_sources, self.n_sources)
        common = (
            (heading, n)
            for heading, n in self.articles.most_common()
            if n >= min_articles and self.sources[heading] >= needed
        )
        return dict(islice(common, most))


class Leanings(NamedTuple):
    """Words of headings and of texts.

    Attributes:
        keys: Lexeme hashes of lower-case forms, sorted, uint64 (n).
        values: The logarithm of how much likelier each is to be the first word of a heading, within
            one, and its last than to stand in a text, (n, 3).
    """

    keys: np.ndarray
    values: np.ndarray


def normalise_heading(heading: str) -> str:
    """Return a heading without its number ("3.1 Rivers") and with single spaces; "" if it is too
    long to be one, or has no two letters together."""
    words = " ".join(_NUMBERING.sub("", heading).split()).rstrip(":.")
    is_heading = len(words) <= MOST_CHARACTERS and re.search(r"[^\W\d_]{2}", words)
    return words if is_heading else ""


def count_headings(corpus: CompiledCorpus) -> HeadingCounts:
    """Count the headings of a corpus that has headings, in upper or lower case."""
    sections, headings = corpus.read_columns("sections", "headings")
    articles = corpus.article_of_rows()
    rows = np.unique(np.stack([articles, sections, headings]), axis=1)
    (source_of,) = corpus.read_columns("sources")
    cleaned = [normalise_heading(heading) for heading in corpus.headings]
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    sources: dict[str, set[int]] = defaultdict(set)
    pairs = np.unique(rows[[0, 2]], axis=1)
    for source, number in zip(source_of[pairs[0]].tolist(), pairs[1].tolist()):
        if heading := cleaned[number]:
            forms[heading.lower()][heading] += 1
            sources[heading.lower()].add(source)
    written = {key: form.most_common(1)[0][0] for key, form in forms.items()}
    return HeadingCounts(
        Counter({written[key]: form.total() for key, form in forms.items()}),
        {written[key]: len(own) for key, own in sources.items()},
        len(corpus.sources),
        sum(bool(cleaned[number]) for number in rows[2].tolist()),
    )


def weigh_heading_words(
    corpus: CompiledCorpus, headings: Counter[str], tokenizer: Tokenizer, most_words: int
) -> Leanings:
    """Say how much likelier words are to stand in a heading than in a text: names are, verbs and
    adverbs are not.

    Each heading of an article counts once. Where little is seen of a word, it is taken to be like
    all that end in the same three letters.

    Args:
        corpus: With texts.
        headings: Of how many of its articles each heading is.
        tokenizer: Of its language.
        most_words: The commonest of its texts are weighed.
    """
    texts: Counter[str] = Counter()
    counts = corpus.count_words(range(len(corpus)), others=True)
    for form, count in zip(corpus.forms, counts.tolist()):
        if any(map(str.isalpha, form)):
            texts[form.lower()] += count
    places: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    for heading, count in headings.items():
        words = [token.lower_ for token in tokenizer(heading)]
        for there, of_heading in zip(places, (words[:1], words[1:-1], words[-1:])):
            for word in of_heading:
                there[word] += min(count, _MOST_OF_ONE)
    words = [word for word, _ in texts.most_common(most_words)]
    shares = np.array([texts[word] for word in words]) / max(texts.total(), 1)
    endings = np.unique([word[-3:] for word in words], return_inverse=True)[1]
    values = [
        np.log(_compare(np.array([there[word] for word in words]), there.total() * shares, endings))
        for there in places
    ]
    strings = StringStore()
    keys = np.array([strings.add(word) for word in words], "uint64")
    order = np.argsort(keys)
    return Leanings(keys[order], np.stack(values, axis=1)[order].astype("f"))


def _compare(found: np.ndarray, expected: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """How many times as often as expected words are found, (n,); those of a kind are alike."""
    of_kinds = (np.bincount(kinds, found) + 1) / (np.bincount(kinds, expected) + 1)
    return (found + _OF_KIND * of_kinds[kinds]) / (expected + _OF_KIND)
