"""Vectors of sentences in, themes out. Light to import: scikit-learn is loaded when it is used."""

from spacy_thematic.clustering.agglomerative import create_agglomerative
from spacy_thematic.clustering.choosing_k import (
    create_affinity_propagation,
    create_distance_threshold,
    create_length,
    create_silhouette,
    create_silhouette_with_prior,
    create_square_root,
)
from spacy_thematic.clustering.corpus import CorpusThemes, cluster_docs
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.neighbours import create_neighbour_iclust
from spacy_thematic.clustering.themes import Theme, read_themes, write_themes

__all__ = [
    "CorpusThemes",
    "Theme",
    "cluster_docs",
    "create_affinity_propagation",
    "create_agglomerative",
    "create_distance_threshold",
    "create_iclust",
    "create_kmeans",
    "create_length",
    "create_neighbour_iclust",
    "create_silhouette",
    "create_silhouette_with_prior",
    "create_square_root",
    "read_themes",
    "write_themes",
]
