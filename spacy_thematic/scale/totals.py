"""What is added up over the sentences of partitions, so that clusters can be described."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from spacy_thematic.rows import cluster_sums

MOST_WORDS = 2_000_000


class Sums:
    """The sums of the rows of k clusters, float64 (k, width), and their sizes, (k,)."""

    def __init__(self, k: int, width: int) -> None:
        self.sums = np.zeros((k, width))
        self.sizes = np.zeros(k, dtype=np.int64)

    def add_rows(self, rows: np.ndarray, labels: np.ndarray) -> None:
        """Add rows, (n, width), with their clusters, (n,)."""
        sums, sizes = cluster_sums(rows, labels)
        self.sums[: len(sums)] += sums
        self.sizes[: len(sizes)] += sizes

    def add(self, other: Sums) -> None:
        """Add the sums of other rows."""
        self.sums += other.sums
        self.sizes += other.sizes


@dataclass
class ClusterTotals:
    """What is known of k clusters.

    Attributes:
        centred: Of rows of length one, after centring.
        unit: Of rows of length one, without.
        words: How often each word that may be a keyword occurs, in the order of reading.
        first: The number of the first sentence of each cluster, (k,).
    """

    centred: Sums
    unit: Sums
    first: np.ndarray
    words: list[Counter[str]] = field(default_factory=list)

    @classmethod
    def zeros(cls, k: int, width: int) -> ClusterTotals:
        """Totals of nothing."""
        first = np.full(k, np.iinfo(np.int64).max)
        words: list[Counter[str]] = [Counter() for _ in range(k)]
        return cls(Sums(k, width), Sums(k, width), first, words)

    def add_block(
        self,
        centred: np.ndarray,
        unit: np.ndarray,
        words: list[list[str]],
        labels: np.ndarray,
        start: int,
    ) -> None:
        """Add the sentences of a block. The first has the number `start`."""
        self.centred.add_rows(centred, labels)
        self.unit.add_rows(unit, labels)
        found, places = np.unique(labels, return_index=True)
        self.first[found] = np.minimum(self.first[found], places + start)
        for label, of_sentence in zip(labels.tolist(), words):
            self.words[label].update(of_sentence)

    def add(self, other: ClusterTotals) -> None:
        """Add the totals of other sentences.

        Of words, the rarest are forgotten where there are more than two million, so that memory
        stays bounded: frequent words alone become keywords.
        """
        self.centred.add(other.centred)
        self.unit.add(other.unit)
        np.minimum(self.first, other.first, out=self.first)
        for words, more in zip(self.words, other.words):
            words.update(more)
        rarest = 1
        while sum(map(len, self.words)) > MOST_WORDS:
            for words in self.words:
                for word in [word for word, count in words.items() if count <= rarest]:
                    del words[word]
            rarest += 1

    def keep(self, clusters: np.ndarray) -> ClusterTotals:
        """Return the totals of some clusters, in the given order."""
        kept = ClusterTotals.zeros(len(clusters), self.unit.sums.shape[1])
        for mine, other in ((kept.centred, self.centred), (kept.unit, self.unit)):
            mine.sums, mine.sizes = other.sums[clusters], other.sizes[clusters]
        kept.first = self.first[clusters]
        kept.words = [self.words[cluster] for cluster in clusters.tolist()]
        return kept
