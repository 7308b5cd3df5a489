"""What is added up over the sentences of partitions, so that clusters can be described."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from spacy_thematic.rows import cluster_sums

MOST_WORDS = 2_000_000


@dataclass
class ClusterTotals:
    """What is known of k clusters.

    Attributes:
        centred: The sums of their rows of length one, after centring, (k, width).
        unit: The sums of their rows of length one, without, (k, width).
        sizes: The numbers of their sentences, (k,).
        n_units: The numbers of their units, which are sentences or texts, (k,).
        first: The number of the first sentence of each, (k,).
        words: How often each word that may be a keyword occurs, in the order of reading.
    """

    centred: np.ndarray
    unit: np.ndarray
    sizes: np.ndarray
    n_units: np.ndarray
    first: np.ndarray
    words: list[Counter[str]]

    @classmethod
    def zeros(cls, k: int, width: int) -> ClusterTotals:
        """Totals of nothing."""
        centred, unit = np.zeros((2, k, width))
        first = np.full(k, np.iinfo(np.int64).max)
        sizes, n_units = np.zeros((2, k), np.int64)
        return cls(centred, unit, sizes, n_units, first, [Counter() for _ in range(k)])

    def add_block(
        self,
        centred: np.ndarray,
        unit: np.ndarray,
        words: list[list[str]],
        labels: np.ndarray,
        firsts: np.ndarray,
        start: int,
    ) -> None:
        """Add the sentences of a block. The first has the number `start`; `firsts` are the first
        sentences of its units, by their places in it."""
        sums, sizes = cluster_sums(centred, labels)
        some = slice(len(sizes))
        self.centred[some] += sums
        self.unit[some] += cluster_sums(unit, labels)[0]
        self.sizes[some] += sizes
        self.n_units += np.bincount(labels[firsts], minlength=len(self.n_units))
        found, places = np.unique(labels, return_index=True)
        self.first[found] = np.minimum(self.first[found], places + start)
        for label, of_sentence in zip(labels.tolist(), words):
            self.words[label].update(of_sentence)

    def add(self, other: ClusterTotals) -> None:
        """Add the totals of other sentences.

        Of words, the rarest are forgotten where there are more than two million, so that memory
        stays bounded: frequent words alone become keywords.
        """
        self.centred += other.centred
        self.unit += other.unit
        self.sizes += other.sizes
        self.n_units += other.n_units
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
        words = [self.words[cluster] for cluster in clusters.tolist()]
        sums = self.centred[clusters], self.unit[clusters]
        counts = self.sizes[clusters], self.n_units[clusters]
        return ClusterTotals(*sums, *counts, self.first[clusters], words)
