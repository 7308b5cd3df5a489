"""Why a Doc has as many themes as it has."""

from __future__ import annotations

from typing import NamedTuple

from spacy.tokens import Doc

from spacy_thematic.span_keys import CLUSTERS_KEY

ABOUT_SCORES = (
    "How well that many themes are apart, from -1 to 1, less what a number costs that is unusual "
    "for the length of the text. Numbers are left out with which one theme would have more than "
    "a third of a text in order."
)


class Explanation(NamedTuple):
    """The score of each number of themes that was tried, and the number of the largest score."""

    scores: dict[int, float]
    chosen: int


def explain_k(doc: Doc) -> Explanation | None:
    """Return the scores by which the number of themes of a Doc was chosen; None where it was given,
    or found in another way."""
    return explain_scores(dict(doc.spans[CLUSTERS_KEY].attrs.get("k_scores", ())))


def explain_scores(scores: dict[int, float]) -> Explanation | None:
    """Return the same for the scores themselves; None where there are none."""
    return Explanation(scores, max(scores, key=scores.__getitem__)) if scores else None
