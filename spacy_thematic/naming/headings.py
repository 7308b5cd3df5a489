"""Headings of groups of sentences, chosen together so that no two are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from spacy_thematic.lang import get_words
from spacy_thematic.naming.content import Content, find_openers, to_word_key
from spacy_thematic.naming.keywords import to_term_key
from spacy_thematic.naming.phrases import pick_phrases
from spacy_thematic.rows import cluster_sums, group_by, mean_row


class HeadingScores(NamedTuple):
    """What is known of headings for k groups of sentences. How much more likely a heading is for a
    group than for any text, in nats, is the product of their rows.

    Attributes:
        headings: Those that were seen in training, then phrases of the text, n of them.
        log_shares: The logarithm of the share of sections in training that each of the former
            heads, (seen,).
        vectors: Unit rows of the headings; the cosine of two says how alike they are, (n, width).
        groups: Rows of the groups, (k, width).
        leanings: What the first and the last word of each phrase say for it, in nats, (phrases,).
    """

    headings: list[str]
    log_shares: np.ndarray
    vectors: np.ndarray
    groups: np.ndarray
    leanings: np.ndarray


class _Candidates(NamedTuple):
    """The best candidates of each group that are likely enough: their numbers among the headings,
    and their expected likeness, both (k, m), best first; minus infinity where there are fewer."""

    columns: np.ndarray
    likeness: np.ndarray


LEAST_LIKENESS = 0.55
"""A group has no heading of less expected likeness that its sentences do not say."""

_LEAST_LEANING = -5.0
"""Phrases of less begin or end with a word that no heading does."""

LIKE_OTHERS = 0.3
"""What a candidate loses by being the same as a heading that is chosen already."""

_LONGEST = 100
"""The most characters of a heading in the text that names a group."""

_MOST_EMPTY = 0.2
"""The largest share of sentences of writing that have fewer than two words of content."""

_SAME = 0.9
"""The cosine from which on two headings are the same."""

_MOST = 20
"""The candidates of a group that are kept."""

_OF_SHARE = 0.7
_OF_LEANING = 0.6
"""What its leanings say for a phrase, in nats. Learned with the weights in `phrases`."""

_OF_PHRASES = np.array([0.041, -0.317])
_OF_SEEN = np.array([0.1, -0.07])
"""The slope of the expected likeness over what speaks for a heading, and where it begins."""

_OF_OPENED, _OF_FIT, _OF_LEANINGS = 1.2, 0.25, 0.4
"""What a keyword gains by the openers that have it, and by how well it would fit as a heading."""

HeadingScorer = Callable[[np.ndarray, np.ndarray, Sequence[str]], HeadingScores | None]
"""`(means, origin, phrases) -> scores`, or None where nothing is known of headings."""


class Heading(NamedTuple):
    """A heading.

    Attributes:
        text: With its first letter in upper case.
        score: How like the heading that a person gives it may be expected to be, 0 to 1. Of one
            in the text, the share of the group's sentences that stand below it.
    """

    text: str
    score: float


class HeadingFinder:
    """Finds headings for groups of sentences, and says which of their keywords are like headings.

    Args:
        groups: k groups of sentences.
        rows: The vectors of all sentences, of length one, (n, width).
        labels: The group of each sentence, (n,).
        score: Says how well headings fit. None: nothing is known of headings.
        title: Of the text that all sentences are of, "" if it has none. No heading says half of it
            or more, and nothing else.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[Content]],
        rows: np.ndarray,
        labels: np.ndarray,
        score: HeadingScorer | None,
        title: str = "",
    ) -> None:
        self.groups = groups
        self.rows = rows
        self.labels = labels
        self.score = score if len(groups) else None
        self.title = title
        self._scores: HeadingScores | None = None

    def merge(self, broader: np.ndarray) -> HeadingFinder:
        """Return the same for broader groups.

        Args:
            broader: The broader group of each group, from 0, (k,).
        """
        together = [[*chain.from_iterable(members)] for members in group_by(self.groups, broader)]
        return HeadingFinder(together, self.rows, broader[self.labels], self.score, self.title)

    def weigh_openings(self, terms: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Say what speaks for terms because a group, or a run of its sentences, begins with them.

        Args:
            terms: Of each group.

        Returns:
            Of each group's terms, what speaks for each, in nats.
        """
        return [_OF_OPENED * _measure_opened(own, group) for own, group in zip(terms, self.groups)]

    def weigh(self, candidates: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Say what the encoder has learned of headings for the candidates of keywords.

        Args:
            candidates: Of each group.

        Returns:
            Of each group's candidates, what speaks for each, in nats; 0 where nothing is known.
        """
        # The phrases of the groups are scored with them: both are often the same words.
        scores = self._scores = self._score_with(candidates)
        if scores is None:
            return [np.zeros(len(of_group)) for of_group in candidates]
        n_seen = len(scores.log_shares)
        fit = _OF_FIT * scores.groups @ scores.vectors[n_seen:].T + _OF_LEANINGS * scores.leanings
        places = {text: place for place, text in enumerate(scores.headings[n_seen:])}
        return [row[[places[text] for text in own]] for row, own in zip(fit, candidates)]

    def choose(self, taken: Sequence[str] = (), *, new: bool = False) -> list[Heading | None]:
        """Choose a heading for each group, the surest first.

        What the text itself heads half of a group with, or more, from the first sentence on, is its
        heading.
        Other candidates are phrases of its sentences, and headings that were seen in training. Each
        has an expected likeness to the heading that a person would give; a candidate loses by being
        like one that is chosen already.

        Args:
            taken: Names that stand beside these, which no heading repeats.
            new: Whether the headings that stand in the text are left out.

        Returns:
            A heading for each group; None where it has no phrase, and, but for those of the text,
            where nothing is known of headings. In speech, which headings learned from writing do
            not fit, it is one of its phrases.
        """
        closed = {*get_words("en").headings_of_roles, *(name.lower() for name in taken)}
        title = _split(self.title)
        none: list[Heading | None] = [None] * len(self.groups)
        given = none if new else _find_given(self.groups, closed, title)
        scores = (self._scores or self._score_with([])) if any(self._phrases) else None
        if scores is None:
            return given
        closed |= {heading.text.lower() for heading in given if heading}
        least = np.inf if _is_speech(self.groups) else LEAST_LIKENESS
        candidates = _find_candidates(scores, self._phrases, least)
        found = _choose(candidates, scores, closed, title)
        return [own or other for own, other in zip(given, found)]

    @cached_property
    def _phrases(self) -> list[dict[str, float]]:
        """Of each group, as `pick_phrases` finds them."""
        return [{} for _ in self.groups] if self.score is None else pick_phrases(self.groups)

    def _score_with(self, candidates: Sequence[Sequence[str]]) -> HeadingScores | None:
        if self.score is None:
            return None
        phrases = dict.fromkeys(chain.from_iterable([*self._phrases, *candidates]))
        sums, sizes = cluster_sums(self.rows, self.labels)
        means = (sums / sizes[:, None]).astype("f")
        return self.score(means, mean_row(self.rows), [*phrases])


def _measure_opened(terms: Sequence[str], group: Sequence[Content]) -> np.ndarray:
    """The share of a group's openers that have each term, all of its words."""
    openers = [{to_term_key(word.text) for word in group[n].words} for n in find_openers(group)]
    counts = Counter(chain.from_iterable(openers))
    shares = np.zeros(len(terms))
    for number, key in enumerate(map(to_term_key, terms)):
        words = key.split(" ")
        found = counts[key] if len(words) == 1 else sum(map(set(words).issubset, openers))
        shares[number] = found / max(1, len(openers))
    return shares


def _find_given(
    groups: Sequence[Sequence[Content]], closed: set[str], title: frozenset[str]
) -> list[Heading | None]:
    """Of each group the heading in the text that half of its sentences or more stand below, if the
    first of those below it is in the group, and half of them where it has others below it, it does
    not say what the title says, and is not too long for a name. Of equal ones it is the heading of
    the smallest part; of those that differ by upper and lower case the first names a group."""
    given: list[Heading | None] = [None] * len(groups)
    owned = [(one.start, one.above, number) for number, own in enumerate(groups) for one in own]
    counts = Counter((number, text) for _, above, number in owned for text in above)
    totals = Counter(text for _, above, _ in owned for text in above)
    parents = {text for _, above, _ in owned for text in above[:-1]}
    first: dict[str, tuple[int, int]] = {}
    for _, above, number in sorted(owned):
        for depth, text in enumerate(above):
            first.setdefault(text, (number, depth))
    known: dict[str, int] = {}
    best = [(0.0, 0)] * len(groups)
    for text, (number, depth) in first.items():
        if len(text) > _LONGEST or _split(text) == title:
            continue
        n = counts[number, text]
        share = n / len(groups[number])
        is_own = text not in parents or 2 * n >= totals[text]
        is_best = share >= 0.5 and is_own and (share, depth) > best[number]
        is_new = known.setdefault(text.lower(), number) == number
        if is_best and is_new and text.lower() not in closed:
            best[number] = share, depth
            given[number] = Heading(text[:1].upper() + text[1:], round(share, 4))
    return given


def _repeats_title(text: str, title: frozenset[str]) -> bool:
    """Whether a heading says half of the title or more, and nothing else."""
    words = _split(text)
    return words <= title and 2 * len(words) >= len(title) > 0


def _split(text: str) -> frozenset[str]:
    return frozenset(map(to_word_key, re.findall(r"\w+", text.lower())))


def _is_speech(groups: Sequence[Sequence[Content]]) -> bool:
    """Whether many sentences hold hardly a word of content ("Yeah. I think so."), as in speech: of
    meetings it is mostly a third, of articles, textbooks and other prose at most a tenth."""
    is_empty = [len(sentence.words) < 2 for sentences in groups for sentence in sentences]
    return sum(is_empty) > _MOST_EMPTY * len(is_empty)


def _find_candidates(
    scores: HeadingScores, found: Sequence[dict[str, float]], least: float
) -> _Candidates:
    """The best candidates of each group. least: the likeness of a heading that was seen in training
    and need not stand in the text."""
    n_seen = len(scores.log_shares)
    numbers = {phrase: n for n, phrase in enumerate(scores.headings[n_seen:], n_seen)}
    columns = np.zeros((len(found), _MOST), int)
    likeness = np.full((len(found), _MOST), -np.inf)
    fits = scores.groups @ scores.vectors.T
    for row, phrases in enumerate(found):
        of_phrases = np.array([numbers[phrase] for phrase in phrases], int)
        own = np.concatenate([np.arange(n_seen), of_phrases])
        leanings = scores.leanings[of_phrases - n_seen]
        weights = np.array([*phrases.values()]) + _OF_LEANING * leanings
        expected = expect_likeness(fits[row, own], scores, weights)
        # What does not stand in the text must be sure. Of what does, the best says more than words.
        possible = np.append(expected[:n_seen] >= least, leanings > _LEAST_LEANING)
        enough = np.flatnonzero(possible)
        best = enough[np.argsort(-expected[enough], kind="stable")][:_MOST]
        columns[row, : len(best)] = own[best]
        likeness[row, : len(best)] = expected[best]
    return _Candidates(columns, likeness)


def expect_likeness(fit: np.ndarray, scores: HeadingScores, weights: np.ndarray) -> np.ndarray:
    """Say how like the heading that a person would give each candidate may be expected to be: the
    cosine of their vectors by all-MiniLM-L6-v2, on articles, textbooks and other prose that were
    not trained on.

    Args:
        fit: How much more likely each is for a group than for any text, in nats, first of the
            headings that were seen in training, then of the group's phrases, (candidates,).
        scores: Of the headings.
        weights: What speaks for each phrase besides its fit, in nats, (phrases,).

    Returns:
        (candidates,), mostly 0 to 1.
    """
    n_seen = len(scores.log_shares)
    odds = fit.astype(np.float64)
    odds[:n_seen] += _OF_SHARE * scores.log_shares
    odds[n_seen:] += weights
    slopes, bases = np.repeat([_OF_SEEN, _OF_PHRASES], [n_seen, len(weights)], axis=0).T
    return slopes * odds + bases


def _choose(
    candidates: _Candidates, scores: HeadingScores, closed: set[str], title: frozenset[str]
) -> list[Heading | None]:
    columns, open_ = candidates.columns, candidates.likeness.copy()
    chosen: list[Heading | None] = [None] * len(columns)
    texts = [[scores.headings[column] for column in row] for row in columns.tolist()]
    words = [[frozenset(text.lower().split()) for text in row] for row in texts]
    is_closed = [
        [text.lower() in closed or _repeats_title(text, title) for text in row] for row in texts
    ]
    open_[np.array(is_closed)] = -np.inf
    for _ in chosen:
        group, place = np.unravel_index(int(open_.argmax()), open_.shape)
        value = float(open_[group, place])
        if value == -np.inf:
            break
        text, own = texts[group][place], words[group][place]
        score = round(min(max(value, 0.0), 1.0), 4)
        chosen[group] = Heading(text[:1].upper() + text[1:], score)
        vector = scores.vectors[columns[group, place]]
        alike = np.maximum(scores.vectors[columns] @ vector, 0)
        repeats = np.array([[own <= other or other <= own for other in row] for row in words])
        open_ -= LIKE_OTHERS * alike**2
        open_[repeats | (alike > _SAME)] = -np.inf
        open_[group] = -np.inf
        open_[(columns < len(scores.log_shares)) & (open_ < LEAST_LIKENESS)] = -np.inf
    return chosen
