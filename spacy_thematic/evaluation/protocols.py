"""How thematic distance and clustering are measured: named settings, one of which goes with every
figure. Figures of different protocols are not comparable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np

from spacy_thematic.clustering.diffusion_iclust import create_diffusion_iclust
from spacy_thematic.clustering.finding import find_clusters
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.n_clusters import MOST_THEMES, create_silhouette_with_prior
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import Clusterer, SentenceVectors
from spacy_thematic.measures import AGREEMENTS, METRICS, clustering_agreement

DISTANCE, CLUSTERING = "distance", "clustering"
"""What encoders are measured on."""


class Algorithm(NamedTuple):
    """A way to cluster the sentences of an article.

    Attributes:
        name: By which scores are kept.
        title: In tables.
        create: Makes it, given whether the article's mean is subtracted from its vectors first.
    """

    name: str
    title: str
    create: Callable[[bool], Clusterer]


DIFFUSION = Algorithm(
    "diffusion", "Iclust after diffusion", lambda centred: create_diffusion_iclust()
)
KMEANS = Algorithm("kmeans", "k-means", lambda centred: create_kmeans(centre=centred))


@dataclass(frozen=True)
class EvaluationProtocol:
    """How an encoder is measured.

    Attributes:
        name: What the option `--protocol` takes.
        metrics: Those of the thematic distance comparison, keys of `METRICS`.
        algorithms: Those that cluster the sentences of an article; models are compared by the
            first.
        centred: Whether the article's mean is subtracted from its vectors before these are
            clustered. Diffusion always does that.
        n_clusters: "sections": the true number of sections of each article; "chosen": as many as
            `thematic_clusterer` chooses from the vectors, at most 12.
        ami: The adjusted mutual information that tables show with an interval and that encoders
            are compared by, a key of `AGREEMENTS`.
        short_sentences: Whether only the sentences of 5 to 50 tokens are clustered, where articles
            are read from a source. A corpus, and IBM's benchmark, are clustered as they are.
    """

    name: str
    metrics: tuple[str, ...]
    algorithms: tuple[Algorithm, ...]
    centred: bool
    n_clusters: Literal["sections", "chosen"]
    ami: Literal["ami", "ami_max"]
    short_sentences: bool = False

    def create_clusterers(self) -> dict[str, Clusterer]:
        """The algorithms, ready to run."""
        return {one.name: one.create(self.centred) for one in self.algorithms}

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "algorithms": [one.name for one in self.algorithms]}

    def score_article(
        self,
        vectors: np.ndarray,
        sections: Sequence[int],
        seed: int = 0,
        clusterers: Mapping[str, Clusterer] | None = None,
    ) -> dict[str, dict[str, float]]:
        """Cluster the sentences of one article, and compare the clusters with its sections.

        Args:
            vectors: One row a sentence, (n, width).
            sections: The section of each sentence, (n,).
            seed: Of clustering.
            clusterers: Algorithms to run instead of the protocol's.

        Returns:
            For each algorithm what `clustering_agreement` returns.
        """
        k: int | Literal["auto"] = "auto"
        if self.n_clusters == "sections":
            k = len(set(sections))
        rows, settings = SentenceVectors(vectors), ThemeSettings(k=k, seed=seed)
        scores = {}
        for name, clusterer in (clusterers or self.create_clusterers()).items():
            found = find_clusters(rows, clusterer, create_silhouette_with_prior(), settings, None)
            scores[name] = clustering_agreement(found.labels, sections)
        return scores

    def describe(self) -> str:
        """The settings in words, to be printed with every table."""
        metrics = " and ".join(self.metrics)
        algorithms = " / ".join(one.title for one in self.algorithms)
        centred = "centred at the article's mean" if self.centred else "not centred"
        number = (
            "as many clusters as the article has sections"
            if self.n_clusters == "sections"
            else f"a number of clusters chosen from the vectors, at most {MOST_THEMES}"
        )
        mean = "arithmetic mean" if self.ami == "ami" else "maximum"
        inferred = ", as we infer that the paper did" if self.ami == "ami_max" else ""
        sentences = (
            "sentences of 5 to 50 tokens where articles are read from a source"
            if self.short_sentences
            else "all sentences"
        )
        return (
            f'Protocol "{self.name}": thematic distance by {metrics}; clustering by {algorithms}, '
            f"{sentences}, vectors {centred}, into {number}; compared by {AGREEMENTS[self.ami]} "
            f"(over the {mean} of the entropies{inferred})."
        )


CENTRED = EvaluationProtocol("centred", tuple(METRICS), (KMEANS,), True, "sections", "ami")
"""That by which the encoders of this package are trained and compared."""

THEMES = EvaluationProtocol("themes", tuple(METRICS), (DIFFUSION,), True, "chosen", "ami")
"""What `thematic_clusterer` does with `units = "sentences"`, and its scorer says of it."""

PROTOCOLS = {protocol.name: protocol for protocol in (CENTRED, THEMES)}


def find_protocol(
    name: str, protocols: Mapping[str, EvaluationProtocol] = PROTOCOLS
) -> EvaluationProtocol:
    """The protocol of a name.

    Raises:
        ValueError: If none of the protocols has the name.
    """
    if name not in protocols:
        raise ValueError(f'There is no protocol "{name}": choose {", ".join(protocols)}.')
    return protocols[name]
