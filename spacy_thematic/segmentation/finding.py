"""From the sentences of a Doc to the cuts between them, for the segmenter and the clusterer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.segmentation.gaps import GapScorer, find_log_odds
from spacy_thematic.segmentation.levels import NestedCuts, cut_nested
from spacy_thematic.segmentation.passage import Passage, Segmenter
from spacy_thematic.segmentation.segments import find_extents, measure_sizes
from spacy_thematic.segmentation.settings import SegmentSettings

HALF_LENGTH = 60
"""The characters of a sentence that counts half."""


def find_segments(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    algorithm: Segmenter,
    settings: SegmentSettings,
    score_gaps: GapScorer,
) -> NestedCuts:
    """Cut a Doc between its sentences.

    Args:
        doc: It does not change.
        sentences: Of the Doc, in the order of the text, n of them.
        vectors: Of the sentences, (n, width).
        algorithm: Cuts passages.
        settings: Of the segments.
        score_gaps: What is known of the gaps between sentences from their vectors.

    Raises:
        ValueError: If sentences do not begin one after the other.
    """
    passage = make_passage(
        doc,
        sentences,
        vectors,
        score_gaps,
        sizes=measure_sizes(find_extents(doc, sentences), settings.unit),
        smallest=settings.min_size,
        largest=np.inf if settings.max_size is None else settings.max_size,
    )
    n = None if settings.n == "auto" else settings.n
    return cut_nested(passage, algorithm, n, settings.seed, settings.levels)


def make_passage(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    score_gaps: GapScorer,
    **sizes: Any,
) -> Passage:
    """Make a passage of the sentences of a Doc, with what is known of the gaps between them. Sizes
    and their limits are those of `Passage`; the other arguments are as for `find_segments`."""
    lengths = measure_lengths(sentences)
    return Passage(
        vectors,
        weights=weigh_lengths(lengths),
        log_odds=find_log_odds(doc, sentences, vectors, lengths, score_gaps),
        **sizes,
    )


def measure_lengths(sentences: Sequence[Span]) -> np.ndarray:
    """Return the characters of each sentence, (n,)."""
    sizes = [sentence.end_char - sentence.start_char for sentence in sentences]
    return np.array(sizes, dtype=np.float32)


def weigh_lengths(lengths: np.ndarray) -> np.ndarray:
    """Return how much sentences of some lengths in characters, (n,), say: L / (L + 60). A turn of
    speech such as "Right." says little of where a theme ends."""
    return lengths / (lengths + HALF_LENGTH)
