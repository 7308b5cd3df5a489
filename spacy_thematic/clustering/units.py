"""What is grouped in a collection, texts or the sentences of long ones, and by which rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np

from spacy_thematic.clustering.communities import Communities, count_words, find_communities
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import NEIGHBOURHOOD, show_order
from spacy_thematic.rows import group_by, mean_row, mean_rows, unit_rows

UnitKind = Literal["texts", "sentences"]
UNITS = "texts", "sentences"

_FEWEST_TEXTS = 10
_SHORT = 25
"""Sentences. News and abstracts are shorter, articles of an encyclopedia are longer."""

LONG = 4 * _SHORT
"""As many sentences of a text count, so that a long one does not decide for all. Of 20 collections
none is decided otherwise than without."""

_OF_LONG = 0.8
"""Of all sentences: where as many are in several longer texts, the other texts are hardly more than
notes on these, as beside the debates of a parliament."""

_SAME, _MOST_COMPARED = 0.8, 50
"""The share of words in common from which on two texts say the same, and how many with a word are
compared: of lines of a log each may have all words but a number."""

_OF_WORDS = 0.5
"""How much the words of a unit count beside its vector."""

_DIMENSIONS = 100

_OF_NEIGHBOURS = 0.25
"""The weight of the next sentence, chosen on collections of articles, and of texts that share
themes. A larger weight makes a theme of each text."""


def count_sizes(sizes: np.ndarray) -> np.ndarray:
    """Return, from the numbers of sentences of texts, (texts,), how many texts there are, how many
    sentences, how many of these where of each text 100 count at most, and how many texts are longer
    and how many sentences these have, (5,)."""
    short, long = np.minimum(sizes, LONG), sizes[sizes > LONG]
    return np.array([len(sizes), sizes.sum(), short.sum(), len(long), long.sum()], dtype=int)


def choose_units(counts: np.ndarray) -> UnitKind:
    """Return what to group, by what `count_sizes` counts: texts, where there are ten or more, of 25
    sentences or fewer on average, of which 100 count at most, and several longer ones do not have
    four in five sentences; otherwise sentences."""
    n_texts, n_sentences, n_short, n_long, n_of_long = counts.tolist()
    are_long = n_short > _SHORT * n_texts or (n_long > 1 and n_of_long >= _OF_LONG * n_sentences)
    return "texts" if n_texts >= _FEWEST_TEXTS and not are_long else "sentences"


def find_units(
    vectors: np.ndarray, starts: np.ndarray, units: UnitKind
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors of units, (units, width), and the unit of each sentence, from 0, (n,). The
    vector of a text is the mean of those of its sentences, that of a sentence the mean with its
    neighbours, as `put_in_context` weighs them. Texts without sentences are no units. `vectors` are
    those of the sentences of some texts, (n, width), `starts` the numbers of the first sentences of
    all texts but the first, (texts - 1,)."""
    numbers = np.arange(len(vectors))
    if units == "sentences":
        return put_in_context(vectors, starts), numbers
    text_of = np.searchsorted(starts, numbers, side="right")
    of_each = np.unique(text_of, return_inverse=True)[1]
    return mean_rows(vectors, of_each), of_each


def put_in_context(vectors: np.ndarray, starts: np.ndarray | tuple[()] = ()) -> np.ndarray:
    """Return vectors of sentences of one text or several, float32 (n, width), as means of
    themselves and, with less weight, of their neighbours in their text; of a text whose order shows
    nothing, as they are. `starts` are the numbers of the first sentences of all texts but the
    first."""
    return np.concatenate([_put_text_in_context(rows) for rows in np.split(vectors, starts)])


def _put_text_in_context(vectors: np.ndarray) -> np.ndarray:
    weight = _OF_NEIGHBOURS * show_order(unit_rows(vectors)) if len(vectors) > 2 else 0
    if not weight:
        return vectors
    sums = vectors.astype(np.float32)
    totals = np.ones((len(vectors), 1), np.float32)
    for gap in range(1, min(NEIGHBOURHOOD, len(vectors) - 1) + 1):
        share = np.float32(weight * (1 - (gap - 1) / NEIGHBOURHOOD))
        sums[gap:] += share * vectors[:-gap]
        sums[:-gap] += share * vectors[gap:]
        totals[gap:] += share
        totals[:-gap] += share
    return sums / totals


