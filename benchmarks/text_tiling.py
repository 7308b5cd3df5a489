"""TextTiling (Hearst 1997): cuts in the valleys of the likeness of neighbouring blocks."""

import numpy as np

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import unit_rows
from spacy_thematic.segmentation.cutting import cut_at_penalty, cut_gains, cut_into
from spacy_thematic.segmentation.passage import Cuts, Passage


def text_tiling(
    passage: Passage, n: int | None, seed: int = 0, scale: float = 1.0, *, window: int = 5
) -> Cuts:
    """Cut a passage into n segments where the depth scores of gaps, with its own gap scores, are
    largest: a `Segmenter`. Nothing is random. Blocks have `window` sentences.

    Where n is None, valleys are cut whose depth is above `scale` times the mean depth of valleys
    less half its standard deviation (Hearst 1997, section 5.3)."""
    if window < 1:
        raise ValueError(f"Expected a window of at least 1 sentence, found {window}.")
    depths = depth_scores(block_cosines(unit_rows(passage.vectors, centre=False), window))
    scored = passage.replace(gap_scores=depths + passage.gap_scores)
    nothing = np.zeros((len(passage), 0))
    with single_thread():
        penalty = None
        if n is not None:
            starts = cut_into(nothing, scored, n)
        else:
            valleys = depths[depths > 0]
            # Other gaps have no depth, and are not cut.
            penalty = scale * float(valleys.mean() - valleys.std() / 2) if len(valleys) else 1.0
            penalty = max(penalty, 1e-6)
            starts = cut_at_penalty(nothing, scored, penalty)
        return Cuts(starts, cut_gains(nothing, scored, starts), penalty)


def block_cosines(rows: np.ndarray, window: int) -> np.ndarray:
    """Return for each gap the cosine of the sums of the `window` rows before and after it, of rows
    (n, width), (n - 1,). There are fewer near the ends of the text."""
    n = len(rows)
    before = np.vstack([np.zeros(rows.shape[1]), np.cumsum(rows, axis=0, dtype=np.float64)])
    gaps = np.arange(1, n)
    sides = (
        before[gaps] - before[np.maximum(gaps - window, 0)],
        before[np.minimum(gaps + window, n)] - before[gaps],
    )
    norms = np.linalg.norm(sides[0], axis=1) * np.linalg.norm(sides[1], axis=1)
    products = np.einsum("ij,ij->i", *sides)
    return np.divide(products, norms, where=norms > 0, out=np.zeros(len(gaps)))


def depth_scores(cosines: np.ndarray) -> np.ndarray:
    """Return how deep each valley lies below the peaks to its left and right, (gaps,): the sum of
    both heights, each up to where the cosines begin to fall. 0 for gaps that are no valley."""
    left, right = cosines.copy(), cosines.copy()
    for gap in range(1, len(cosines)):
        if cosines[gap - 1] >= cosines[gap]:
            left[gap] = left[gap - 1]
    for gap in range(len(cosines) - 2, -1, -1):
        if cosines[gap + 1] >= cosines[gap]:
            right[gap] = right[gap + 1]
    around = np.pad(cosines, 1, constant_values=np.inf)
    is_valley = (cosines <= around[:-2]) & (cosines <= around[2:])
    return np.where(is_valley, left + right - 2 * cosines, 0)
