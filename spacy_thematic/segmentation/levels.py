"""Segments within segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spacy_thematic.segmentation.passage import Passage, Segmenter

FINER = 0.5
"""The penalty of a level, of that of the level above."""


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
    """Cut a passage, and each segment again at half the penalty, and so on.

    Args:
        passage: To cut. Segments of the lowest level keep to the largest size, and all to the
            smallest.
        algorithm: Cuts passages.
        n: The number of segments of level 1; None: the algorithm finds it.
        seed: For the algorithm.
        levels: How many, at least 1.

    Raises:
        ValueError: If there are several levels, and the algorithm has no penalty.
    """
    whole = passage if levels == 1 else passage.without_largest()
    first = algorithm(whole, n, seed)
    cuts = NestedCuts(
        first.starts, first.gains, np.ones(len(first.starts), np.int64), first.penalty
    )
    if levels == 1 or not len(passage):
        return cuts
    penalty = first.penalty if n is None else _find_penalty(whole, algorithm, first.gains, seed)
    if penalty is None:
        raise ValueError(
            "The algorithm has no penalty, so it finds one level only, not "
            f'{levels}: set levels to 1, or take "spacy-thematic.KernelChangePoints.v1".'
        )
    for level in range(2, levels + 1):
        penalty *= FINER
        limited = passage if level == levels else whole
        cuts = _cut_again(cuts, limited, algorithm, seed, penalty, level)
    return cuts


def _find_penalty(
    passage: Passage, algorithm: Segmenter, gains: np.ndarray, seed: int
) -> float | None:
    """The penalty that leads to a given number of segments: about what the weakest cut gains."""
    if len(gains) > 1:
        return float(gains[1:].min())
    return algorithm(passage, None, seed).penalty


def _cut_again(
    cuts: NestedCuts,
    passage: Passage,
    algorithm: Segmenter,
    seed: int,
    penalty: float,
    level: int,
) -> NestedCuts:
    starts, gains, levels = [], [], []
    ends = np.append(cuts.starts[1:], len(passage))
    for start, end, gain, above in zip(cuts.starts, ends, cuts.gains, cuts.levels):
        within = algorithm(passage.part(start, end), None, seed, penalty)
        starts.append(start + within.starts)
        gains.append(np.append(gain, within.gains[1:]))
        levels.append(np.append(above, np.full(len(within.starts) - 1, level)))
    return NestedCuts(
        np.concatenate(starts), np.concatenate(gains), np.concatenate(levels), cuts.penalty
    )