def join_words(words: Iterable[Iterable[str]], of_each: np.ndarray) -> list[list[str]]:
    """Return the words of each unit, from those of each sentence and the unit of each, (n,)."""
    return [[*chain.from_iterable(own)] for own in group_by(words, of_each)]


def find_copies(words: Sequence[Iterable[str]]) -> np.ndarray:
    """Return for each unit the number of one that says the same, (n,), by the words of each: one
    with as few words or fewer. Two say the same if they have the same words, two at least, or
    nearly (the coefficient of Jaccard 1901)."""
    sets = [frozenset(own) for own in words]
    counts = Counter(chain.from_iterable(sets))
    found = np.arange(len(sets))
    having: dict[str, list[int]] = {}
    equal: dict[frozenset[str], int] = {}
    for number in sorted(range(len(sets)), key=lambda number: (len(sets[number]), number)):
        own = sets[number]
        if len(own) > 1 and (first := equal.setdefault(own, number)) != number:
            found[number] = found[first]
            continue
        # Sets that have so many words in common share one of these (Chaudhuri et al. 2006).
        rare = sorted(own, key=lambda word: (counts[word], word))
        rare = rare[: len(own) - math.ceil(_SAME * len(own)) + 1] if len(own) > 1 else []
        for other in chain.from_iterable(having.get(word, ()) for word in rare):
            if len(own & sets[other]) >= _SAME * len(own | sets[other]):
                found[number] = other
                break
        else:
            for word in rare:
                others = having.setdefault(word, [])
                if len(others) < _MOST_COMPARED:
                    others.append(number)
    return found


