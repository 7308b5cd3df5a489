"""Words that tell one theme from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from spacy.tokens import Span, Token

_LONGEST = 40


def content_words(span: Span) -> list[str]:
    """Return the lower-case lemmas (words, where there are no lemmas) that may be keywords."""
    return [(token.lemma_ or token.text).lower() for token in span if is_content_word(token)]


def is_content_word(token: Token) -> bool:
    """Tell whether a token may be a keyword: it has two to 40 characters with a letter among them,
    and is no stop word, number, address or punctuation."""
    return (
        1 < len(token) <= _LONGEST
        and not (token.is_stop or token.is_punct or token.is_space or token.like_num)
        and not (token.like_url or token.like_email)
        and any(character.isalpha() for character in token.text)
    )


def find_keywords(groups: Sequence[Iterable[str]], n_keywords: int) -> list[list[str]]:
    """Weigh words by class-based TF-IDF (Grootendorst 2022, eq. 2): `tf(word, group) ln(1 + A /
    f(word))`, with f the word's count over all groups and A the mean number of words in a group.

    Args:
        groups: The words of each group, or a Counter of them.
        n_keywords: The most keywords of a group.

    Returns:
        The keywords of each group, best first; of equal ones, the word read first. Of two words
        that differ by a final s, the better one. A group without words has no keywords.
    """
    counts = [Counter(words) for words in groups]
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    if not total:
        return [[] for _ in counts]
    average = sum(total.values()) / len(counts)
    return [
        _take(
            sorted(count, key=lambda word: -count[word] * np.log1p(average / total[word])),
            n_keywords,
        )
        for count in counts
    ]


def _take(words: Iterable[str], n: int) -> list[str]:
    """The first n words; a word that differs from an earlier one by a final s is left out."""
    kept: dict[str, str] = {}
    for word in words:
        kept.setdefault(word.removesuffix("s"), word)
        if len(kept) >= n:
            break
    return list(kept.values())[:n]


def make_labels(keywords: Sequence[Sequence[str]], n_words: int = 3) -> list[str]:
    """Label each theme by its first keywords, joined by commas.

    Args:
        keywords: Of each theme.
        n_words: The number of keywords in a label.

    Returns:
        A label for each theme, no two the same: where one is taken, it has more keywords, or the
        theme's number from 1. "theme 1" where there is no keyword.
    """
    labels: list[str] = []
    for number, words in enumerate(keywords, 1):
        candidates = [", ".join(words[:n]) for n in range(n_words, len(words) + 1)]
        if not candidates and words:
            candidates = [", ".join(words)]
        candidates += [f"{', '.join(words[:n_words])} ({number})" if words else f"theme {number}"]
        labels.append(next((c for c in candidates if c not in labels), f"theme {number}"))
    return labels
