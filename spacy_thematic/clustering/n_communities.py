"""How many themes a list or a collection has, where the user does not say: `communities.py`
clusters it at several resolutions, and here one is chosen. `n_clusters.py` is for single texts.

A number of clusters holds if samples of the units have the same clusters (Ben-Hur et al. 2002).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

_SAMPLES, _SHARE = 8, 0.8  # How many samples are compared, and what part of the units each has.

_FEWEST, _OF_FEWEST = 3, 3
"""One or two themes are always stable, so their stability says nothing. Nor does that of fewer than
a third of the usual number, where more hold: of 400 questions to counsellors three held best."""

_USUAL, _OF_USUAL = 15, 0.3
"""How many clusters are usual where there are as many units as its square; of fewer units, their
square root. And how much that counts, the more the less a number holds: chosen on two draws of 17
labelled collections, and by the numbers that readers wanted for 15 others."""

NEARLY = 0.04
"""By how much worse than the best a number holds nearly as well. Which is best changes with a few
more units; the middle one, which is taken, changes less. Chosen on two draws of 17 collections."""

_OF_COLLECTION = (
    "The score says how well the themes of random samples agree with those of the whole collection "
    "(1 is perfect). Numbers that are unusual for a collection of this size get a lower score."
)
_OF_SEVERAL = (
    f"Of the numbers whose score is within {NEARLY} of the best, the middle one is chosen."
)
_OF_ONE = "No other number could be tried."


def explain_scores(scores: Mapping[int, float]) -> str:
    """Say what the scores of the numbers of a collection mean, and how one was chosen."""
    return f"{_OF_COLLECTION} {_OF_SEVERAL if len(scores) > 1 else _OF_ONE}"


class ChosenNumber(NamedTuple):
    """A number of clusters, and where it stands among those that were tried."""

    k: int
    scores: dict[int, float]  # Of each number that it was chosen from, at most 1.
    place: int | None = None  # The place of the number; None if it was not tried.
    # The place of the coarser level that holds best, of at most half as many; None if there is
    # none.
    coarser: int | None = None


def measure_stability(
    ways: Sequence[Sequence[np.ndarray]],
    find: Callable[[np.ndarray], Sequence[Sequence[np.ndarray]]],
    n: int,
    seed: int,
) -> np.ndarray:
    """Return how well the clusters of samples agree with those of all n units, at each resolution,
    (resolutions,): the mean over `ways`.

    Args:
        ways: In which the units were clustered, each the clusters at each resolution, (n,).
        find: The same, of units by their numbers.
    """
    from sklearn.metrics import adjusted_mutual_info_score

    rng = np.random.default_rng(seed)
    size = max(1, round(_SHARE * n))
    scores = np.zeros(len(ways[0]))
    for _ in range(_SAMPLES):
        sample = np.sort(rng.choice(n, size, replace=False))
        for of_all, of_sample in zip(ways, find(sample)):
            scores += [
                adjusted_mutual_info_score(labels[sample], found)
                for labels, found in zip(of_all, of_sample)
            ]
    return scores / (len(ways) * _SAMPLES)


def choose_number(
    numbers: Sequence[int], holds: np.ndarray, n: int, max_k: int | Literal["auto"]
) -> ChosenNumber:
    """Choose one of the numbers of clusters of n units that were tried, at each resolution, by how
    well they hold, (resolutions,), and how usual they are. Where each is too small or too large,
    return the most that there may be."""
    fewest, most = min(_FEWEST, max(numbers)), max(_FEWEST, n // 2)
    usual = min(_USUAL, n**0.5)
    scores = np.array(holds)
    counted = np.array(numbers) >= fewest
    # With those of the next resolutions: so few samples say little of each alone.
    near = np.pad(scores[counted], 1, mode="edge")
    scores[counted] = np.convolve(near, (0.25, 0.5, 0.25), "valid")
    # As the logarithm of a log-normal density of the number.
    unusual = np.log(np.array(numbers) / usual) ** 2
    scores = (scores - _OF_USUAL * (1 - scores) * unusual).round(4)
    if max_k != "auto":
        most = min(most, max_k)
    # Of several resolutions with one number of communities, the best.
    tried = {
        number: (score, place)
        for number, score, place in sorted(zip(numbers, scores.tolist(), range(len(numbers))))
        if fewest <= number <= most
    }
    if not tried:
        return ChosenNumber(most, {})
    found = every = {number: score for number, (score, _) in tried.items()}
    few = usual / _OF_FEWEST
    if choose_middle(every) < few:
        found = {number: score for number, score in every.items() if number >= few} or every
    k = choose_middle(found)
    coarser = {number: score for number, score in every.items() if number <= k / 2}
    above = tried[choose_middle(coarser)][1] if coarser else None
    return ChosenNumber(k, found, tried[k][1], above)


def choose_middle(holds: Mapping[int, float]) -> int:
    """Choose one of the numbers of clusters that were tried, by how well each holds: the middle one
    of those that hold nearly as well as the best; of two in the middle the one that holds better,
    or the smaller."""
    best = max(holds.values())
    nearly = sorted(number for number, score in holds.items() if score >= best - NEARLY)
    middle = nearly[(len(nearly) - 1) // 2 : len(nearly) // 2 + 1]
    return max(middle, key=holds.__getitem__)
