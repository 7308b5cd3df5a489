"""All measures of all encoders on one set of held-out articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc
from tqdm import tqdm

from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation.clustering_benchmark import MEASURES, score_clustering
from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.measures import is_ordered
from spacy_thematic.triplets.docbin import get_rows, get_triplets


def evaluate_encoders(
    encoders: Mapping[str, Encoder],
    triplet_docs: Sequence[Doc],
    clustering_docs: Sequence[Doc],
    clusterers: Mapping[str, Clusterer],
    *,
    seed: int = 0,
    progress: bool = True,
) -> dict[str, Any]:
    """Thematic-distance accuracy, and clustering against the sections, of each encoder.

    Returns {"data": sizes, "models": {encoder: {"thematic_accuracy", "thematic_accuracy_l1",
    "clustering": {clusterer: {measure: mean over articles}}}}}. A measure without data is None.
    """
    models = {}
    with tqdm(
        total=len(encoders) * (1 + len(clusterers)), desc="Evaluating",
        disable=None if progress else True, leave=False,
    ) as bar:  # fmt: skip
        for name, encoder in encoders.items():
            models[name] = score_triplets(triplet_docs, encoder)
            bar.update()
            models[name]["clustering"] = {}
            for algorithm, clusterer in clusterers.items():
                values = score_clustering(clustering_docs, encoder, clusterer, seed)
                models[name]["clustering"][algorithm] = {
                    measure: _mean(values[measure]) for measure in MEASURES
                }
                bar.update()
    return {
        "data": {
            "articles": len(triplet_docs),
            "triplets": sum(len(get_triplets(doc)) for doc in triplet_docs),
            "clustering_articles": len(clustering_docs),
        },
        "models": models,
    }


def score_triplets(docs: Sequence[Doc], encoder: Encoder) -> dict[str, Any]:
    """Thematic-distance accuracy by cosine and by L1 over the triplets of all Docs."""
    correct: dict[str, list[bool]] = {"cosine": [], "L1": []}
    for doc in docs:
        vectors = encoder(doc, get_rows(doc))
        triplets = np.asarray(get_triplets(doc)).reshape(-1, 3)
        for metric, values in correct.items():
            values.extend(is_ordered(vectors, triplets, metric))
    return {
        "thematic_accuracy": _mean(correct["cosine"]),
        "thematic_accuracy_l1": _mean(correct["L1"]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