def find_repeated(said: np.ndarray, least: int) -> np.ndarray:
    """Return for each sentence of a text the one that it repeats, or itself, (n,), where blocks of
    `least` different sentences or more repeat, or half of the text. said: what each says, (n,)."""
    numbers = np.arange(len(said))
    found = numbers.copy()
    firsts, of_each = np.unique(said, return_index=True, return_inverse=True)[1:]
    least = max(1, min(least, len(said) // 2))
    gaps, counts = np.unique(numbers - firsts[of_each], return_counts=True)
    # The sentence that one in a block is first said in may be another of the same block.
    for gap in gaps[(gaps > 0) & (2 * counts >= least)].tolist():
        is_same = np.pad(said[gap:] == said[:-gap], (gap, 1))
        changes = np.flatnonzero(np.diff(is_same, prepend=False))
        for start, end in zip(changes[::2].tolist(), changes[1::2].tolist()):
            if len({*said[start:end].tolist()}) >= least:
                found[start:end] = np.minimum(found[start:end], numbers[start:end] - gap)
    while (found != found[found]).any():
        found = found[found]
    return found


class UnitSpace(NamedTuple):
    """In what space units are compared: vectors of their topics about their mean, and beside them,
    with less weight, 100 latent dimensions of their words (Deerwester et al. 1990).

    Attributes:
        topics: The map from vectors of length one to topics, (vectors' width, width).
        origin: The mean of vectors of length one, (width,).
        words: That two units have, or more, sorted, (words,).
        rareness: Of the words, (words,).
        dimensions: Of the words, (words, 100), or fewer.
    """

    topics: np.ndarray
    origin: np.ndarray
    words: np.ndarray
    rareness: np.ndarray
    dimensions: np.ndarray

    @classmethod
    def fit(
        cls, vectors: np.ndarray, words: Sequence[Sequence[str]], topics: np.ndarray | None = None
    ) -> UnitSpace:
        """Find the space of some units, with vectors (n, width), and words. Equal vectors, and
        units with the same words, count once. Without `topics`, the map from vectors to topics,
        (width, width of topics), vectors are compared as they are. The order of the units does not
        matter."""
        if topics is None:
            topics = np.eye(vectors.shape[1], dtype=np.float32)
        # Sorted, for the decomposition begins at random, and sums are rounded.
        distinct = sorted(set(map(tuple, words)))
        rows = map_to_topics(vectors, topics)
        firsts = np.unique(rows.round(3) + np.float32(0), axis=0, return_index=True)[1]
        found = Counter(chain.from_iterable(map(set, distinct)))
        known = sorted(word for word, n in found.items() if n > 1)
        counts = np.array([found[word] for word in known], dtype=np.float64)
        space = cls(
            topics,
            mean_row(rows[firsts]),
            np.array(known, dtype=np.str_),
            1 + np.log((1 + len(distinct)) / (1 + counts)),
            np.zeros((len(known), 0), np.float32),
        )
        most = min(_DIMENSIONS, len(known) - 1, len(distinct) - 1)
        if most < 1:
            return space
        from sklearn.decomposition import TruncatedSVD

        # Units whose words are all alike have no variance; its ratios are not read.
        with single_thread(), np.errstate(divide="ignore", invalid="ignore"):
            svd = TruncatedSVD(most, random_state=0).fit(space._weigh(distinct))
        return space._replace(dimensions=svd.components_.T.astype(np.float32))

    def place(self, vectors: np.ndarray, words: Sequence[Sequence[str]]) -> np.ndarray:
        """Return the rows of units, of length one or zero, (n, width + dimensions), from their
        vectors, (n, width), and the words of each."""
        rows = unit_rows(map_to_topics(vectors, self.topics), self.origin)
        if not self.dimensions.shape[1]:
            return rows
        latent = unit_rows(self._weigh(words) @ self.dimensions, centre=False)
        return unit_rows(np.hstack([rows, _OF_WORDS * latent]), centre=False)

    def _weigh(self, words: Iterable[Sequence[str]]) -> Any:
        """The tf-idf of the words of units, rows of length one or zero, sparse (n, words)."""
        from scipy.sparse import csr_array

        places = {word: place for place, word in enumerate(self.words.tolist())}
        counted = [Counter(word for word in of_unit if word in places) for of_unit in words]
        units = np.repeat(np.arange(len(counted)), [*map(len, counted)])
        numbers = np.array([places[word] for count in counted for word in count], dtype=int)
        counts = np.array([n for count in counted for n in count.values()], dtype=np.float64)
        weights = (1 + np.log(counts)) * self.rareness[numbers]
        lengths = np.sqrt(np.bincount(units, weights**2, minlength=len(counted)))
        shape = len(counted), len(places)
        return csr_array((weights / lengths[units], (units, numbers)), shape=shape)


def map_to_topics(vectors: np.ndarray, topics: np.ndarray) -> np.ndarray:
    """Return the topics of units, rows of length one or zero, (n, width of topics), by the map from
    vectors of length one to topics, (width, width of topics)."""
    return unit_rows(unit_rows(vectors, centre=False) @ topics, centre=False)


class UnitClusters(NamedTuple):
    """The clusters of units of some kind, and the space in which they were compared."""

    units: UnitKind
    space: UnitSpace
    found: Communities

    @classmethod
    def find(
        cls,
        vectors: np.ndarray,
        words: Sequence[Sequence[str]],
        settings: ThemeSettings,
        topics: np.ndarray | None = None,
        units: UnitKind = "texts",
    ) -> UnitClusters:
        """Cluster a sample of units with vectors, (s, width), and words. Texts that `find_copies`
        finds alike count once. `topics` are as for `UnitSpace.fit`."""
        of_first = np.arange(len(words))
        if units == "texts":
            order = sorted(of_first.tolist(), key=lambda number: vectors[number].tobytes())
            of_first[order] = np.array(order)[find_copies([words[number] for number in order])]
        distinct, copy_of = np.unique(of_first, return_inverse=True)
        space = UnitSpace.fit(vectors, words, topics)
        rows = space.place(vectors, words)
        # The rows of sentences have their neighbours in them, their words do not.
        counts = count_words(words[n] for n in distinct.tolist()) if units == "texts" else None
        k, max_k, seed = settings.k, settings.max_k, settings.seed
        found = find_communities(rows[distinct], k, max_k, seed, counts)
        return cls(units, space, replace(found, sample=rows, labels=found.labels[copy_of]))

    def label(self, vectors: np.ndarray, words: Sequence[Sequence[str]]) -> np.ndarray:
        """Return the cluster of each of some units, (n,), with vectors (n, width) and words."""
        return self.found.label(self.space.place(vectors, words))
