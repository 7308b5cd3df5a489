"""What views of a Doc's themes need: the themes, why there are so many, and a colour for each."""

from typing import Any, NamedTuple

from spacy.tokens import Doc

from spacy_thematic.clustering.communities import choose_middle
from spacy_thematic.pipeline.corpus_themes import OF_COLLECTION
from spacy_thematic.pipeline.themes import Theme
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc

_WITHIN_A_TEXT = (
    "How well that many themes are apart, from -1 to 1, less what a number costs that is unusual "
    "for the length of the text. Numbers are left out with which one theme would have more than "
    "a third of a text in order. The largest score decides."
)
_OF_COLLECTION = (
    "How well that many themes hold: how far those of random parts of the texts agree with them, "
    "at most 1."
)
_OF_SEVERAL = "Of the numbers with the largest scores the middle one is taken."
_OF_ONE = "No other number could be tried."


def get_themes(doc: Doc) -> list[Theme]:
    """Return `doc._.thematic_clusters`. Raises ValueError if the Doc has no themes, TypeError if it
    is not a Doc."""
    check_is_doc(doc)
    themes = doc._.thematic_clusters
    if themes is None:
        raise ValueError(
            'This Doc has no themes: process it with a pipeline that has "thematic_clusterer".'
        )
    return themes


def hue(number: int) -> int:
    """Return the hue of a theme in degrees; consecutive numbers are far apart in colour."""
    return round(212 + (number - 1) * 137.508) % 360


def displacy_options(doc: Doc) -> dict[str, Any]:
    """Return options for `displacy.render(doc, style="span", options=...)`: they show the sentences
    under the labels of their themes, in the colours of the page. Raises ValueError if the Doc has
    no themes."""
    colours = {theme.label: f"hsl({hue(theme.number)} 75% 88%)" for theme in get_themes(doc)}
    return {"spans_key": CLUSTERS_KEY, "colors": colours}


class Explanation(NamedTuple):
    """The score of each number of themes that was tried, the number that was chosen, and what the
    scores say."""

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
    if attrs["algorithm"] == OF_COLLECTION:
        choice = _OF_SEVERAL if len(scores) > 1 else _OF_ONE
        return Explanation(scores, choose_middle(scores), f"{_OF_COLLECTION} {choice}")
    about, chosen = _WITHIN_A_TEXT, max(scores, key=scores.__getitem__)
    if attrs["k"] < chosen:
        about += f" Of {chosen}, those that are alike were joined, so that there are {attrs['k']}."
    return Explanation(scores, chosen, about)
