"""The boilerplate of a collection: sentences that many of its texts have beside others, such as the
footer of a mailing list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from typing import NamedTuple

import numpy as np

_FEWEST_TEXTS, _OF_TEXTS = 5, 1 / 4
"""Texts with a sentence, and their share, from which it is boilerplate."""

_NINES = str.maketrans("0123456789", "9999999999")


class Repeats(NamedTuple):
    """In how many of some texts sentences stand beside others.

    Attributes:
        n_texts: The number of texts.
        counts: Of sentences, as `fold_sentence` makes them alike, the number of texts.
    """

    n_texts: int
    counts: Counter[str]

    @classmethod
    def of_texts(
        cls, texts: Iterable[Sequence[str]], only: Container[str] | None = None
    ) -> Repeats:
        """Count the sentences of each text, all or `only` some."""
        counts: Counter[str] = Counter()
        n_texts = 0
        for sentences in texts:
            own = {*map(fold_sentence, sentences)}
            n_texts += bool(own)
            if len(own) > 1:
                counts.update(own if only is None else (one for one in own if one in only))
        return cls(n_texts, counts)

    def find_frequent(self) -> set[str]:
        """Return the sentences that stand in a quarter of the texts. Where that is so of all texts,
        it is so of a part of them, however they are cut."""
        return {one for one, n in self.counts.items() if n >= _OF_TEXTS * self.n_texts}

    def find_boilerplate(self) -> frozenset[str]:
        """Return those that stand in five texts at least, and in a quarter of them."""
        return frozenset(one for one in self.find_frequent() if self.counts[one] >= _FEWEST_TEXTS)


def fold_sentence(text: str) -> str:
    """Return a sentence as those that differ from it in numbers, capitals and spaces are."""
    folded = " ".join(text.lower().split()).translate(_NINES)
    while "99" in folded:
        folded = folded.replace("99", "9")
    return folded


def find_said(sentences: Sequence[str], boilerplate: Collection[str]) -> np.ndarray:
    """Return which sentences of a text are no boilerplate, bool (n,); all, if that is all that the
    text says."""
    if not boilerplate:
        return np.ones(len(sentences), bool)
    said = np.array([fold_sentence(one) not in boilerplate for one in sentences], bool)
    return said if said.any() else ~said
