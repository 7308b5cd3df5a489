"""Whether a text is in order, and its themes if it is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from spacy_thematic.clustering.vectors import ORDERED, SentenceVectors, order_score
from spacy_thematic.rows import group_by, mean_rows, renumber
from spacy_thematic.segmentation.pairs import load_shapes, measure_pairs

MOST = 1_000
"""The most sentences that are compared, for time and memory grow with their square. In a longer
text neighbours count as one where a section least likely begins between them."""

_WHOLE = 1e4  # More than any log odds, and than what any split of such gains.


def is_in_order(vectors: SentenceVectors) -> bool:
    """Return whether neighbours are more alike than any two sentences: whether `order_score` is
    above 2, as it is for one shuffled text in fifty."""
    return order_score(vectors.centred) > ORDERED


class OrderedText:
    """The sentences of a text in order, to be clustered by average linkage (Sokal & Michener 1958)
    of the log odds that two of them have one theme: see `segmentation.pairs`.

    Args:
        vectors: Of n sentences, (n, width).
        log_odds: That a section begins after each but the last, (n - 1,).
        words: The words of content of each.
        ends: Whether a paragraph ends after each but the last, bool (n - 1,); None: not known.
        segments: The segment of each sentence, from 0, (n,): those of one have one theme.
        parts: The part of each, from 0, (n,): those of two have two themes, if there are enough.

    Attributes:
        runs: The run of each sentence, from 0, (n,): each by itself, in a text that is not long.
        vectors: The means of the runs, (r, width).
        log_odds: That two runs have one theme, float32 (r (r - 1) / 2,), as scipy orders them.
    """

    def __init__(
        self,
        vectors: np.ndarray,
        log_odds: np.ndarray,
        words: Sequence[Collection[str]],
        ends: np.ndarray | None = None,
        segments: np.ndarray | None = None,
        parts: np.ndarray | None = None,
    ) -> None:
        starts = _find_starts(log_odds, segments, parts)
        self.runs = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(vectors)))
        self.vectors = mean_rows(vectors, self.runs)
        known = measure_pairs(
            self.vectors,
            log_odds[starts[1:] - 1],
            [{*chain.from_iterable(own)} for own in group_by(words, self.runs)],
            None if ends is None else np.add.reduceat(np.append(0, ends), starts)[1:],
            starts,
        )
        self.log_odds = load_shapes()(known)
        if parts is not None:
            self.log_odds = self.log_odds - _WHOLE * ~_are_equal(parts[starts])
        if segments is not None:
            self.log_odds = self.log_odds + 2 * _WHOLE * _are_equal(segments[starts])

    @cached_property
    def _tree(self) -> np.ndarray:
        from scipy.cluster.hierarchy import linkage

        # Scipy takes no negative distances.
        return linkage(self.log_odds.max() - self.log_odds.astype(np.float64), "average")

    def cluster(self, least: int, most: int, lowest: float = 0.0) -> np.ndarray:
        """Cluster the sentences: two themes whose mean log odds are at least `lowest` are one.
        Returns the theme of each, from 0, (n,): at least and at most so many themes, as far as
        there are sentences. If there would be more, the best splits count."""
        n = len(self.vectors)
        if n < 2:
            return np.zeros(len(self.runs), np.int64)
        from scipy.cluster.hierarchy import fcluster

        lacks = self._tree[:, 2] - (self.log_odds.max() - lowest)
        k = int(np.clip(1 + np.count_nonzero(lacks > 0), min(least, n), min(most, n)))
        is_taken = self._take_splits(lacks, k - 1)
        return renumber(fcluster(self._tree, 0, "monocrit", monocrit=is_taken))[self.runs]

    def _take_splits(self, lacks: np.ndarray, n_splits: int) -> np.ndarray:
        """Take splits of the tree from the top, each time the one with the largest sides whose mean
        log odds lack most: 1 for each that is taken, float (r - 1,)."""
        sides = self._tree[:, :2].astype(int)
        sizes = np.append(np.ones(len(self.vectors)), self._tree[:, 3])[sides]
        gains = lacks * np.where(lacks > 0, np.sqrt(sizes.prod(axis=1)), 1)
        is_taken = np.zeros(len(gains))
        possible = [len(gains) - 1]
        for _ in range(n_splits):
            best = max(possible, key=gains.__getitem__)
            is_taken[best] = 1
            possible.remove(best)
            possible += [side for side in sides[best] - len(self.vectors) if side >= 0]
        return is_taken


def _are_equal(labels: np.ndarray) -> np.ndarray:
    """Whether any two of some labels, (r,), are equal, bool (r (r - 1) / 2,)."""
    return np.equal.outer(labels, labels)[np.triu_indices(len(labels), 1)]


def _find_starts(log_odds: np.ndarray, *groups: np.ndarray | None) -> np.ndarray:
    """The first sentence of each run, from log odds that a section begins after each of n sentences
    but the last, (n - 1,). The groups of sentences, (n,) each, are not mixed in a run."""
    if len(log_odds) < MOST:
        return np.arange(len(log_odds) + 1)
    strengths = log_odds.copy()
    for group in groups:
        if group is not None:
            strengths[np.diff(group) != 0] = np.inf
    n_starts = max(MOST - 1, np.count_nonzero(strengths == np.inf))
    return np.sort(np.append(0, 1 + np.argsort(-strengths, kind="stable")[:n_starts]))
