"""All measures of all encoders on one set of held-out articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from spacy.tokens import Doc
from tqdm import tqdm

from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE, EvaluationProtocol
from spacy_thematic.evaluation.results import Records, Results
from spacy_thematic.measures import AGREEMENTS, METRICS, mean_agreement, score_triplets
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, get_triplets, read_article


@dataclass(frozen=True)
class Evaluation:
    """What encoders scored.

    Attributes:
        summary: {"protocol": its settings, "data": sizes, "models": {encoder: {"thematic_accuracy",
            "thematic_accuracy_l1", "thematic_spread", "clustering": {algorithm: {measure: mean over
            articles}}, "intervals": of 95 per cent, for the accuracies and the protocol's AMI}}}.
            A measure without data is None.
        results: The same by article, for intervals and differences; a row is an encoder.
    """

    summary: dict[str, Any]
    results: Results


def evaluate_encoders(
    encoders: Mapping[str, Encoder],
    triplet_docs: Sequence[Doc],
    clustering_docs: Sequence[Doc],
    protocol: EvaluationProtocol,
    *,
    seed: int = 0,
    progress: bool = True,
) -> Evaluation:
    """Measure thematic accuracy, and the agreement of clusters with sections, of each encoder.

    Args:
        encoders: By the name to report them under.
        triplet_docs: Articles with triplets.
        clustering_docs: Articles of the clustering benchmark.
        protocol: How to measure.
        seed: Of clustering.
        progress: Whether to show a progress bar.
    """
    models: dict[str, dict[str, Any]] = {}
    scores: dict[str, dict[str, list[Records]]] = {}
    with tqdm(
        total=2 * len(encoders), desc="Evaluating", disable=None if progress else True, leave=False
    ) as bar:
        for name, encoder in encoders.items():
            ordered: list[dict[str, Any]] = []
            models[name] = score_triplets(
                (_encode_triplets(doc, encoder) for doc in triplet_docs),
                protocol.metrics,
                ordered.append,
            )
            bar.update()
            clustered = [
                protocol.score_article(
                    encoder(doc, list(doc.spans[SENTENCES])), get_sections(doc), seed
                )
                for doc in clustering_docs
            ]
            models[name]["clustering"] = {
                algorithm.name: mean_agreement(found[algorithm.name] for found in clustered)
                for algorithm in protocol.algorithms
            }
            bar.update()
            records = {DISTANCE: ordered, CLUSTERING: clustered}
            scores[name] = {task: [found] for task, found in records.items() if found}
    summary = {
        "protocol": protocol.to_dict(),
        "data": {
            "articles": len(triplet_docs),
            "triplets": sum(len(get_triplets(doc)) for doc in triplet_docs),
            "clustering_articles": len(clustering_docs),
        },
        "models": models,
    }
    results = Results(scores, protocol)
    for name, values in models.items():
        values["intervals"] = _find_intervals(results, name)
    return Evaluation(summary, results)


def _find_intervals(results: Results, row: str) -> dict[str, Any]:
    protocol = results.protocol
    heading = AGREEMENTS[protocol.ami]

    def find(measure: str) -> list[float] | None:
        found = results.estimate(row, measure)
        return None if found is None else list(found.interval)

    return {
        **{METRICS[metric]: find(f"accuracy, {metric}") for metric in protocol.metrics},
        "clustering": {
            algorithm.name: {protocol.ami: find(f"{heading}, {algorithm.title}")}
            for algorithm in protocol.algorithms
        },
    }


def _encode_triplets(doc: Doc, encoder: Encoder) -> tuple[np.ndarray, np.ndarray]:
    rows, triplets = read_article(doc)
    return encoder(doc, rows), triplets
