"""What a segmentation algorithm gets and gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spacy_thematic.rows import check_vectors

HALF_LENGTH = 60
"""The characters of a sentence that counts half."""

FINER = 0.85
"""The penalty of a level, of that which a text like its segment has by itself."""


def weigh_lengths(lengths: np.ndarray) -> np.ndarray:
    """Return how much sentences of some lengths in characters, (n,), say: L / (L + 60). A turn of
    speech such as "Right." says little of where a theme ends."""
    return lengths / (lengths + HALF_LENGTH)


class Passage:
    """Sentences in the order of a text, and what their segments must keep to.

    Args:
        vectors: Of the sentences, (n, width).
        sizes: Of the sentences, (n,), in any unit; None: each counts 1.
        smallest: The least size of a segment. Where no segmentation has it, the sizes that are
            missing add up to as little as can be.
        largest: The largest size of a segment. Only a single sentence may be above it.
        weights: How much each sentence says of its segment, 0 to 1, (n,); None: all 1. Its vector
            is taken as nearer to what the whole text says by the root of it.
        gap_scores: How much rather the text is cut between two sentences, for other reasons than
            the vectors, (n - 1,), in units of scatter; None: zeros.
        log_odds: That a section begins after each sentence but the last, as trees have learned it,
            (n - 1,); None: nothing is known.

    Raises:
        ValueError: If an array has another shape or holds NaN, a size is negative, or `smallest`
            is above `largest`.
    """

    def __init__(
        self,
        vectors: Any,
        *,
        sizes: Any = None,
        smallest: float = 0,
        largest: float = np.inf,
        weights: Any = None,
        gap_scores: Any = None,
        log_odds: Any = None,
    ) -> None:
        self.vectors = check_vectors(vectors)
        n = len(self.vectors)
        self.sizes = _check_values(np.ones(n) if sizes is None else sizes, n, "sizes")
        if (self.sizes < 0).any():
            raise ValueError(f"Expected sizes of at least 0, found {self.sizes.min()}.")
        self.weights = _check_values(np.ones(n) if weights is None else weights, n, "weights")
        n_gaps = max(n - 1, 0)
        scores = np.zeros(n_gaps) if gap_scores is None else gap_scores
        self.gap_scores = _check_values(scores, n_gaps, "gap scores")
        self.log_odds = None
        if log_odds is not None:
            self.log_odds = _check_values(log_odds, n_gaps, "log odds")
        if smallest > largest:
            raise ValueError(
                "Expected the smallest size of a segment to be at most the largest, found "
                f"{smallest} and {largest}."
            )
        self.smallest, self.largest = smallest, largest

    def __len__(self) -> int:
        return len(self.vectors)

    def part(self, start: int, end: int) -> Passage:
        """Return the sentences from `start` to `end` as a passage."""
        return self.replace(
            vectors=self.vectors[start:end],
            sizes=self.sizes[start:end],
            weights=self.weights[start:end],
            gap_scores=self.gap_scores[start : end - 1],
            log_odds=None if self.log_odds is None else self.log_odds[start : end - 1],
        )

    def replace(self, **changes: Any) -> Passage:
        """Return the passage with other values of some arguments."""
        return Passage(**{**vars(self), **changes})


class Cuts(NamedTuple):
    """A segmentation.

    Attributes:
        starts: The first sentence of each segment, (segments,), the first of them 0.
        gains: What the cut before each segment gained, in units of the penalty, (segments,); 0 for
            the first, and for algorithms that weigh none.
        penalty: Of a cut, which led to the number of segments; None where none did.
        levels: The highest level that begins at each start, from 1, (segments,), as `cut_nested`
            finds them; None: there is one level.
    """

    starts: np.ndarray
    gains: np.ndarray
    penalty: float | None = None
    levels: Any = None


Segmenter = Callable[..., Cuts]
"""`(passage, n, seed, scale=1.0) -> cuts`: cuts a passage into n segments; None: into as many as it
finds. The sizes come first: where they do not allow n, there are as nearly n as they do; a passage
without sentences has no segment. Where n is None, `scale` is a factor of the penalty that is found:
the smaller, the more segments."""


def cut_nested(
    passage: Passage, algorithm: Segmenter, n: int | None, seed: int = 0, levels: int = 1
) -> Cuts:
    """Cut a passage, then each segment as a text by itself, and so on, in at least one level. Of
    level 1 there are n segments; None: the algorithm finds it. Segments of the lowest level keep to
    the largest size, and all to the smallest. The penalty is that of level 1."""
    whole = passage if levels == 1 else passage.replace(largest=np.inf)
    cuts = algorithm(whole, n, seed)
    cuts = cuts._replace(levels=np.ones(len(cuts.starts), np.int64))
    if levels == 1 or not len(passage):
        return cuts
    for level in range(2, levels):
        former, cuts = cuts, _cut_again(cuts, whole, algorithm, seed, level)
        if len(cuts.starts) == len(former.starts):
            break  # Nothing is cut any further.
    return _cut_again(cuts, passage, algorithm, seed, levels)


def _cut_again(cuts: Cuts, passage: Passage, algorithm: Segmenter, seed: int, level: int) -> Cuts:
    starts, gains, levels = [], [], []
    ends = np.append(cuts.starts[1:], len(passage))
    for start, end, gain, above in zip(cuts.starts, ends, cuts.gains, cuts.levels):
        within = algorithm(passage.part(start, end), None, seed, FINER)
        starts.append(start + within.starts)
        gains.append(np.append(gain, within.gains[1:]))
        levels.append(np.append(above, np.full(len(within.starts) - 1, level)))
    joined = [np.concatenate(parts) for parts in (starts, gains, levels)]
    return Cuts(joined[0], joined[1], cuts.penalty, joined[2])


def _check_values(values: Any, n: int, name: str) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (n,) or not np.isfinite(values).all():
        raise ValueError(
            f"Expected {n} finite {name} for the passage, found an array of shape {values.shape}"
            f"{'' if np.isfinite(values).all() else ' with NaN or infinity'}."
        )
    return values
