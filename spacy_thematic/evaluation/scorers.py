"""Scorers for `nlp.evaluate`, `spacy evaluate` and the training loop."""

from collections.abc import Iterable, Sequence
from typing import Any, Callable, Optional

import numpy as np
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.evaluation.thematic_distance import is_ordered, mean_pairwise_distance
from spacy_thematic.training.batching import get_article


@registry.scorers("spacy-thematic.thematic_distance_scorer.v1")
def create_thematic_distance_scorer() -> Callable[..., dict[str, Any]]:
    """The share of triplets whose anchor is closer to the positive than to the negative."""
    return score_thematic_distance


def score_thematic_distance(
    examples: Iterable[Example], *, vectors: Sequence[np.ndarray], **kwargs: Any
) -> dict[str, Optional[float]]:
    """Thematic-distance accuracy over the triplets of all Examples.

    vectors: for each Example those of its rows, as the embedder encodes them.
    Returns `thematic_accuracy` (cosine), `thematic_accuracy_l1`, both None without triplets, and
    `thematic_spread`, the mean L2 distance between sentences.
    """
    correct: dict[str, list[np.ndarray]] = {"cosine": [], "L1": []}
    for example, rows in zip(examples, vectors):
        _, triplets = get_article(example)
        for metric, values in correct.items():
            values.append(is_ordered(rows, triplets, metric))
    return {
        "thematic_accuracy": _mean(correct["cosine"]),
        "thematic_accuracy_l1": _mean(correct["L1"]),
        "thematic_spread": mean_pairwise_distance(np.concatenate(vectors)) if vectors else 0.0,
    }


def _mean(parts: list[np.ndarray]) -> Optional[float]:
    values = np.concatenate(parts) if parts else np.zeros(0)
    return float(values.mean()) if len(values) else None
