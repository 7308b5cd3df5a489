"""Sentences that say nothing of a theme: greetings, thanks, credits, adverts, page furniture.

In: sentences, and how like they are to some that say nothing. Out: which of them say nothing, as
told by trees that have learned from readers' marks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from spacy_thematic.trees import Trees

_NEAREST = 3  # The sentences of a kind that one is compared with: those that it is most like.

_STEPS, _SPANS = (-3, -2, -1, 1, 2, 3), (3, 8)
"""The sentences around one whose odds are known by themselves, and how far those reach on each side
whose mean is."""

_ADDRESS = re.compile(r"://|www\.|@\w")
_OPENING = 32
"""The characters at the start of a sentence where a colon ends the name of a speaker or a field."""

_FILE = Path(__file__).parent / "asides.npz"

_DIGITS = re.compile("[0-9]+")


def compare_kinds(rows: np.ndarray, kinds: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return how like unit rows, (n, width), are to those of each kind, (m, width): the mean of the
    highest cosines, (n,)."""
    return {
        name: np.sort(rows @ of_kind.T, axis=1)[:, -_NEAREST:].mean(axis=1)
        for name, of_kind in kinds.items()
    }


def measure_sentences(
    texts: Sequence[str],
    *,
    ends: np.ndarray | None = None,
    headings: np.ndarray,
    of_layout: np.ndarray,
    is_speech: bool,
) -> dict[str, np.ndarray]:
    """Return what is known of each of n sentences but for their vectors, by name, (n,) each, NaN
    where nothing is: their form, their place, and what the layout says.

    Args:
        texts: Of the sentences, without who speaks, n.
        ends: Whether a paragraph ends after each but the last, bool (n - 1,).
        headings: Whether each is a heading, or a part of one, bool (n,).
        of_layout: Whether each is an aside of the layout, bool (n,).
        is_speech: Whether they are what several speakers say.
    """
    n = len(texts)
    lengths = np.array([*map(len, texts)], float)
    words = [text.split() for text in texts]
    folded = [*map(_fold, texts)]
    counts = Counter(folded)
    ended = np.full(n + 1, np.nan)
    if ends is not None:
        ended[1:-1] = ends
    characters = np.log1p(lengths)
    return {
        "place": np.arange(n, dtype=float),
        "left": np.arange(n, dtype=float)[::-1],
        "n": np.full(n, float(n)),
        "characters": characters,
        "longer": characters - np.log1p(np.median(lengths)) if n else characters,
        "words": np.array([*map(len, words)], float),
        "digits": _share(texts, str.isdigit),
        "capitals": _share(texts, str.isupper),
        "capitalized": _share(words, lambda word: word[0].isupper()),
        "starts_small": np.array([text[:1].islower() for text in texts], float),
        "starts_with_letter": np.array([text[:1].isalpha() for text in texts], float),
        "has_address": np.array([bool(_ADDRESS.search(text)) for text in texts], float),
        "has_colon": np.array([":" in text[:_OPENING] for text in texts], float),
        "repeats": np.log([float(counts[text]) for text in folded]) if n else lengths,
        "ends_before": ended[:-1],
        "ends_after": ended[1:],
        "share_of_ends": np.full(n, np.nan if ends is None or n < 2 else ends.mean()),
        "heading": headings.astype(float),
        "of_layout": of_layout.astype(float),
        "of_layout_near": _spread(of_layout.astype(float), _SPANS[0]),
        "speech": np.full(n, float(is_speech)),
    }


def measure_around(odds: np.ndarray) -> dict[str, np.ndarray]:
    """Return what the odds of n sentences, by their vectors alone, say of each, by name, (n,)."""
    n = len(odds)
    padded = np.pad(odds, max(_STEPS), constant_values=np.nan)
    return {
        "odds": odds,
        **{f"odds_{step}": padded[max(_STEPS) + step :][:n] for step in _STEPS},
        **{f"odds_within_{span}": _spread(odds, span) for span in _SPANS},
        "odds_until": np.cumsum(odds) / np.arange(1, n + 1),
        "odds_from": np.cumsum(odds[::-1])[::-1] / np.arange(n, 0, -1),
        "odds_of_all": np.full(n, odds.mean() if n else np.nan),
    }


def find_asides(known: Mapping[str, np.ndarray], kinds: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return which of n sentences say nothing of a theme, bool (n,). A heading goes with what it
    heads. Of texts that were not learned from, readers who leave out one sentence of seven agree on
    three of four, and those who leave out one of twenty on one of three.

    Args:
        known: What `measure_sentences` returns.
        kinds: What `compare_kinds` does, with the kinds of English.
    """
    trees, names, weights = _load()
    odds = np.column_stack([*(kinds[name] for name in names), np.ones(len(known["n"]))]) @ weights
    found = trees({**known, **kinds, **measure_around(odds)}) > 0
    after = np.append(known["of_layout"][1:] > 0, True)
    for row in np.flatnonzero(known["heading"])[::-1].tolist():
        found[row] &= after[row] or found[row + 1]
    return found


def _fold(text: str) -> str:
    """A sentence as those that differ from it in numbers, capitals and spaces are."""
    return _DIGITS.sub("9", " ".join(text.lower().split()))


def _share(texts: Sequence[Sequence[str]], holds: Callable[[str], bool]) -> np.ndarray:
    """The share of the parts of each text for which something holds."""
    return np.array([sum(map(holds, text)) / max(len(text), 1) for text in texts], float)


def _spread(values: np.ndarray, span: int) -> np.ndarray:
    """The mean of the values up to a span before and after each."""
    sums = np.append(0.0, np.cumsum(values))
    place = np.arange(len(values))
    first, after = np.maximum(place - span, 0), np.minimum(place + span + 1, len(values))
    return (sums[after] - sums[first]) / (after - first)


@cache
def _load() -> tuple[Trees, list[str], np.ndarray]:
    """The trees, whose sum is a log odds, the names of the kinds, and the weight of each for the
    odds by vectors alone, with what is added, (kinds + 1,)."""
    with np.load(_FILE) as arrays:
        return Trees.load(_FILE), str(arrays["kinds"]).split(), arrays["weights"]
