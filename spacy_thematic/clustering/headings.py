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
    """What is known of headings for k groups of sentences. How much more likely a heading is for a
    group than for any text, in nats, is the product of their rows.

    Attributes:
        headings: Those that were seen in training, then phrases of the text, n of them.
        log_shares: The logarithm of the share of sections in training that each of the former
            heads, (seen,).
        vectors: Unit rows of the headings; the cosine of two says how alike they are, (n, width).
        groups: Rows of the groups, (k, width).
    """

    headings: list[str]
    log_shares: np.ndarray
    vectors: np.ndarray
    groups: np.ndarray


class _Candidates(NamedTuple):
    """The best candidates of each group: their numbers among the headings, and their expected
    likeness, both (k, m), best first; minus infinity where there are fewer."""

    columns: np.ndarray
    likeness: np.ndarray


LEAST_LIKENESS = 0.2
"""A group has no heading of less expected likeness."""

LIKE_OTHERS = 0.3
"""What a candidate loses by being the same as a heading that is chosen already."""

_SAME = 0.9
"""The cosine from which on two headings are the same."""

_MOST = 20
"""The candidates of a group that are kept."""

_OF_SHARE, _OF_SEEN, _ONCE = 0.7, 7.5, 1.0
_OFTEN = 10
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


HeadingChooser = Callable[[np.ndarray, Sequence[str]], list[Heading | None]]
"""`(groups, taken) -> headings`: the group of each of k clusters, from 0, (k,), and names that no
heading repeats, to the headings of the groups."""


def choose_none(groups: np.ndarray, taken: Sequence[str]) -> list[Heading | None]:
    """A `HeadingChooser` where there are no headings."""
    return [None] * (int(groups.max(initial=-1)) + 1)


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
    return _choose(_find_candidates(scores, counts), scores, {name.lower() for name in taken})


def pick_phrases(groups: Sequence[Iterable[Span]], most: int = 30) -> list[dict[str, int]]:
    """Count the phrases of each group, and keep those that tell it best from the others, by the
    weight that keywords have, and somewhat rather those of several words. What every group has, as
    "yeah" in speech, is none."""
    counts = [count_phrases(group) for group in groups]
    if len(counts) > 1:
        common = set.intersection(*({phrase.lower() for phrase in count} for count in counts))
        counts = [
            Counter({phrase: n for phrase, n in count.items() if phrase.lower() not in common})
            for count in counts
        ]
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


def _find_candidates(scores: HeadingScores, counts: Sequence[dict[str, int]]) -> _Candidates:
    n_seen = len(scores.log_shares)
    numbers = {phrase: n for n, phrase in enumerate(scores.headings[n_seen:], n_seen)}
    columns = np.zeros((len(counts), _MOST), int)
    likeness = np.full((len(counts), _MOST), -np.inf)
    for row, count in enumerate(counts):
        own = np.array([*range(n_seen), *(numbers[phrase] for phrase in count)], int)
        expected = expect_likeness(scores.vectors[own] @ scores.groups[row], scores, count)
        best = np.argsort(-expected, kind="stable")[:_MOST]
        columns[row, : len(best)] = own[best]
        likeness[row, : len(best)] = expected[best]
    return _Candidates(columns, likeness)


def expect_likeness(fit: np.ndarray, scores: HeadingScores, count: dict[str, int]) -> np.ndarray:
    """Say how like the heading that a person would give each candidate may be expected to be: the
    cosine of their vectors by all-MiniLM-L6-v2, on articles, textbooks and other prose that were
    not trained on. There the slope and the base were fitted; what headings that were seen in
    training gain, the weight of their shares, and what a phrase of several words loses that occurs
    once were picked among a few values.

    Args:
        fit: How much more likely each is for a group than for any text, in nats, first of the
            headings that were seen in training, then of the group's phrases, (candidates,).
        scores: Of the headings.
        count: How often the group has each of its phrases.

    Returns:
        (candidates,), 0 to 1.
    """
    odds = fit.astype(np.float64)
    odds[: len(scores.log_shares)] += _OF_SEEN + _OF_SHARE * scores.log_shares
    odds[len(scores.log_shares) :] += [
        np.log(min(number, _OFTEN)) - _ONCE * (number == 1 and " " in phrase)
        for phrase, number in count.items()
    ]
    return np.clip(_SLOPE * odds + _BASE, 0, 1)


def _choose(
    candidates: _Candidates, scores: HeadingScores, taken: set[str]
) -> list[Heading | None]:
    columns, open_ = candidates.columns, candidates.likeness.copy()
    chosen: list[Heading | None] = [None] * len(columns)
    texts = [[scores.headings[column] for column in row] for row in columns.tolist()]
    words = [[frozenset(text.lower().split()) for text in row] for row in texts]
    open_[np.array([[text.lower() in taken for text in row] for row in texts])] = -np.inf
    for _ in chosen:
        group, place = np.unravel_index(int(open_.argmax()), open_.shape)
        value = float(open_[group, place])
        if value < LEAST_LIKENESS:
            break
        text, own = texts[group][place], words[group][place]
        chosen[group] = Heading(text[:1].upper() + text[1:], round(value, 4))
        vector = scores.vectors[columns[group, place]]
        alike = np.maximum(scores.vectors[columns] @ vector, 0)
        repeats = np.array([[own <= other or other <= own for other in row] for row in words])
        open_ -= LIKE_OTHERS * alike**2
        open_[repeats | (alike > _SAME)] = -np.inf
        open_[group] = -np.inf
    return chosen
