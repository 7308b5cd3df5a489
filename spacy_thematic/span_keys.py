"""The span groups that the components write, and a check of Docs."""

from __future__ import annotations

from spacy.tokens import Doc

SENTENCES_KEY = "thematic_sentences"
CLUSTERS_KEY = "thematic_clusters"
SEGMENTS_KEY = "thematic_segments"


def check_is_doc(doc: object) -> None:
    """Raise TypeError unless `doc` is a Doc, such as when one Doc is passed instead of a list."""
    if not isinstance(doc, Doc):
        raise TypeError(f"Expected Docs, found {type(doc).__name__}: pass a list of Docs.")
