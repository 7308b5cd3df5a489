"""Segmentation that reads no word: what any other has to beat."""

from __future__ import annotations

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.n_clusters import usual_k
from spacy_thematic.segmentation.cutting import cut_into
from spacy_thematic.segmentation.passage import Cuts, Passage, Segmenter


def equal_length(passage: Passage, n: int | None, seed: int = 0, scale: float = 1.0) -> Cuts:
    """Cut into segments of as equal size as can be: a `Segmenter`. Where n is None, there are as
    many as themes in an article of that length, whatever the scale. Nothing is random."""
    # The scatter of places on a line is least for equal segments.
    middles = np.cumsum(passage.sizes) - passage.sizes / 2
    places = middles / max(float(passage.sizes.sum()), 1.0)
    return _cut(places[:, None], passage, _number(passage, n))


def random_cuts(passage: Passage, n: int | None, seed: int = 0, scale: float = 1.0) -> Cuts:
    """Cut at random gaps: a `Segmenter`. Where n is None, there are as many segments as for
    `equal_length`, whatever the scale."""
    scores = np.random.default_rng(seed).random(max(len(passage) - 1, 0))
    nothing = np.zeros((len(passage), 0))
    return _cut(nothing, passage, _number(passage, n), scores)


def no_cuts(passage: Passage, n: int | None, seed: int = 0, scale: float = 1.0) -> Cuts:
    """Leave the passage in one piece, unless that is too large: a `Segmenter`. Neither n nor the
    scale makes a difference, and nothing is random."""
    return _cut(np.zeros((len(passage), 0)), passage, 1)


def _cut(rows: np.ndarray, passage: Passage, n: int, gap_scores: np.ndarray | None = None) -> Cuts:
    """Cut by other gap scores than the passage's, or none."""
    if gap_scores is None:
        gap_scores = np.zeros_like(passage.gap_scores)
    starts = cut_into(rows, passage.with_gap_scores(gap_scores), n)
    return Cuts(starts, np.zeros(len(starts)))


def _number(passage: Passage, n: int | None) -> int:
    return max(1, min(round(usual_k(len(passage))), len(passage))) if n is None else n


@registry.misc("spacy-thematic.EqualLength.v1")
def create_equal_length() -> Segmenter:
    """Create segments of equal size."""
    return equal_length


@registry.misc("spacy-thematic.RandomCuts.v1")
def create_random_cuts() -> Segmenter:
    """Create segments between random gaps."""
    return random_cuts


@registry.misc("spacy-thematic.NoCuts.v1")
def create_no_cuts() -> Segmenter:
    """Create one segment."""
    return no_cuts
