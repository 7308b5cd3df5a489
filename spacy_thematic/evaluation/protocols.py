"""How thematic distance and clustering are measured: named settings, one of which goes with every
figure. Figures of different protocols are not comparable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spacy_thematic.clustering.diffusion_iclust import create_diffusion_iclust
from spacy_thematic.clustering.finding import find_clusters
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans, kmeans_of_raw_rows
from spacy_thematic.clustering.n_clusters import MOST_THEMES, create_silhouette_with_prior
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import Clusterer, SentenceVectors
from spacy_thematic.evaluation.baselines.kmedians import kmedians
from spacy_thematic.measures import AGREEMENTS, METRICS, clustering_agreement

ICLUST, DIFFUSION, KMEANS, KMEANS_RAW, SIB = "iclust", "diffusion", "kmeans", "kmeans_raw", "sib"
KMEDIANS, ICLUST_RELATEDNESS = "kmedians", "iclust_relatedness"
ALGORITHMS = {
    ICLUST: "Iclust",
    ICLUST_RELATEDNESS: "Iclust, predicted relatedness",
    DIFFUSION: "Iclust after diffusion",
    KMEANS: "k-means",
    KMEANS_RAW: "k-means, raw rows",
    KMEDIANS: "k-means on L1",
    SIB: "sIB",
}
"""The clustering algorithms, and their headings in tables."""

_FACTORIES: dict[str, Callable[[bool], Clusterer]] = {
    ICLUST: lambda centred: create_iclust(centre=centred),
    DIFFUSION: lambda centred: create_diffusion_iclust(),
    KMEANS: lambda centred: create_kmeans(centre=centred),
    KMEANS_RAW: lambda centred: kmeans_of_raw_rows,
    KMEDIANS: lambda centred: kmedians,
}


@dataclass(frozen=True)
class EvaluationProtocol:
    """How an encoder is measured.

    Attributes:
        name: What the option `--protocol` takes.
        metrics: Those of the thematic distance comparison, keys of `METRICS`.
        algorithms: Those that cluster the sentences of an article, keys of `ALGORITHMS`; the first
            is the one that plots show.
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
    algorithms: tuple[str, ...]
    centred: bool
    n_clusters: Literal["sections", "chosen"]
    ami: Literal["ami", "ami_max"]
    short_sentences: bool = False

    def create_clusterers(self) -> dict[str, Clusterer]:
        """The algorithms, ready to run."""
        return {name: _FACTORIES[name](self.centred) for name in self.algorithms}

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
        algorithms = " / ".join(ALGORITHMS[name] for name in self.algorithms)
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


_METRICS = tuple(METRICS)

PAPER = EvaluationProtocol(
    "paper", _METRICS, (ICLUST, KMEANS, KMEANS_RAW, KMEDIANS), False, "sections", "ami_max", True
)
"""That of Ein Dor et al. (2018). The paper does not say whether its k-means scaled the rows to unit
length, so both are measured. Two things are our reading of it: its k-means on L1 as k-medians, and
its AMI as that over the maximum of the entropies."""

CENTRED = EvaluationProtocol("centred", _METRICS, (KMEANS,), True, "sections", "ami")
"""That by which the encoders of this package are trained and compared."""

THEMES = EvaluationProtocol("themes", _METRICS, (DIFFUSION,), True, "chosen", "ami")
"""What `thematic_clusterer` does with `units = "sentences"`, and its scorer says of it."""

PROTOCOLS = {protocol.name: protocol for protocol in (PAPER, CENTRED, THEMES)}


def find_protocol(name: str) -> EvaluationProtocol:
    """The protocol of a name.

    Raises:
        ValueError: If no protocol has the name.
    """
    if name not in PROTOCOLS:
        raise ValueError(f'There is no protocol "{name}": choose {", ".join(PROTOCOLS)}.')
    return PROTOCOLS[name]
