"""Headings of groups of sentences, chosen together so that no two are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from spacy.tokens import Span

from spacy_thematic.clustering.phrases import count_phrases
from spacy_thematic.clustering.vectors import SentenceVectors, cluster_sums, mean_row


class HeadingScores(NamedTuple):
    """What is known of headings for k groups of sentences.

    Attributes:
        headings: Those that were seen in training, then phrases of the text, n of them.
        n_seen: The number of the former.
        fit: How much more likely each is for a group than for any text, in nats, (k, n).
        log_shares: The logarithm of the share of sections in training that each heads, 0 for
            phrases, (n,).
        vectors: Unit rows; the cosine of two says how alike they are, (n, width).
    """

    headings: list[str]
    n_seen: int
    fit: np.ndarray
    log_shares: np.ndarray
    vectors: np.ndarray


LEAST_LIKENESS = 0.2
"""A group has no heading of less expected likeness."""

LIKE_OTHERS = 0.3
"""What a candidate loses by being the same as a heading that is chosen already."""

_SAME = 0.9
"""The cosine from which on two headings are the same."""

_OF_SHARE, _OF_SEEN = 0.7, 7.5
_SLOPE, _BASE = 0.075, -0.51

HeadingScorer = Callable[[np.ndarray, np.ndarray, Sequence[str]], HeadingScores | None]
"""`(means, origin, phrases) -> scores`, or None where nothing is known of headings."""


class Heading(NamedTuple):
    """A heading.

    Attributes:
        text: With its first letter in upper case.
        score: How like the heading that a person gives it may be expected to be, 0 to 1.
    """

    text: str
    score: float


def choose_headings(
    groups: Sequence[Sequence[Span]],
    vectors: SentenceVectors,
    labels: np.ndarray,
    score: HeadingScorer | None,
    taken: Sequence[str] = (),
) -> list[Heading | None]:
    """Choose a heading for each group of sentences, the surest first.

    Candidates are phrases of a group's sentences, and headings that were seen in training. Each
    has an expected likeness to the heading that a person would give; a candidate loses by being
    like one that is chosen already.

    Args:
        groups: k groups of sentences.
        vectors: Of all sentences.
        labels: The group of each sentence, (n,).
        score: Says how well headings fit. None: there are no headings.
        taken: Names that stand beside these, which no heading repeats.

    Returns:
        A heading for each group; None where nothing fits, and where nothing is known of headings.
    """
    none: list[Heading | None] = [None] * len(groups)
    if score is None or not len(groups):
        return none
    counts = pick_phrases(groups)
    phrases = list(dict.fromkeys(phrase for count in counts for phrase in count))
    sums, sizes = cluster_sums(vectors.unit, labels)
    scores = score((sums / sizes[:, None]).astype("f"), mean_row(vectors.unit), phrases)
    if scores is None:
        return none
    return _choose(expect_likeness(scores, counts), scores, {name.lower() for name in taken})


def pick_phrases(groups: Sequence[Iterable[Span]], most: int = 30) -> list[dict[str, int]]:
    """Count the phrases of each group, and keep those that tell it best from the others, by the
    weight that keywords have, and somewhat rather those of several words."""
    counts = [count_phrases(group) for group in groups]
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    average = max(1.0, total.total() / max(1, len(counts)))
    return [
        dict(
            sorted(
                count.items(),
                key=lambda item: (
                    -item[1] * np.log1p(average / total[item[0]]) * (1.5 if " " in item[0] else 1)
                ),
            )[:most]
        )
        for count in counts
    ]


def expect_likeness(scores: HeadingScores, counts: Sequence[dict[str, int]]) -> np.ndarray:
    """Say how like the heading that a person would give each candidate may be expected to be: the
    cosine of their vectors by all-MiniLM-L6-v2, on which the coefficients were fitted, on articles,
    textbooks and other prose that were not trained on.

    Args:
        scores: Of n candidates for k groups.
        counts: How often each group has each phrase of its own.

    Returns:
        (k, n), 0 to 1; minus infinity for phrases of other groups.
    """
    odds = scores.fit + _OF_SHARE * scores.log_shares
    odds[:, : scores.n_seen] += _OF_SEEN
    for row, count in zip(odds, counts):
        for column, phrase in enumerate(scores.headings[scores.n_seen :], scores.n_seen):
            row[column] += np.log(count[phrase]) if phrase in count else -np.inf
    likeness = np.clip(_SLOPE * odds + _BASE, 0, 1)
    return np.where(np.isfinite(odds), likeness, -np.inf)


def _choose(likeness: np.ndarray, scores: HeadingScores, taken: set[str]) -> list[Heading | None]:
    chosen: list[Heading | None] = [None] * len(likeness)
    open_ = likeness.copy()
    words = [frozenset(text.lower().split()) for text in scores.headings]
    open_[:, [text.lower() in taken for text in scores.headings]] = -np.inf
    for _ in chosen:
        group, column = np.unravel_index(int(open_.argmax()), open_.shape)
        value = float(open_[group, column])
        if value < LEAST_LIKENESS:
            break
        text = scores.headings[column]
        chosen[group] = Heading(text[:1].upper() + text[1:], round(value, 4))
        alike = np.maximum(scores.vectors @ scores.vectors[column], 0)
        open_ -= LIKE_OTHERS * alike**2
        own = words[column]
        repeats = [own <= others or others <= own for others in words]
        open_[:, repeats | (alike > _SAME)] = -np.inf
        open_[group] = -np.inf
    return chosen
