"""Why a Doc has as many themes as it has."""

from typing import NamedTuple

from spacy.tokens import Doc

from spacy_thematic.pipeline.corpus_themes import OF_COLLECTION
from spacy_thematic.span_keys import CLUSTERS_KEY

_WITHIN_A_TEXT = (
    "How well that many themes are apart, from -1 to 1, less what a number costs that is unusual "
    "for the length of the text. Numbers are left out with which one theme would have more than "
    "a third of a text in order."
)
_OF_COLLECTION = (
    "How well that many themes hold: how far those of random parts of the texts agree with them, "
    "at most 1."
)


class Explanation(NamedTuple):
    """The score of each number of themes that was tried, the number of the largest score, and what
    the scores say."""

    scores: dict[int, float]
    chosen: int
    about: str


def explain_k(doc: Doc) -> Explanation | None:
    """Return the scores by which the number of themes of a Doc, or of its collection, was chosen;
    None where it was given, or found in another way."""
    attrs = doc.spans[CLUSTERS_KEY].attrs
    scores = dict(attrs.get("k_scores", ()))
    if not scores:
        return None
    about = _OF_COLLECTION if attrs["algorithm"] == OF_COLLECTION else _WITHIN_A_TEXT
    return Explanation(scores, max(scores, key=scores.__getitem__), about)
