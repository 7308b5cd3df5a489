"""Kernel change point detection on the vectors of sentences, with a penalty that adapts to the
text."""

from functools import partial

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import mean_row, unit_rows
from spacy_thematic.segmentation.cutting import cut_at_penalty, cut_gains, cut_into
from spacy_thematic.segmentation.passage import Cuts, Passage, Segmenter

SHORTEST, LONGEST = 60, 1_000
"""The sentences of a text between which the usual penalty grows with its length."""

FACTOR = 0.2
"""Chosen on texts of five kinds. A constant penalty, one of log n and one of sqrt(n) were worse; a
prior on the number of segments gained nothing."""

BOUNDARY_WEIGHT, USUAL_LOG_ODDS = 0.2, -0.75
"""How much what is known of a gap counts, and from which log odds on it speaks for a cut.
Chosen on dev articles of Wikipedia, other prose and textbooks; the first on outlines of readers,
too, the second on meetings and Wiki-50."""

LEAST_SHARE = 0.5
"""How many of the segments that the log odds lead one to expect there are at least. A story or talk
has one or two otherwise. A share of .6 was worse on textbooks and other prose."""


def kernel_change_points(
    passage: Passage,
    n: int | None,
    seed: int = 0,
    scale: float = 1.0,
    *,
    factor: float = FACTOR,
    centre: bool = True,
    boundary_weight: float = BOUNDARY_WEIGHT,
) -> Cuts:
    """Cut a passage so that the sentences of a segment are near their mean: a `Segmenter`. Nothing
    is random.

    The scatter of unit vectors around the means of their segments, plus a penalty for each cut,
    less its gap score and what a net has learned of it, is made as small as it can be.

    Without n the penalty is `scale * factor` times what `usual_penalty` returns. `centre` subtracts
    the mean vector first, which brings out what the sentences of the text do not share.
    `boundary_weight` says how much the log odds of the passage count beside the penalty. Where the
    penalty leaves fewer than half the segments that they lead one to expect, half are found.
    """
    rows = unit_rows(passage.vectors, centre)
    if len(rows):
        # What says little is drawn towards the mean.
        rows = (rows - rows.mean(axis=0)) * np.sqrt(passage.weights)[:, None]
    odds = passage.log_odds
    with single_thread():
        penalty = scale * factor * usual_penalty(rows, passage.vectors)
        if odds is not None:
            learned = boundary_weight * penalty * (odds - USUAL_LOG_ODDS)
            passage = passage.replace(gap_scores=passage.gap_scores + learned)
        if n is not None:
            starts = cut_into(rows, passage, n)
            return Cuts(starts, cut_gains(rows, passage, starts))
        starts = cut_at_penalty(rows, passage, penalty)
        if odds is not None and boundary_weight:
            expected = 1 + float(np.exp(-np.logaddexp(0, -odds)).sum())
            least = round(LEAST_SHARE * expected / max(scale * factor / FACTOR, 1))
            if len(starts) < least:
                starts = cut_into(rows, passage, least)
        return Cuts(starts, cut_gains(rows, passage, starts), penalty)


def usual_penalty(rows: np.ndarray, vectors: np.ndarray) -> float:
    """Return `sqrt(n) s_1 / sqrt(s)`, for a text of n sentences, from the rows that are cut and
    their vectors as they came, (n, width).

    s_1 is half the mean squared distance of neighbouring rows: the scatter of a sentence where no
    cut is near. s, 0 to 1, is the scatter of the unit vectors before they are centred: 1 minus the
    squared length of their mean. n is at least 60, for a short text has hardly more segments than
    one, and at most 1,000, so that a longer text is cut as finely as its parts."""
    units = unit_rows(vectors, centre=False)
    scatter = 1 - float(np.square(mean_row(units)).sum())
    if len(rows) < 2 or scatter <= 0:
        return 1.0
    steps = np.diff(rows, axis=0)
    local = float(np.einsum("ij,ij->i", steps, steps).mean()) / 2
    return float(np.clip(len(rows), SHORTEST, LONGEST) / scatter) ** 0.5 * local


@registry.misc("spacy-thematic.KernelChangePoints.v1")
def create_kernel_change_points(
    factor: float = FACTOR, centre: bool = True, boundary_weight: float = BOUNDARY_WEIGHT
) -> Segmenter:
    """Create kernel change point detection. The larger the factor, the fewer segments. The larger
    the weight, the more the learned boundary score of the model counts; 0 leaves it out."""
    return partial(
        kernel_change_points, factor=factor, centre=centre, boundary_weight=boundary_weight
    )
