"""The span groups that the components write, reading them, and a check of Docs."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc, Span

SENTENCES_KEY = "thematic_sentences"
CLUSTERS_KEY = "thematic_clusters"
SEGMENTS_KEY = "thematic_segments"


def check_is_doc(doc: object) -> None:
    """Raise TypeError unless `doc` is a Doc, such as when one Doc is passed instead of a list."""
    if not isinstance(doc, Doc):
        raise TypeError(f"Expected Docs, found {type(doc).__name__}: pass a list of Docs.")


def read_group(
    doc: Doc, key: str, attribute: str, component: str, action: str
) -> tuple[list[Span], dict[str, Any]]:
    """Return the spans and the attributes of a span group that a component has written.

    Args:
        doc: To read from.
        key: Of the group in `doc.spans`.
        attribute: That the group has if the component wrote it.
        component: The factory that writes it.
        action: What it does, as a verb.

    Raises:
        ValueError: If the Doc has no such group, one that something else wrote, or one from before
            it was retokenized.
    """
    if key not in doc.spans:
        raise ValueError(
            f'This Doc has no doc.spans["{key}"]: process it with a pipeline that has '
            f'"{component}".'
        )
    group = doc.spans[key]
    if attribute not in group.attrs:
        raise ValueError(
            f'doc.spans["{key}"] lacks the attribute "{attribute}": it was not written by '
            f'"{component}", or the Doc was made by Doc.from_docs or from JSON, which leave '
            "it out. Process the Doc again."
        )
    try:
        spans = list(group)
        is_moved = any(map(_is_moved, spans))
    except IndexError:
        is_moved = True
    if is_moved:
        raise ValueError(
            f'doc.spans["{key}"] is not where it was in the Doc, which has been '
            f"retokenized since: {action} after retokenizing, or process the Doc again."
        )
    return spans, group.attrs


def _is_moved(span: Span) -> bool:
    """Whether the tokens of a span are no longer at its characters."""
    first, last = span.doc[span.start], span.doc[span.end - 1]
    return (first.idx, last.idx + len(last)) != (span.start_char, span.end_char)
