"""Segments within segments."""

from typing import NamedTuple

import numpy as np

from spacy_thematic.segmentation.passage import Passage, Segmenter

FINER = 0.85
"""The penalty of a level, of that which a text like its segment has by itself."""


class NestedCuts(NamedTuple):
    """Segments of the lowest level.

    Attributes:
        starts: The first sentence of each, (segments,).
        gains: What the cut before each gained, (segments,), 0 for the first.
        levels: The highest level that begins there, from 1, (segments,).
        penalty: Of a cut of level 1; None where none led to the number of segments.
    """

    starts: np.ndarray
    gains: np.ndarray
    levels: np.ndarray
    penalty: float | None


def cut_nested(
    passage: Passage, algorithm: Segmenter, n: int | None, seed: int = 0, levels: int = 1
) -> NestedCuts:
    """Cut a passage, then each segment as a text by itself, and so on, in at least one level. Of
    level 1 there are n segments; None: the algorithm finds it. Segments of the lowest level keep to
    the largest size, and all to the smallest."""
    whole = passage if levels == 1 else passage.replace(largest=np.inf)
    first = algorithm(whole, n, seed)
    ones = np.ones(len(first.starts), np.int64)
    cuts = NestedCuts(first.starts, first.gains, ones, first.penalty)
    if levels == 1 or not len(passage):
        return cuts
    for level in range(2, levels):
        former, cuts = cuts, _cut_again(cuts, whole, algorithm, seed, level)
        if len(cuts.starts) == len(former.starts):
            break  # Nothing is cut any further.
    return _cut_again(cuts, passage, algorithm, seed, levels)


def _cut_again(
    cuts: NestedCuts, passage: Passage, algorithm: Segmenter, seed: int, level: int
) -> NestedCuts:
    starts, gains, levels = [], [], []
    ends = np.append(cuts.starts[1:], len(passage))
    for start, end, gain, above in zip(cuts.starts, ends, cuts.gains, cuts.levels):
        within = algorithm(passage.part(start, end), None, seed, FINER)
        starts.append(start + within.starts)
        gains.append(np.append(gain, within.gains[1:]))
        levels.append(np.append(above, np.full(len(within.starts) - 1, level)))
    return NestedCuts(
        np.concatenate(starts), np.concatenate(gains), np.concatenate(levels), cuts.penalty
    )
