"""How well cuts of a text agree with those that people made: arrays in, numbers out.

A segmentation is the segment of each sentence, (n,): runs of one value are segments, so topics that
come back later may keep their number. All measures count places between sentences. Pk and
WindowDiff are errors, 0 to 1; boundary similarity is an agreement, 0 to 1.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

ERRORS = {"pk": "Pk", "window_diff": "WindowDiff", "boundary_similarity": "B"}
"""The measures of `segmentation_error`, and their headings in tables."""

Segments = Sequence[int] | np.ndarray


def segmentation_error(found: Segments, reference: Segments) -> dict[str, float]:
    """All measures of how well the segments found, (n,), agree with the reference, (n,)."""
    measures = pk, window_diff, boundary_similarity
    return {name: measure(found, reference) for name, measure in zip(ERRORS, measures)}


def mean_segmentation_error(texts: Iterable[Mapping[str, float]]) -> dict[str, float | None]:
    """The mean over texts of the results of `segmentation_error`; None if there are no texts."""
    found = list(texts)
    return {
        measure: float(np.mean([values[measure] for values in found])) if found else None
        for measure in ERRORS
    }


def find_window(reference: Segments) -> int:
    """The window of `pk` and `window_diff`: half the mean length of the reference's segments,
    rounded, but at least 2 sentences."""
    cuts = find_cuts(reference)
    return max(2, round((len(cuts) + 1) / (int(cuts.sum()) + 1) / 2))


def pk(found: Segments, reference: Segments) -> float:
    """How often two sentences that are a window (`find_window`) apart are wrongly placed in the
    same segment or in different segments (Beeferman, Berger & Lafferty 1999, section 4): 0 is best,
    1 is worst. Each argument is the number of the segment of each sentence, (n,). It is 0 if the
    text is no longer than the window. Raises ValueError if the arguments are empty or differ in
    length."""
    return _compare_windows(found, reference, most=1)


def window_diff(found: Segments, reference: Segments) -> float:
    """How often a window contains the wrong number of cuts (Pevzner & Hearst 2002, section 5).
    Takes the same as `pk`, and raises ValueError like it."""
    return _compare_windows(found, reference, most=len(reference))


def boundary_similarity(found: Segments, reference: Segments) -> float:
    """How well the cuts agree, from 0 to 1. Takes the same as `pk`. A near miss counts as half a
    miss (Fournier 2013, equation 3, for transpositions of two places). It is 1 if neither
    segmentation has a cut.

    A near miss is a cut of one segmentation next to one of the other, neither of which has a
    counterpart in the same place. Raises ValueError like `pk`.
    """
    _check(found, reference)
    cuts, true = find_cuts(found), find_cuts(reference)
    extra, missed = cuts & ~true, true & ~cuts
    n_near = 0
    for place in range(len(cuts) - 1):
        pair = slice(place, place + 2)
        if (extra[place] and missed[place + 1]) or (missed[place] and extra[place + 1]):
            extra[pair] = missed[pair] = False
            n_near += 1
    n_single = int(extra.sum() + missed.sum())
    counted = int((cuts & true).sum()) + n_near + n_single
    return 1 - (n_single + n_near / 2) / counted if counted else 1.0


def find_cuts(segments: Segments) -> np.ndarray:
    """Whether there is a cut between each sentence and the next, (n - 1,), by the number of the
    segment of each, (n,)."""
    segments = np.asarray(segments)
    return segments[1:] != segments[:-1]


def _compare_windows(found: Segments, reference: Segments, most: int) -> float:
    """The share of windows with other numbers of cuts, of which at most so many count."""
    _check(found, reference)
    window = find_window(reference)
    before = [np.append(0, np.cumsum(find_cuts(one))) for one in (found, reference)]
    ours, theirs = (np.minimum(n[window:] - n[: len(n) - window], most) for n in before)
    return float((ours != theirs).mean()) if len(ours) else 0.0


def _check(found: Segments, reference: Segments) -> None:
    if len(found) != len(reference) or not len(found):
        raise ValueError(
            "Expected the segments of the same sentences, at least one, found "
            f"{len(found)} and {len(reference)}."
        )
