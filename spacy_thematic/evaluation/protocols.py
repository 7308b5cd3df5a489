"""How thematic distance and clustering are measured: named settings, one of which goes with every
figure. Figures of different protocols are not comparable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from spacy_thematic.clustering.diffusion_iclust import create_diffusion_iclust
from spacy_thematic.clustering.finding import find_clusters
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.n_clusters import MOST_THEMES, create_silhouette_with_prior
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import Clusterer, SentenceVectors
from spacy_thematic.measures import METRICS, clustering_agreement


@dataclass(frozen=True)
class EvaluationProtocol:
    """How the sentences of an article are clustered.

    Attributes:
        name: What the option `--protocol` takes.
        algorithm: What the scores of the algorithm are called.
        title: The algorithm in words.
        create: Makes it. It subtracts the article's mean from the vectors first.
        n_clusters: "sections": the true number of sections of each article; "chosen": as many as
            `thematic_clusterer` chooses from the vectors, at most 12.
    """

    name: str
    algorithm: str
    title: str
    create: Callable[[], Clusterer]
    n_clusters: Literal["sections", "chosen"]

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        return {
            "name": self.name,
            "metrics": list(METRICS),
            "algorithms": [self.algorithm],
            "centred": True,
            "n_clusters": self.n_clusters,
            "ami": "ami",
        }

    def score_article(
        self, vectors: np.ndarray, sections: Sequence[int], seed: int = 0
    ) -> dict[str, float]:
        """Cluster the sentences of one article, by their vectors, (n, width), and compare the
        clusters with its sections, (n,), by `clustering_agreement`."""
        k: int | Literal["auto"] = "auto"
        if self.n_clusters == "sections":
            k = len(set(sections))
        rows, settings = SentenceVectors(vectors), ThemeSettings(k=k, seed=seed)
        found = find_clusters(rows, self.create(), create_silhouette_with_prior(), settings, None)
        return clustering_agreement(found.labels, sections)

    def describe(self) -> str:
        """The settings in words, to be printed with every table."""
        number = (
            "as many clusters as the article has sections"
            if self.n_clusters == "sections"
            else f"a number of clusters chosen from the vectors, at most {MOST_THEMES}"
        )
        return (
            f'Protocol "{self.name}": thematic distance by {" and ".join(METRICS)}; clustering by '
            f"{self.title}, all sentences, vectors centred at the article's mean, into {number}; "
            "compared by AMI (over the arithmetic mean of the entropies)."
        )


CENTRED = EvaluationProtocol("centred", "kmeans", "k-means", create_kmeans, "sections")
"""That by which the encoders of this package are trained and compared."""

THEMES = EvaluationProtocol(
    "themes", "diffusion", "Iclust after diffusion", create_diffusion_iclust, "chosen"
)
"""What `thematic_clusterer` does with `units = "sentences"`, and its scorer says of it."""

PROTOCOLS = {protocol.name: protocol for protocol in (CENTRED, THEMES)}


def find_protocol(name: str) -> EvaluationProtocol:
    """The protocol of a name. Raises ValueError if none of the protocols has the name."""
    if name not in PROTOCOLS:
        raise ValueError(f'There is no protocol "{name}": choose {", ".join(PROTOCOLS)}.')
    return PROTOCOLS[name]
