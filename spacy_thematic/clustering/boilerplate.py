"""The boilerplate of a collection: sentences that many of its texts have beside others, such as the
footer of a mailing list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from typing import NamedTuple

import numpy as np

_FEWEST_TEXTS, _OF_TEXTS = 5, 1 / 20
"""Texts with a sentence, and their share, from which it is boilerplate. Of one word the share is a
quarter, of two an eighth, of three a sixteenth: a short one may be an item of many lists ("Git").
Chosen on 26 collections of issues, tickets, answers, posts and news: at 1 / 32 an error message
that users report is one too."""

_WORD = re.compile(r"[^\W\d_]{2,}")


class Repeats(NamedTuple):
    """In how many of some texts sentences stand beside others."""

    n_texts: int  # The number of texts.
    counts: Counter[str]  # Of sentences, as `fold_sentence` makes them alike, the number of texts.

    @classmethod
    def of_texts(
        cls, texts: Iterable[Sequence[str]], only: Container[str] | None = None
    ) -> Repeats:
        """Count the sentences of each text, all or `only` some."""
        counts: Counter[str] = Counter()
        n_texts = 0
        for sentences in texts:
            own = {*map(fold_sentence, sentences)} - {""}
            n_texts += len(sentences) > 0
            if len(own) > 1:
                counts.update(own if only is None else (one for one in own if one in only))
        return cls(n_texts, counts)

    def find_frequent(self) -> set[str]:
        """Return the sentences that stand in a large share of the texts, the larger the shorter
        they are. Where that is so of all texts, it is so of a part of them, however they are
        cut."""
        return {
            one
            for one, n in self.counts.items()
            if n >= max(_OF_TEXTS, 0.5 ** (one.count(" ") + 2)) * self.n_texts
        }

    def find_boilerplate(self) -> frozenset[str]:
        """Return those that stand in five texts at least, and in a large share of them."""
        return frozenset(one for one in self.find_frequent() if self.counts[one] >= _FEWEST_TEXTS)


def fold_sentence(text: str) -> str:
    """Return the words of a sentence, in lower case, without numbers, single letters and marks:
    "## Steps to reproduce:" is "steps to reproduce"."""
    return " ".join(_WORD.findall(text.lower()))


def find_said(sentences: Sequence[str], boilerplate: Collection[str]) -> np.ndarray:
    """Return which sentences of a text are no boilerplate, bool (n,); all, if that is all that the
    text says."""
    if not boilerplate:
        return np.ones(len(sentences), bool)
    said = np.array([fold_sentence(one) not in boilerplate for one in sentences], bool)
    return said if said.any() else ~said
