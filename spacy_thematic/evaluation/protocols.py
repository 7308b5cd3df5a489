"""How clustering is measured: one protocol, which goes with every figure."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.measures import METRICS, clustering_agreement

ALGORITHM = "kmeans"
CENTRED: dict[str, Any] = {
    "name": "centred",
    "metrics": list(METRICS),
    "algorithms": [ALGORITHM],
    "centred": True,
    "n_clusters": "sections",
    "ami": "ami",
}
"""The protocol by which the encoders of this package are trained and compared, as JSON has it."""

DESCRIPTION = (
    f'Protocol "centred": thematic distance by {" and ".join(METRICS)}; clustering by k-means, all '
    "sentences, vectors centred at the article's mean, into as many clusters as the article has "
    "sections; compared by AMI (over the arithmetic mean of the entropies)."
)


def score_article(vectors: np.ndarray, sections: Sequence[int], seed: int = 0) -> dict[str, float]:
    """Cluster the sentences of one article, by their vectors, (n, width), and compare the clusters
    with its sections, (n,), by `clustering_agreement`."""
    return clustering_agreement(kmeans(vectors, len(set(sections)), seed), sections)
