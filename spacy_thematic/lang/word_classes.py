"""Nouns, adjectives and verbs among the words of a text, by a table that has learned them.

For pipelines without a tagger. A linear model over a word, its ending, how it is written and the
two words beside it (the local features of a maximum entropy tagger, Ratnaparkhi 1996), learned from
the tags of `en_core_web_md`. `projects/pretrain/scripts/word_classes.py` makes the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

NOUN, ADJECTIVE, OTHER = range(3)
"""A noun or a name, an adjective, a verb or an adverb. Of function words nothing is told."""

BEGIN, END = "^", "$"


class WordClasses:
    """The table of a language.

    Args:
        features: What words may have, as `iter_own` and `iter_beside` name it.
        weights: Of each for each class, (features, 3).
        bias: Of the classes, (3,).
    """

    def __init__(self, features: Sequence[str], weights: np.ndarray, bias: np.ndarray) -> None:
        self._rows = {feature: row for row, feature in enumerate(features)}
        self._weights = np.vstack([weights, np.zeros((1, weights.shape[1]), weights.dtype)])
        self._bias = bias

    def __call__(self, forms: Sequence[str], words: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Tell the class of each word of a text.

        Args:
            forms: The distinct words, as they are written, m of them.
            words: The number of each word's form, (n,).
            starts: Whether a sentence starts with it, (n,).

        Returns:
            NOUN, ADJECTIVE or OTHER, (n,).
        """
        if not len(words):
            return np.zeros(0, int)
        own = self._add(iter_own(form) for form in forms)
        before, after = (
            self._add([_name_context(form, self._rows, side)] for form in [*forms, edge])
            for side, edge in (("p", BEGIN), ("n", END))
        )
        edge = len(forms)
        former = np.where(starts, edge, np.append(edge, words[:-1]))
        ends = np.append(starts[1:], True)
        latter = np.where(ends, edge, np.append(words[1:], edge))
        shapes = [f"s {describe_shape(form, start)}" for start in (False, True) for form in forms]
        shape = self._add([one] for one in shapes)[words + len(forms) * starts]
        scores = own[words] + before[former] + after[latter] + shape + self._bias
        return scores.argmax(axis=1)

    def _add(self, features: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> np.ndarray:
        """The sum of the weights of some features of each form, (forms, 3)."""
        rows = [[self._rows.get(one, -1) for one in own] for own in features]
        width = max(map(len, rows))
        padded = np.array([row + [-1] * (width - len(row)) for row in rows])
        return self._weights[padded].sum(axis=1, dtype=np.float32)


def iter_own(form: str) -> list[str]:
    """Return the features of a word by itself. Its ending counts where the word is unknown, whose
    weight then is none."""
    lower = form.lower()
    return [f"w {lower}", f"e {lower[-3:]}", f"e {lower[-2:]}"]


def _name_context(form: str, known: dict[str, int], side: str) -> str:
    """The feature that a word is to the word beside it: itself if it is common, else its last two
    letters."""
    lower = form.lower()
    feature = f"{side} {lower}"
    return feature if feature in known else f"{side} ~{lower[-2:]}"


def describe_shape(form: str, is_first: bool) -> str:
    """Return how a word is written: whether with a capital, and where."""
    if form[:1].isupper():
        is_acronym = form.isupper() and len(form) > 1
        return "first" if is_first else "capitals" if is_acronym else "capital"
    return "digit" if form[:1].isdigit() else "lower"


@cache
def load_word_classes(language: str) -> WordClasses | None:
    """Load the table of a language; None if it has none."""
    path = Path(__file__).parent / f"{language}_word_classes.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        features = arrays["features"].tobytes().decode("utf8").split("\n")
        return WordClasses(features, arrays["weights"], arrays["bias"])
