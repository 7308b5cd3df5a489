"""The clustering benchmark: sentences against sections (Ein Dor et al. 2018, section 5.2)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.triplets.docbin import SENTENCES

MEASURES = ("mi", "ami", "ami_max", "ri", "ari")


def score_clusters(sections: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Agreement of clusters with sections.

    Mutual information in nats (`mi`), adjusted mutual information with the arithmetic mean of the
    entropies (`ami`) and with their maximum, scikit-learn's default in 2018 (`ami_max`), Rand
    index (`ri`) and adjusted Rand index (`ari`).
    """
    from sklearn import metrics

    return {
        "mi": float(metrics.mutual_info_score(sections, labels)),
        "ami": float(metrics.adjusted_mutual_info_score(sections, labels)),
        "ami_max": float(
            metrics.adjusted_mutual_info_score(sections, labels, average_method="max")
        ),
        "ri": float(metrics.rand_score(sections, labels)),
        "ari": float(metrics.adjusted_rand_score(sections, labels)),
    }


def score_clustering(
    docs: Iterable[Doc], encoder: Encoder, clusterer: Clusterer, seed: int = 0
) -> dict[str, list[float]]:
    """Cluster each article's sentences into as many clusters as it has sections.

    docs: of the clustering benchmark. Returns for each measure one value an article.
    """
    values: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for doc in docs:
        vectors = encoder(doc, list(doc.spans[SENTENCES]))
        for measure, value in score_article(doc, vectors, clusterer, seed).items():
            values[measure].append(value)
    return values


def score_article(
    doc: Doc, vectors: np.ndarray, clusterer: Clusterer, seed: int = 0
) -> dict[str, float]:
    """Cluster one article's sentences, given their vectors, (n, width), into as many clusters as
    it has sections."""
    sections = np.array([sentence.id for sentence in doc.spans[SENTENCES]])
    return score_clusters(sections, clusterer(vectors, len(set(sections.tolist())), seed))
