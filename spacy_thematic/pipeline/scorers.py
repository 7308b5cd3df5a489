"""Scorers for `nlp.evaluate`, `spacy evaluate` and the training loop."""

from collections.abc import Iterable, Sequence
from typing import Any, Callable, Optional

import numpy as np
from spacy.tokens import Span
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.evaluation.clustering_benchmark import MEASURES, score_clusters
from spacy_thematic.measures import is_ordered, mean_pairwise_distance
from spacy_thematic.span_keys import CLUSTERS_KEY
from spacy_thematic.triplets.docbin import SENTENCES, read_article

THEME_SCORES = {f"thematic_{measure}": measure for measure in MEASURES}


@registry.scorers("spacy-thematic.thematic_distance_scorer.v1")
def create_thematic_distance_scorer() -> Callable[..., dict[str, Any]]:
    """The share of triplets whose anchor is closer to the positive than to the negative."""
    return score_thematic_distance


def score_thematic_distance(
    examples: Iterable[Example], *, vectors: Iterable[np.ndarray], **kwargs: Any
) -> dict[str, Optional[float]]:
    """Thematic-distance accuracy over the triplets of all Examples.

    vectors: for each Example those of its rows, as the embedder encodes them.
    Returns `thematic_accuracy` (cosine), `thematic_accuracy_l1`, both None without triplets, and
    `thematic_spread`, the mean L2 distance between sentences.
    """
    correct: dict[str, list[np.ndarray]] = {"cosine": [], "L1": []}
    encoded = []
    for example, rows in zip(examples, vectors):
        encoded.append(rows)
        _, triplets = read_article(example.reference)
        for metric, values in correct.items():
            values.append(is_ordered(rows, triplets, metric))
    return {
        "thematic_accuracy": _mean(correct["cosine"]),
        "thematic_accuracy_l1": _mean(correct["L1"]),
        "thematic_spread": mean_pairwise_distance(np.concatenate(encoded)) if encoded else 0.0,
    }


@registry.scorers("spacy-thematic.clustering_scorer.v1")
def create_clustering_scorer() -> Callable[..., dict[str, Any]]:
    """The agreement of themes with the sections of articles."""
    return score_themes


def score_themes(examples: Iterable[Example], **kwargs: Any) -> dict[str, Optional[float]]:
    """Mutual information (nats), adjusted mutual information with the arithmetic mean of the
    entropies and with their maximum, Rand index and adjusted Rand index of themes and sections:
    the means over Examples, None where none has both.

    Sections are those of `reference.spans["sentences"]`, as in the shards of `thematic corpus`.
    Each of these sentences has the theme that covers most of its characters; those that none
    covers are one cluster more.
    """
    values: dict[str, list[float]] = {key: [] for key in THEME_SCORES}
    for example in examples:
        sentences = example.reference.spans.get(SENTENCES, [])
        sections = np.array([sentence.id for sentence in sentences])
        if len(set(sections.tolist())) > 1 and CLUSTERS_KEY in example.predicted.spans:
            scores = score_clusters(sections, _find_themes(example, sentences))
            for key, measure in THEME_SCORES.items():
                values[key].append(scores[measure])
    return {key: float(np.mean(found)) if found else None for key, found in values.items()}


def _find_themes(example: Example, sentences: Sequence[Span]) -> np.ndarray:
    """The theme of each sentence of the reference, -1 for none. (n,)."""
    themes = np.full(len(example.predicted.text), -1)
    for span in example.predicted.spans[CLUSTERS_KEY]:
        themes[span.start_char : span.end_char] = span.id
    found = []
    for sentence in sentences:
        covering = themes[sentence.start_char : sentence.end_char]
        covering = covering[covering >= 0]
        found.append(np.bincount(covering).argmax() if len(covering) else -1)
    return np.array(found)


def _mean(parts: list[np.ndarray]) -> Optional[float]:
    values = np.concatenate(parts) if parts else np.zeros(0)
    return float(values.mean()) if len(values) else None
