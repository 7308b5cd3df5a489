"""Segments of a Doc: written to a span group, and read back from it alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.naming.description import Description, ReadFromDoc, read_heading
from spacy_thematic.pipeline.reading import Reading
from spacy_thematic.segmentation.passage import Cuts
from spacy_thematic.segmentation.settings import SegmentSettings, Unit
from spacy_thematic.span_keys import SEGMENTS_KEY, find_times, read_group


@dataclass(kw_only=True, repr=False)
class Segment(ReadFromDoc, Description):
    """A part of a text that is about one thing. Segments are numbered in the order of the text.

    Attributes:
        span: All tokens from the segment's first sentence to the next segment.
        strength: What the cut at its start gained, in units of the penalty in the attributes of the
            span group; None for the first segment, which begins where the text does.
        level: 1 where a section begins, 2 where a subsection of it does, and so on.
    """

    span: Span
    strength: float | None
    level: int

    def __hash__(self) -> int:
        return hash((self.number, self.label))

    def rename(self, name: str) -> None:
        """Give the segment another heading, also in its Doc. Raises ValueError if the heading is
        not a string, or is empty."""
        vars(self).update(heading=read_heading(name), heading_score=None)
        self.span.doc.spans[SEGMENTS_KEY].attrs["headings"][self.number - 1] = [self.heading, None]

    @property
    def time(self) -> str | None:
        """When it begins, as in "1:02:05", if the text is of subtitles that a command has read."""
        return find_times(self.span.doc, [self.span.start])[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the segment as plain values, for JSON. `start` and `end` are its position in
        characters, `time` when it begins, in subtitles."""
        values = super().to_dict()
        span = values.pop("span")
        end = span.start_char + len(span.text_with_ws)
        time = {"time": self.time} if self.time else {}
        return {"start": span.start_char, "end": end, **time, **values}


def find_extents(doc: Doc, sentences: Sequence[Span]) -> list[Span]:
    """Return all tokens of the Doc by the sentence that they belong with: those up to the next one,
    and for the first one those before it too. Raises ValueError if the sentences do not begin one
    after the other."""
    starts = [sentence.start for sentence in sentences]
    for start, following in pairwise(starts):
        if start >= following:
            raise ValueError(
                f"Expected sentences that begin one after the other, found one at token "
                f"{following} after one at token {start}: segments need sentences, or other "
                "spans, in the order of the text."
            )
    bounds = pairwise([0, *starts[1:], len(doc)]) if starts else ()
    return [doc[start:end] for start, end in bounds]


def measure_sizes(extents: Sequence[Span], unit: Unit) -> np.ndarray:
    """Return the size of each of some spans, (n,), with the white space after it."""
    measures = {
        "sentences": lambda _: 1,
        "tokens": len,
        "characters": lambda s: len(s.text_with_ws),
    }
    return np.array([*map(measures[unit], extents)], dtype=np.float64)


def write_segments(reading: Reading, cuts: Cuts, settings: SegmentSettings, method: str) -> None:
    """Write `doc.spans["thematic_segments"]`, from which `read_segments` rebuilds the segments.

    Each segment becomes a Span with its label, and its number as `span.id`. Together they cover
    every token; without sentences these are one segment. Group attrs: `method`, `penalty`, `n`, and
    of each segment `scores` (what its cut gained), `levels`, `keywords` and `headings` (each with
    its score, or None)."""
    doc, sentences = reading.doc, reading.sentences
    extents = find_extents(doc, sentences)
    starts = [extents[start].start for start in cuts.starts.tolist()]
    levels, gains = cuts.levels.tolist(), cuts.gains.tolist()
    if len(doc) and not starts:
        starts, levels, gains = [0], [1], [0.0]
    of_each = np.searchsorted(cuts.starts, np.arange(len(sentences)), side="right") - 1
    with single_thread():
        described = reading.describe_groups(of_each, settings, k=len(starts), kind="segment")
    spans = [
        Span(doc, start, end, label=one.label, span_id=one.number)
        for start, end, one in zip(starts, [*starts[1:], len(doc)], described)
    ]
    attrs = {
        "method": method,
        "penalty": cuts.penalty,
        "n": len(spans),
        "scores": [round(float(gain), 4) for gain in gains],
        "levels": levels,
        "keywords": [one.keywords for one in described],
        "headings": [one.heading and [one.heading, one.heading_score] for one in described],
    }
    doc.spans[SEGMENTS_KEY] = SpanGroup(doc, name=SEGMENTS_KEY, attrs=attrs, spans=spans)


def read_segments(doc: Doc) -> list[Segment]:
    """Read the segments in `doc.spans["thematic_segments"]`, in the order of the text. It needs no
    vectors, so it works on a Doc from a DocBin. Raises ValueError if the Doc has no such span
    group, or one that something else wrote."""
    spans, attrs = read_group(doc, SEGMENTS_KEY, "keywords", "thematic_segmenter", "segment")
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
            spans, attrs["keywords"], attrs["scores"], attrs["levels"], attrs["headings"]
        )
    ]


def find_segment_of_each(doc: Doc, sentences: Sequence[Span]) -> np.ndarray:
    """Return the number, from 0, of the segment in `doc.spans["thematic_segments"]` that each
    sentence begins in, (n,)."""
    starts = [span.start for span in doc.spans[SEGMENTS_KEY]]
    places = [sentence.start for sentence in sentences]
    return np.searchsorted(starts, places, side="right").astype(np.int64) - 1
