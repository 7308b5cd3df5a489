"""Scorers for `nlp.evaluate`, `spacy evaluate` and the training loop."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from spacy.tokens import SpanGroup
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.measures import clustering_agreement, mean_agreement, score_triplets
from spacy_thematic.span_keys import CLUSTERS_KEY
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, read_article


@registry.scorers("spacy-thematic.thematic_distance_scorer.v1")
def create_thematic_distance_scorer() -> Callable[..., dict[str, Any]]:
    """The share of triplets whose anchor is closer to the positive than to the negative."""
    return score_thematic_distance


def score_thematic_distance(
    examples: Iterable[Example], *, vectors: Iterable[np.ndarray], **kwargs: Any
) -> dict[str, float | None]:
    """The scores of `score_triplets` over the triplets of all Examples.

    Args:
        examples: With the triplets of an article in each reference.
        vectors: For each Example the vectors of its rows, as the embedder encodes them.
    """
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

    Sections are those of `reference.spans["sentences"]`, as in the shards of `thematic corpus`.
    Each of these sentences has the theme that covers most of its characters; those that none
    covers are one more cluster.
    """
    means = mean_agreement(_score_articles(examples))
    return {f"thematic_{measure}": value for measure, value in means.items()}


def _score_articles(examples: Iterable[Example]) -> Iterator[dict[str, float]]:
    for example in examples:
        sentences = example.reference.spans.get(SENTENCES)
        if sentences is None or CLUSTERS_KEY not in example.predicted.spans:
            continue
        sections = get_sections(example.reference)
        if len(set(sections)) > 1:
            yield clustering_agreement(_find_themes(example, sentences), sections)


def _find_themes(example: Example, sentences: SpanGroup) -> list[int]:
    """The theme of each sentence of the reference, -1 for none."""
    themes = np.full(len(example.predicted.text), -1)
    for span in example.predicted.spans[CLUSTERS_KEY]:
        themes[span.start_char : span.end_char] = span.id
    found = []
    for sentence in sentences:
        covering = themes[sentence.start_char : sentence.end_char]
        covering = covering[covering >= 0]
        found.append(int(np.bincount(covering).argmax()) if len(covering) else -1)
    return found
