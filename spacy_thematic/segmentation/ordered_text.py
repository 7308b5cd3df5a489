"""Whether a text is in order, and its themes if it is: most are one run of sentences, some come
back."""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import (
    NEIGHBOURHOOD,
    ORDERED,
    Clusterer,
    SentenceVectors,
    order_score,
)
from spacy_thematic.rows import mean_rows
from spacy_thematic.segmentation.cutting import (
    COUNTED,
    SHORTFALL,
    cut_at_penalty,
    cut_into,
    cut_into_each,
)
from spacy_thematic.segmentation.kernel_change_points import (
    BOUNDARY_WEIGHT,
    FACTOR,
    add_log_odds,
    usual_penalty,
    weigh_rows,
)
from spacy_thematic.segmentation.passage import Passage

SWITCH = 0.1
"""What a change of theme costs, of the usual penalty of a cut. Chosen on texts as they are and with
the halves of their sections apart."""

_FINER = 0.45
_ORDERED_PARAGRAPHS = -1.0
_MOST_STEPS = 20


def is_in_order(vectors: SentenceVectors, has_paragraphs: bool = False) -> bool:
    """Return whether neighbours are more alike than any two sentences: whether `order_score` is
    above 2, as it is for one shuffled text in fifty. A text with paragraphs was written in order,
    and may be too short to show it by its sentences: there a score above -1 is enough, but not
    where nearly all sentences are neighbours."""
    rows = vectors.centred
    is_written = has_paragraphs and len(rows) > 2 * NEIGHBOURHOOD
    return order_score(rows) > (_ORDERED_PARAGRAPHS if is_written else ORDERED)


class OrderedText:
    """The sentences of a text in order, to be clustered.

    Args:
        passage: Of n sentences.
        most: The most themes, at least 1.
        segments: The segment of each sentence, from 0, (n,), where the theme may change only from
            one segment to the next. None: it may change anywhere.
    """

    def __init__(self, passage: Passage, most: int, segments: np.ndarray | None = None) -> None:
        rows = weigh_rows(passage.vectors, passage.weights)
        with single_thread():
            usual = usual_penalty(rows, passage.vectors)
            passage = add_log_odds(passage, BOUNDARY_WEIGHT * FACTOR * usual)
            if segments is not None:
                is_whole = np.diff(segments) == 0
                passage = passage.replace(gap_scores=passage.gap_scores - SHORTFALL * is_whole)
            if most <= COUNTED:
                self._runs = cut_into_each(rows, passage, most)
            else:
                self._runs = [cut_into(rows, passage, most)]
            self._short = cut_at_penalty(rows, passage, _FINER * SWITCH * usual)
        self._rows = rows
        self._vectors = passage.vectors
        self._switches = SWITCH * usual - passage.gap_scores

    def cluster_into_runs(self, vectors: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
        """Return the run of each sentence, (n,), in the best segmentation into k runs, or into as
        nearly k as there are: a `Clusterer` that knows its vectors."""
        return self._number(self._find_runs(k))

    def cluster(self, algorithm: Clusterer, k: int, seed: int = 0) -> np.ndarray:
        """Cluster the sentences.

        What is made small is the scatter of the sentences around the means of their themes, plus a
        penalty, less the gap score, wherever the theme changes. Two clusterings are improved by
        turns of means and of the best path through the themes (Viterbi's algorithm), and the better
        one is taken: the best segmentation into k runs, where no theme comes back; and what the
        algorithm makes of the means of short runs. Returns the theme of each sentence, from 0,
        (n,)."""
        runs = self._find_runs(k)
        starts = np.union1d(runs, self._short)
        parts = _Parts.make(self._rows, starts, self._switches[starts[1:] - 1])
        of_each = self._number(starts)
        found = [np.searchsorted(runs, starts, side="right") - 1]
        if len(starts) > k:
            found.append(algorithm(mean_rows(self._vectors, of_each), k, seed))
        return min((parts.improve(labels) for labels in found), key=parts.cost)[of_each]

    def cluster_by(self, algorithm: Clusterer) -> Clusterer:
        """Return a `Clusterer` that knows its vectors, and what it has found: `cluster`, by an
        algorithm."""
        find = cache(partial(self.cluster, algorithm))

        def cluster(vectors: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
            return find(k, seed)

        return cluster

    def _find_runs(self, k: int) -> np.ndarray:
        return min(self._runs, key=lambda starts: abs(len(starts) - k))

    def _number(self, starts: np.ndarray) -> np.ndarray:
        return np.searchsorted(starts, np.arange(len(self._rows)), side="right") - 1


class _Parts(NamedTuple):
    """Runs of sentences that are not divided.

    Attributes:
        sums: Of their vectors, (m, width).
        counts: Of their sentences, (m,).
        switches: What it costs where the next part has another theme, (m - 1,).
    """

    sums: np.ndarray
    counts: np.ndarray
    switches: np.ndarray

    @classmethod
    def make(cls, rows: np.ndarray, starts: np.ndarray, switches: np.ndarray) -> _Parts:
        sums = np.add.reduceat(rows.astype(np.float64), starts, axis=0)
        return cls(sums, np.diff(np.append(starts, len(rows))), switches)

    def improve(self, labels: np.ndarray) -> np.ndarray:
        """Return labels of less cost, (m,), from which no turn finds any better. Of a text that is
        much the same throughout, such as a story, one theme would take the others: two thirds
        of them stay, or none is lost."""
        cost, most = self.cost(labels), len(np.unique(labels))
        for _ in range(_MOST_STEPS):
            better = self._find_path(*self._add_up(labels))
            least = self.cost(better)
            if least >= cost or 3 * len(np.unique(better)) < 2 * most:
                break
            labels, cost = better, least
        return labels

    def cost(self, labels: np.ndarray) -> float:
        """Return scatter and switches of labels, (m,), without what is the same for all labels."""
        sums, counts = self._add_up(labels)
        among = float((np.square(sums).sum(axis=1) / counts).sum())
        return float(self.switches[np.diff(labels) != 0].sum()) - among

    def _add_up(self, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sum of the vectors of each theme, (k, width), and the number of its sentences."""
        order = np.argsort(labels, kind="stable")
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        sums, counts = self.sums[order], self.counts[order]
        return np.add.reduceat(sums, starts), np.add.reduceat(counts, starts)

    def _find_path(self, sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The themes, of some sums, that cost least: the path of Viterbi's algorithm."""
        means = sums / counts[:, None]
        costs = self.counts[:, None] * np.square(means).sum(axis=1) - 2 * self.sums @ means.T
        n, k = costs.shape
        origins = np.tile(np.arange(k), (n, 1))
        least = costs[0]
        for part, switch in enumerate(self.switches.tolist() if k > 1 else (), 1):
            best = int(least.argmin())
            changed = np.full(k, least[best] + switch)
            if switch < 0:
                # To come from another theme is then better than to have been in the best.
                second = min((theme for theme in range(k) if theme != best), key=least.__getitem__)
                changed[best] = least[second] + switch
                origins[part, best] = second if changed[best] < least[best] else best
            is_changed = changed < least
            is_changed[best] = False
            origins[part, is_changed] = best
            least = np.minimum(changed, least) + costs[part]
        path = np.full(n, least.argmin())
        for part in range(n - 1, 0, -1):
            path[part - 1] = origins[part, path[part]]
        return path
