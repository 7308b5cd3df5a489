"""The attributes that the components add to Doc and Span, installed once on import: see "What they
write" in docs/reference/components.md."""

import warnings
from typing import TYPE_CHECKING, Literal

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.span_keys import (
    CLUSTERS_KEY,
    SEGMENTS_KEY,
    SENTENCES_KEY,
    find_overlapped,
    get_vectors,
    read_sentences,
)

if TYPE_CHECKING:
    from spacy_thematic.pipeline.segments import Segment
    from spacy_thematic.pipeline.themes import Theme


def get_thematic_vector(span: Span) -> np.ndarray:
    """Return the vector of the sentence that a span lies in, or the mean over the sentences it
    overlaps, float32 (width,). Raises ValueError if the Doc has no thematic vectors, its tokens
    were merged or split since, or the span overlaps no sentence."""
    vectors = get_vectors(span.doc)
    rows = find_overlapped(span, SENTENCES_KEY, read_sentences)
    if not rows:
        raise ValueError(f"The span {span.text!r} overlaps no sentence that has a thematic vector.")
    return vectors[rows].mean(axis=0)


def get_thematic_topic(text: Doc | Span) -> np.ndarray:
    """Return what a text, or a part of it, is about: a vector to compare with those of other texts,
    float32 (width of topics,), of length one, or of zeros where no word is known, or a Doc has no
    sentence. Thematic vectors tell the parts of one text apart. Raises ValueError as
    `get_thematic_vector` does; if the pipeline that made the vectors is not in this process; or if
    its model has not learned topics."""
    from spacy_thematic.pipeline.text_encoder import find_topic_map

    span = text[:] if isinstance(text, Doc) else text
    vectors = span.doc._.thematic_vectors
    is_empty = isinstance(text, Doc) and vectors is not None and not len(vectors)
    vector = (
        np.zeros_like(vectors, shape=vectors.shape[1:]) if is_empty else get_thematic_vector(span)
    )
    topics = find_topic_map(span.doc)
    if topics is None:
        raise ValueError(
            "The topic is not known. Expected a Doc that a model which has learned topics, such as "
            "en_thematic_md, has processed in this process. For a Doc from n_process or a file, "
            "let the same pipeline process any text first."
        )
    return map_to_topics(vector[None], topics)[0]


def get_thematic_similarity(
    span: Span, other: Span, kind: Literal["theme", "topic"] = "theme"
) -> float:
    """Return the cosine of the thematic vectors of two spans, of one Doc or of two, or with the
    kind "topic", which compares what texts are about, of their topics; 0.0 if either is zero.
    Raises TypeError if `other` is no Span, ValueError if the vectors are of different models, a
    topic is not known, or the kind is another."""
    if not isinstance(other, Span):
        raise TypeError(
            f"Expected a Span to compare with, such as a sentence or doc[:], found "
            f"{type(other).__name__}."
        )
    if kind not in ("theme", "topic"):
        raise ValueError(f'Expected the kind "theme" or "topic", found {kind!r:.50}.')
    a, b = get_thematic_vector(span), get_thematic_vector(other)
    if len(a) != len(b):
        raise ValueError(
            f"The vectors of the two spans are {len(a)} and {len(b)} wide, so they come from two "
            "models and cannot be compared."
        )
    if kind == "topic":
        a, b = get_thematic_topic(span), get_thematic_topic(other)
    norms = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float(np.dot(a, b)) / norms if norms else 0.0


def get_thematic_clusters(doc: Doc) -> list["Theme"] | None:
    """Return the themes of a Doc, largest first; None before `thematic_clusterer` ran."""
    if CLUSTERS_KEY not in doc.spans:
        return None
    from spacy_thematic.pipeline.themes import read_themes

    return read_themes(doc)


def get_thematic_theme(text: Doc | Span) -> "Theme | None":
    """Return the theme that most sentences of a text have, or most of those that a span overlaps,
    of equal ones the largest; None where they have none, or before `thematic_clusterer` ran."""
    span = text[:] if isinstance(text, Doc) else text
    if CLUSTERS_KEY not in span.doc.spans:
        return None
    from spacy_thematic.pipeline.themes import read_theme

    return read_theme(span)


def get_thematic_segments(doc: Doc) -> list["Segment"] | None:
    """Return the segments of a Doc, in the order of the text; None before `thematic_segmenter`
    ran."""
    if SEGMENTS_KEY not in doc.spans:
        return None
    from spacy_thematic.pipeline.segments import read_segments

    return read_segments(doc)


def install() -> None:
    """Add the attributes. Where other code has set one of the same name, warn and leave it."""
    _add(Doc, "thematic_vectors", default=None)
    _add(Doc, "thematic_date", default=None)
    _add(Doc, "thematic_title", default=None)
    _add(Doc, "thematic_clusters", getter=get_thematic_clusters, setter=_refuse)
    _add(Doc, "thematic_segments", getter=get_thematic_segments, setter=_refuse)
    for cls in (Doc, Span):
        _add(cls, "thematic_theme", getter=get_thematic_theme, setter=_refuse)
        _add(cls, "thematic_topic", getter=get_thematic_topic, setter=_refuse)
    _add(Span, "thematic_vector", getter=get_thematic_vector, setter=_refuse)
    _add(Span, "thematic_similarity", method=get_thematic_similarity)


def _refuse(text: Doc | Span, value: object) -> None:
    raise AttributeError(
        "Themes, segments, topics and vectors of spans are read from the Doc each time, so that "
        "another value would be lost: theme.rename(...) and segment.rename(...) change names."
    )


def _add(cls: type, name: str, **kwargs) -> None:
    wanted = tuple(map(kwargs.get, ("default", "method", "getter", "setter")))
    if not cls.has_extension(name):  # type: ignore[attr-defined]
        cls.set_extension(name, **kwargs)  # type: ignore[attr-defined]
    elif cls.get_extension(name) != wanted:  # type: ignore[attr-defined]
        warnings.warn(
            f"{cls.__name__}._.{name} was already set by other code, so spacy-thematic leaves it "
            "as it is; its components may not work with it.",
            stacklevel=3,
        )
