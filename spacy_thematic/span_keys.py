"""The span groups that the components write, and a check for Docs."""

from __future__ import annotations

from spacy.tokens import Doc

SENTENCES_KEY = "thematic_sentences"
CLUSTERS_KEY = "thematic_clusters"


def check_is_doc(doc: object) -> None:
    """Raise TypeError for what is no Doc, such as the tokens of one that stands for a list."""
    if not isinstance(doc, Doc):
        raise TypeError(f"Expected Docs, found {type(doc).__name__}: pass a list of Docs.")
