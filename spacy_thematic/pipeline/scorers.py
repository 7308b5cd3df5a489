"""Scorers for `nlp.evaluate`, `spacy evaluate` and the training loop."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from spacy.tokens import SpanGroup
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.boundary_measures import mean_segmentation_error, segmentation_error
from spacy_thematic.measures import clustering_agreement, mean_agreement, score_triplets
from spacy_thematic.span_keys import CLUSTERS_KEY, SEGMENTS_KEY, SENTENCES_KEY
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, read_article


@registry.scorers("spacy-thematic.thematic_distance_scorer.v1")
def create_thematic_distance_scorer() -> Callable[..., dict[str, Any]]:
    """The share of triplets whose anchor is closer to the positive than to the negative."""
    return score_thematic_distance


def score_thematic_distance(
    examples: Iterable[Example], *, vectors: Iterable[np.ndarray], **kwargs: Any
) -> dict[str, float | None]:
    """The scores of `score_triplets` over the triplets of all Examples, from the vectors of the
    rows of each, as the embedder encodes them."""
    return score_triplets(
        (rows, read_article(example.reference)[1]) for example, rows in zip(examples, vectors)
    )


@registry.scorers("spacy-thematic.clustering_scorer.v1")
def create_clustering_scorer() -> Callable[..., dict[str, Any]]:
    """The agreement of themes with the sections of articles."""
    return score_themes


def score_themes(examples: Iterable[Example], **kwargs: Any) -> dict[str, float | None]:
    """The measures of `clustering_agreement` between themes and sections, with the prefix
    `thematic_`: means over the Examples that have both, None where none has.

    `reference.spans["sentences"]` has a span for each sentence, whose `id` is the number of its
    section. Each has the theme that covers most of its characters; those that none covers are one
    more cluster.
    """
    found = []
    for example in examples:
        sentences = example.reference.spans.get(SENTENCES)
        if sentences is not None and CLUSTERS_KEY in example.predicted.spans:
            sections = get_sections(example.reference)
            if len(set(sections)) > 1:
                themes = _find_themes(example, sentences)
                found.append(clustering_agreement(themes, sections))
    return {f"thematic_{measure}": value for measure, value in mean_agreement(found).items()}


def _find_themes(example: Example, sentences: SpanGroup) -> list[int]:
    """The theme of each sentence of the reference, -1 for none."""
    themes = np.full(len(example.predicted.text), -1)
    for span in example.predicted.spans[CLUSTERS_KEY]:
        themes[span.start_char : span.end_char] = span.id
    covering = (themes[sentence.start_char : sentence.end_char] for sentence in sentences)
    known = (own[own >= 0] for own in covering)
    return [int(np.bincount(own).argmax()) if len(own) else -1 for own in known]


@registry.scorers("spacy-thematic.segmentation_scorer.v1")
def create_segmentation_scorer(key: str = SEGMENTS_KEY) -> Callable[..., dict[str, Any]]:
    """The errors of segments against those in `reference.spans[key]`."""
    return partial(score_segments, key=key)


def score_segments(
    examples: Iterable[Example], *, key: str, **kwargs: Any
) -> dict[str, float | None]:
    """The measures of `segmentation_error` between segments and those that people made, with the
    prefix `thematic_`: means over the Examples that have both, None where none has.

    Both are compared at the sentences of `predicted`: a sentence lies in the segment that its first
    character does.
    """
    errors = []
    for example in examples:
        found, gold = example.predicted.spans, example.reference.spans
        if SEGMENTS_KEY in found and key in gold and len(found.get(SENTENCES_KEY, [])):
            places = [sentence.start_char for sentence in found[SENTENCES_KEY]]
            starts = (
                sorted(span.start_char for span in group)
                for group in (found[SEGMENTS_KEY], gold[key])
            )
            numbers = (np.searchsorted(of_group, places, side="right") for of_group in starts)
            errors.append(segmentation_error(*numbers))
    means = mean_segmentation_error(errors)
    return {f"thematic_{measure}": value for measure, value in means.items()}
