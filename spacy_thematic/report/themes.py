"""What every view of a Doc's themes needs: the themes, and a hue for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.tokens import Doc

from spacy_thematic.span_keys import check_is_doc

if TYPE_CHECKING:
    from spacy_thematic.pipeline.themes import Theme


def get_themes(doc: Doc) -> list[Theme]:
    """Return `doc._.thematic_clusters`.

    Raises:
        ValueError: If the Doc has no themes.
        TypeError: If it is no Doc.
    """
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
