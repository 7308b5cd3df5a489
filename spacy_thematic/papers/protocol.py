"""How the paper measures: its algorithms, and its protocol."""

from __future__ import annotations

from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import kmeans_of_raw_rows
from spacy_thematic.evaluation.protocols import (
    DIFFUSION,
    KMEANS,
    PROTOCOLS,
    Algorithm,
    EvaluationProtocol,
)
from spacy_thematic.measures import METRICS
from spacy_thematic.papers.baselines.information_bottleneck import create_sib
from spacy_thematic.papers.baselines.kmedians import kmedians

RELATEDNESS = "relatedness"
"""What encoders are measured on beside thematic distance and clustering."""

ICLUST = Algorithm("iclust", "Iclust", lambda centred: create_iclust(centre=centred))
ICLUST_RELATEDNESS = Algorithm(
    "iclust_relatedness",
    "Iclust, predicted relatedness",
    lambda centred: create_iclust(centre=centred),
)
KMEANS_RAW = Algorithm("kmeans_raw", "k-means, raw rows", lambda centred: kmeans_of_raw_rows)
KMEDIANS = Algorithm("kmedians", "k-means on L1", lambda centred: kmedians)
SIB = Algorithm("sib", "sIB", lambda centred: create_sib())

ALGORITHMS = (ICLUST, ICLUST_RELATEDNESS, DIFFUSION, KMEANS, KMEANS_RAW, KMEDIANS, SIB)
"""In the order of the tables."""

PAPER = EvaluationProtocol(
    "paper",
    tuple(METRICS),
    (ICLUST, KMEANS, KMEANS_RAW, KMEDIANS),
    centred=False,
    n_clusters="sections",
    ami="ami_max",
    short_sentences=True,
)
"""That of Ein Dor et al. (2018). The paper does not say whether its k-means scaled the rows to unit
length, so both are measured. Two things are our reading of it: its k-means on L1 as k-medians, and
its AMI as that over the maximum of the entropies."""

ALL_PROTOCOLS = {PAPER.name: PAPER, **PROTOCOLS}
