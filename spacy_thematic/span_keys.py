"""The span groups that the components write, reading them, and a check of Docs."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from struct import Struct
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import srsly
from spacy.tokens import Doc, Span, SpanGroup, Token

SENTENCES_KEY = "thematic_sentences"
CLUSTERS_KEY = "thematic_clusters"
SEGMENTS_KEY = "thematic_segments"
LAYOUT_KEY = "thematic_layout"

SECTIONS_KEY = "sections"
"""The span group of a text's own sections, which its reader may set: a span for each paragraph,
labelled by the title of its section."""

CAPTIONS_KEY = "captions"
"""That of the lines of subtitles, whose ids are their times in milliseconds."""

_TEXTS: WeakKeyDictionary[Doc, tuple[int, str]] = WeakKeyDictionary()


def get_text(doc: Doc) -> str:
    """Return the text of a Doc, which joins it from its tokens at each access. It is joined again
    when their number has changed."""
    n, text = _TEXTS.get(doc, (-1, ""))
    if n != len(doc):
        text = doc.text
        _TEXTS[doc] = len(doc), text
    return text


def check_is_doc(doc: object, place: int | None = None) -> None:
    """Raise TypeError unless `doc` is a Doc, such as when one is passed where Docs are expected, or
    the other way round. place: in a list of Docs."""
    if not isinstance(doc, Doc):
        is_part = isinstance(doc, (Token, str))
        if place is not None and not is_part:
            raise TypeError(
                f"Expected Docs, found {type(doc).__name__} as docs[{place}]: leave it out, or "
                "make a Doc of it, as nlp(text) does."
            )
        action = "pass a list of Docs" if is_part else "pass one Doc, as nlp(text) makes it"
        raise TypeError(f"Expected Docs, found {type(doc).__name__}: {action}.")


def get_vectors(doc: Doc) -> np.ndarray:
    """Return the vectors of the sentences of a Doc, (n, width). Raises ValueError if there are
    none."""
    vectors = doc._.thematic_vectors
    if vectors is None or SENTENCES_KEY not in doc.spans:
        raise ValueError(
            f"The Doc that starts {doc[:8].text!r} has no thematic vectors: process it with a "
            'pipeline that has "thematic_embedder" before "thematic_clusterer" and '
            '"thematic_segmenter". A Doc that span.as_doc() or Doc.from_docs made has none, and '
            "one from a DocBin needs store_user_data=True."
        )
    return vectors


def read_group(
    doc: Doc, key: str, attribute: str, component: str, action: str
) -> tuple[list[Span], dict[str, Any]]:
    """Return the spans and the attributes of a span group that a component has written, as one of
    its attributes shows. action: what the component does, as a verb. Raises ValueError if the Doc
    has no such group, one that something else wrote, or one from before it was retokenized."""
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
    spans = list_unmoved(doc, key)
    if spans is None:
        raise ValueError(
            f'doc.spans["{key}"] is not where it was in the Doc, which has been '
            f"retokenized since: {action} after retokenizing, or process the Doc again."
        )
    return spans, group.attrs


def read_sentences(doc: Doc) -> list[Span]:
    """Return the sentences that `thematic_embedder` has encoded, which the Doc must have. Raises
    ValueError if its tokens were merged or split since."""
    spans = list_unmoved(doc, SENTENCES_KEY)
    if spans is None:
        raise ValueError(
            f'The sentences in doc.spans["{SENTENCES_KEY}"] are not in the Doc any more: its '
            "tokens were merged or split after thematic_embedder. Put what does that, such as "
            '"merge_entities", before "thematic_embedder".'
        )
    return spans


def make_group(
    doc: Doc, key: str, sentences: Sequence[Span], attrs: Mapping[str, Any] | None = None
) -> SpanGroup:
    """Make a group of sentences. Its attribute `in_order` tells whether each ends before the next
    one begins, so that one of them is found without reading all."""
    in_order = all(first.end <= second.start for first, second in pairwise(sentences))
    return SpanGroup(doc, name=key, spans=sentences, attrs={**(attrs or {}), "in_order": in_order})


def find_overlapped(span: Span, key: str, read: Callable[[Doc], list[Span]]) -> list[int]:
    """Return the sentences of a group that a span overlaps, by their numbers. read: returns them
    all, where they are in no order, or have moved, which is an error."""
    group = span.doc.spans[key]
    if group.attrs.get("in_order") and not _has_moved(group):
        numbers = range(len(group))
        first = bisect_right(numbers, span.start, key=lambda number: group[number].end)
        return [*numbers[first : bisect_left(numbers, span.end, key=lambda n: group[n].start)]]
    return [
        number
        for number, sentence in enumerate(read(span.doc))
        if sentence.start < span.end and span.start < sentence.end
    ]


def _has_moved(group: SpanGroup) -> bool:
    """Whether the last span of a group, and so any, is not at its characters."""
    try:
        return bool(len(group)) and _is_moved(group[len(group) - 1])
    except IndexError:
        return True


def read_sections(doc: Doc) -> list[Span]:
    """Return the paragraphs in `doc.spans["sections"]`, in the order of the text, longer ones
    first."""
    spans = list_spans(doc, SECTIONS_KEY) if SECTIONS_KEY in doc.spans else ()
    return sorted(spans, key=lambda span: (span.start, -span.end))


def list_spans(doc: Doc, key: str) -> list[Span]:
    """Return the spans of a group, where tokens were merged or split since they were written by
    their characters: then each has all of its first and of its last token."""
    spans = list_unmoved(doc, key)
    if spans is not None:
        return spans
    # Of tokens that the Doc has no more, spaCy makes no Span.
    records = srsly.msgpack_loads(doc.spans[key].to_bytes())["spans"]
    found = (
        doc.char_span(start, end, label, kb_id, alignment_mode="expand", span_id=number)
        for number, kb_id, label, _, _, start, end in map(Struct(">QQQllll").unpack, records)
    )
    return [span for span in found if span is not None]


def list_unmoved(doc: Doc, key: str) -> list[Span] | None:
    """Return the spans of a group; None if the Doc was retokenized since they were written."""
    try:
        spans = list(doc.spans[key])
        return None if any(map(_is_moved, spans)) else spans
    except IndexError:
        return None


def _is_moved(span: Span) -> bool:
    """Whether the tokens of a span are no longer at its characters."""
    first, last = span.doc[span.start], span.doc[span.end - 1]
    return (first.idx, last.idx + len(last)) != (span.start_char, span.end_char)


def find_times(doc: Doc, starts: Sequence[int]) -> list[str | None]:
    """Return when what begins at some tokens of a Doc of subtitles is said, such as "1:02:05", None
    before the first caption; None for each in other Docs."""
    captions = [*doc.spans[CAPTIONS_KEY]] if CAPTIONS_KEY in doc.spans else []
    first_tokens = [caption.start for caption in captions]
    places = [bisect_right(first_tokens, start) - 1 for start in starts]
    return [str(timedelta(0, captions[n].id // 1000)) if n >= 0 else None for n in places]
