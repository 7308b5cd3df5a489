"""Segments of a Doc: written to a span group, and read back from it alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.clustering.content import Content, read_content
from spacy_thematic.clustering.headings import HeadingFinder, HeadingScorer
from spacy_thematic.clustering.keywords import find_keywords, find_terms, make_labels
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.segmentation.levels import NestedCuts
from spacy_thematic.segmentation.settings import Unit
from spacy_thematic.span_keys import SEGMENTS_KEY, read_group


@dataclass(kw_only=True)
class Segment:
    """A part of a text that is about one thing.

    Attributes:
        number: From 1, in the order of the text.
        span: All tokens from the segment's first sentence to the next segment.
        label: Its first keywords, unique among the segments.
        keywords: The words that tell it from the other segments, best first.
        strength: What the cut at its start gained, in units of the penalty in the attributes of the
            span group; None for the first segment, which begins where the text does.
        level: 1 where a section begins, 2 where a subsection of it does, and so on.
        heading: What a person might call it, None where the encoder has not learned headings: then
            `label` serves.
        heading_score: How well the heading fits, 0 to 1.
    """

    number: int
    span: Span
    label: str
    keywords: list[str]
    strength: float | None
    level: int
    heading: str | None = None
    heading_score: float | None = None

    @property
    def name(self) -> str:
        """The heading, or the label where there is none."""
        return self.heading or self.label


def find_extents(doc: Doc, sentences: Sequence[Span]) -> list[Span]:
    """Return the tokens that belong with each sentence, so that none of the Doc is left over: those
    after it, up to the next one, and for the first one those before it too.

    Raises:
        ValueError: If the sentences do not begin one after the other.
    """
    starts = [sentence.start for sentence in sentences]
    for start, following in pairwise(starts):
        if start >= following:
            raise ValueError(
                f"Expected sentences that begin one after the other, found one at token "
                f"{following} after one at token {start}: segments need sentences, or other "
                "spans, in the order of the text."
            )
    ends = [*starts[1:], len(doc)]
    return [doc[start:end] for start, end in zip([0, *starts[1:]], ends)] if starts else []


def measure_sizes(extents: Sequence[Span], unit: Unit) -> np.ndarray:
    """Return the size of each of some spans, (n,), with the white space after it."""
    if unit == "sentences":
        return np.ones(len(extents))
    if unit == "tokens":
        return np.array([len(span) for span in extents], dtype=np.float64)
    return np.array([len(span.text_with_ws) for span in extents], dtype=np.float64)


def write_segments(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    cuts: NestedCuts,
    *,
    method: str,
    n_keywords: int,
    score_headings: HeadingScorer | None = None,
) -> None:
    """Write `doc.spans["thematic_segments"]`, from which `read_segments` rebuilds the segments.

    Each segment becomes a Span with its label, and its number as `span.id`. Together they cover
    every token. Group attrs: `method`, `penalty`, `n`, and of each segment `scores` (what its cut
    gained), `levels`, `keywords` and `headings` (each with its score, or None).

    Args:
        doc: To write to.
        sentences: Of the Doc, as many as were cut. Without any, the tokens of the Doc are one
            segment.
        vectors: Of the sentences, (n, width).
        cuts: Of the sentences.
        method: The name of what found them.
        n_keywords: The most keywords of a segment.
        score_headings: Says how well headings fit, and keywords. None: there are no headings.
    """
    extents = find_extents(doc, sentences)
    starts = [extents[start].start for start in cuts.starts.tolist()]
    levels, gains = cuts.levels.tolist(), cuts.gains.tolist()
    if len(doc) and not starts:
        starts, levels, gains = [0], [1], [0.0]
    bounds = list(zip(starts, [*starts[1:], len(doc)]))
    of_each = np.searchsorted(cuts.starts, np.arange(len(sentences)), side="right") - 1
    groups: list[list[Content]] = [[] for _ in bounds]
    for content, number in zip(read_content(sentences), of_each.tolist()):
        groups[number].append(content)
    score = score_headings if sentences else None
    finder = HeadingFinder(groups, SentenceVectors(vectors), of_each, score)
    weighers = finder.weigh_openings, finder.weigh
    sizes = [*map(len, groups)]
    keywords = find_keywords(find_terms(groups), sizes, n_keywords, *weighers, doc.lang_)
    headings = finder.choose() if score_headings else [None] * len(bounds)
    spans = [
        Span(doc, start, end, label=label, span_id=number)
        for number, ((start, end), label) in enumerate(zip(bounds, _label(keywords)), 1)
    ]
    attrs = {
        "method": method,
        "penalty": cuts.penalty,
        "n": len(spans),
        "scores": [round(float(gain), 4) for gain in gains],
        "levels": levels,
        "keywords": keywords,
        "headings": [heading and list(heading) for heading in headings],
    }
    doc.spans[SEGMENTS_KEY] = SpanGroup(doc, name=SEGMENTS_KEY, attrs=attrs, spans=spans)


def read_segments(doc: Doc) -> list[Segment]:
    """Read the segments in `doc.spans["thematic_segments"]`, in the order of the text. It needs no
    vectors, so it works on a Doc from a DocBin.

    Raises:
        ValueError: If the Doc has no such span group, or one that something else wrote.
    """
    spans, attrs = read_group(doc, SEGMENTS_KEY, "keywords", "thematic_segmenter", "segment")
    none = [None] * len(spans)  # Older Docs have no headings.
    return [
        Segment(
            number=span.id,
            span=span,
            label=span.label_,
            keywords=keywords,
            strength=score if span.id > 1 else None,
            level=level,
            heading=heading and heading[0],
            heading_score=heading and heading[1],
        )
        for span, keywords, score, level, heading in zip(
            spans, attrs["keywords"], attrs["scores"], attrs["levels"], attrs.get("headings", none)
        )
    ]


def make_segment_records(doc: Doc) -> list[dict[str, Any]]:
    """Return the segments of a Doc as plain values, for JSON. Their places are in characters."""
    return [
        {
            "number": segment.number,
            "start": segment.span.start_char,
            "end": segment.span.start_char + len(segment.span.text_with_ws),
            "heading": segment.heading,
            "label": segment.label,
            "keywords": segment.keywords,
            "strength": segment.strength,
            "level": segment.level,
        }
        for segment in read_segments(doc)
    ]


def find_segment_of_each(doc: Doc, sentences: Sequence[Span]) -> np.ndarray:
    """Return the number, from 0, of the segment in `doc.spans["thematic_segments"]` that each
    sentence begins in, (n,)."""
    starts = [span.start for span in doc.spans[SEGMENTS_KEY]]
    places = [sentence.start for sentence in sentences]
    return np.searchsorted(starts, places, side="right").astype(np.int64) - 1


def _label(keywords: list[list[str]]) -> list[str]:
    """As themes are labelled, but for segments without a keyword."""
    labels = make_labels(keywords)
    return [
        label if words else f"segment {number}"
        for number, (label, words) in enumerate(zip(labels, keywords), 1)
    ]
