"""All measures of all encoders on one set of held-out articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from spacy.tokens import Doc
from tqdm import tqdm

from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.evaluation.protocols import EvaluationProtocol
from spacy_thematic.measures import mean_agreement, score_triplets
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, get_triplets, read_article


def evaluate_encoders(
    encoders: Mapping[str, Encoder],
    triplet_docs: Sequence[Doc],
    clustering_docs: Sequence[Doc],
    protocol: EvaluationProtocol,
    *,
    seed: int = 0,
    progress: bool = True,
) -> dict[str, Any]:
    """Measure thematic accuracy, and the agreement of clusters with sections, of each encoder.

    Args:
        encoders: By the name to report them under.
        triplet_docs: Articles with triplets.
        clustering_docs: Articles of the clustering benchmark.
        protocol: How to measure.
        seed: Of clustering.
        progress: Whether to show a progress bar.

    Returns:
        {"protocol": its settings, "data": sizes, "models": {encoder: {"thematic_accuracy",
        "thematic_accuracy_l1", "thematic_spread", "clustering": {algorithm: {measure: mean over
        articles}}}}}. A measure without data is None.
    """
    models: dict[str, dict[str, Any]] = {}
    with tqdm(
        total=2 * len(encoders), desc="Evaluating", disable=None if progress else True, leave=False
    ) as bar:
        for name, encoder in encoders.items():
            models[name] = score_triplets(
                (_encode_triplets(doc, encoder) for doc in triplet_docs), protocol.metrics
            )
            bar.update()
            found = [
                protocol.score_article(
                    encoder(doc, list(doc.spans[SENTENCES])), get_sections(doc), seed
                )
                for doc in clustering_docs
            ]
            models[name]["clustering"] = {
                algorithm: mean_agreement(scores[algorithm] for scores in found)
                for algorithm in protocol.algorithms
            }
            bar.update()
    return {
        "protocol": asdict(protocol),
        "data": {
            "articles": len(triplet_docs),
            "triplets": sum(len(get_triplets(doc)) for doc in triplet_docs),
            "clustering_articles": len(clustering_docs),
        },
        "models": models,
    }


def _encode_triplets(doc: Doc, encoder: Encoder) -> tuple[np.ndarray, np.ndarray]:
    rows, triplets = read_article(doc)
    return encoder(doc, rows), triplets
