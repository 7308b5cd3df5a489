"""Themes for displaCy."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc

from spacy_thematic.report.themes import get_themes, hue
from spacy_thematic.span_keys import CLUSTERS_KEY


def displacy_options(doc: Doc) -> dict[str, Any]:
    """Return options for `displacy.render(doc, style="span", options=...)`: they show the sentences
    under the labels of their themes, in the colours of the page.

    Raises:
        ValueError: If the Doc has no themes.
    """
    colours = {theme.label: f"hsl({hue(theme.number)} 75% 88%)" for theme in get_themes(doc)}
    return {"spans_key": CLUSTERS_KEY, "colors": colours}
