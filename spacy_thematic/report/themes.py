"""What every view of a Doc's themes needs: the themes, a hue for each, and options of displaCy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc

from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc

if TYPE_CHECKING:
    from spacy_thematic.pipeline.themes import Theme


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
