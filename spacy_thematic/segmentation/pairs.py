"""Log odds that two sentences of a text in order have one theme, for any two of them.

A generalized additive model (Hastie & Tibshirani 1986) that has learned from outlines of readers,
and from the sections of articles. `projects/pretrain/scripts/pair_shapes.py` makes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.rows import cumulate, unit_rows

_REACHES = {"alone": 0, "near": 1, "far": 3}
_OF_WORDS = 2
"""How many sentences on each side count with one when its vector is compared, and its words."""

_COMMON = 0.1  # The least weight of a word that most sentences have.


class Shapes(NamedTuple):
    """What each value of each feature of a pair adds to its log odds."""

    bias: float  # The log odds where nothing is known.
    # Up to which values a feature adds the same, sorted, for each feature by its name; the last is
    # infinite.
    limits: dict[str, np.ndarray]
    added: dict[str, np.ndarray]  # What it adds up to each limit, and last where it is not known.

    def __call__(self, features: Iterator[tuple[str, np.ndarray]]) -> np.ndarray:
        """Return the log odds of p pairs, float32 (p,), from the name and the values, (p,), of each
        feature."""
        # What is not a number sorts last.
        parts = (self.added[name][self.limits[name].searchsorted(own)] for name, own in features)
        return np.asarray(sum(parts, start=np.float32(self.bias)))


@cache
def load_shapes() -> Shapes:
    """Load the shapes."""
    with np.load(Path(__file__).parent / "pairs.npz") as arrays:
        names = [name[7:] for name in arrays if name.startswith("limits ")]
        limits, added = ({n: arrays[f"{kind} {n}"] for n in names} for kind in ("limits", "added"))
        return Shapes(float(arrays["bias"]), limits, added)


def measure_pairs(
    vectors: np.ndarray,
    log_odds: np.ndarray,
    words: Sequence[Collection[str]],
    ends: np.ndarray | None = None,
    starts: np.ndarray | None = None,
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what is known of any two of n sentences, a name and the values of the pairs, in the
    order of scipy's condensed matrices, (n (n - 1) / 2,) each.

    Args:
        vectors: Of the sentences, (n, width). Cosines count beside those of the other pairs of the
            text, so any encoder may have made them.
        log_odds: That a section begins after each but the last, (n - 1,).
        words: The words of content of each.
        ends: Whether a paragraph ends after each but the last, (n - 1,); None: it is not known.
        starts: The place of each in the text, (n,), where sentences that stand together count as
            one; None: they do not.
    """
    n = len(vectors)
    first, second = np.triu_indices(n, 1)
    starts = np.arange(n) if starts is None else starts
    sums = cumulate(unit_rows(vectors))
    for name, reach in _REACHES.items():
        cosines = _compare(_add_neighbours(sums, reach))[first, second]
        yield name, _standardize(cosines)
    yield "words", _compare_words(words)[first, second]
    highest = [np.maximum.accumulate(log_odds[start:]) for start in range(n - 1)]
    yield "highest", np.concatenate([np.zeros(0), *highest])
    passed = np.append(0, np.logaddexp(0, log_odds).cumsum())
    yield "passed", passed[second] - passed[first]
    paragraph = np.full(n, np.nan) if ends is None else np.append(0, np.cumsum(ends))
    yield "paragraphs", paragraph[second] - paragraph[first]
    yield "distance", (starts[second] - starts[first]).astype(float)


def _add_neighbours(sums: np.ndarray, reach: int) -> np.ndarray:
    """The sums of n rows and so many on each side of them, by the sums of the first 0 to n rows."""
    places = np.arange(len(sums) - 1)
    ends = np.minimum(places + reach + 1, len(places))
    return sums[ends] - sums[np.maximum(places - reach, 0)]


def _compare(rows: np.ndarray) -> np.ndarray:
    rows = unit_rows(rows, centre=False)
    with single_thread():
        return rows @ rows.T


def _standardize(values: np.ndarray) -> np.ndarray:
    deviation = values.std() if len(values) else 0
    return (values - values.mean()) / deviation if deviation > 0 else np.zeros(len(values))


def _compare_words(words: Sequence[Collection[str]]) -> np.ndarray:
    """The cosines of the words of sentences and those around them, (n, n). A word counts the more
    the fewer sentences have it."""
    from scipy.sparse import csr_array, diags_array

    n = len(words)
    sets = [sorted({*own}) for own in words]
    numbers = {word: number for number, word in enumerate(sorted(set().union(*sets)))}
    if not numbers:
        return np.zeros((n, n))
    columns = np.array([numbers[word] for own in sets for word in own])
    weights = np.log((n + 1) / (np.bincount(columns) + 0.5)).clip(_COMMON)
    rows = np.repeat(np.arange(n), [*map(len, sets)])
    table = csr_array((weights[columns], (rows, columns)), shape=(n, len(numbers)))
    offsets = range(-min(_OF_WORDS, n - 1), min(_OF_WORDS, n - 1) + 1)
    sums = diags_array([1.0] * len(offsets), offsets=[*offsets], shape=(n, n)).tocsr() @ table
    lengths = np.sqrt(sums.multiply(sums).sum(axis=1))
    unit = diags_array(1 / np.where(lengths > 0, lengths, 1)).tocsr() @ sums
    return (unit @ unit.T).toarray()
