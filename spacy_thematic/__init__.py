"""Thematic sentence similarity and clustering for spaCy, learned from section structure alone."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spacy_thematic.about import __version__
from spacy_thematic.pipeline.extensions import install

if TYPE_CHECKING:
    from spacy_thematic.chunking.chunker import chunk as chunk
    from spacy_thematic.clustering.settings import ThemeSettings as ThemeSettings
    from spacy_thematic.evaluation.adapt import adapt as adapt
    from spacy_thematic.evaluation.evaluate import evaluate as evaluate
    from spacy_thematic.pipeline.cluster import cluster as cluster
    from spacy_thematic.pipeline.clusterer import cluster_docs as cluster_docs
    from spacy_thematic.pipeline.corpus_themes import CorpusThemes as CorpusThemes
    from spacy_thematic.pipeline.loading import load as load
    from spacy_thematic.scale.search import search as search
    from spacy_thematic.training.train import train as train

_NAMES = {
    "CorpusThemes": "pipeline.corpus_themes",
    "ThemeSettings": "clustering.settings",
    "adapt": "evaluation.adapt",
    "chunk": "chunking.chunker",
    "cluster": "pipeline.cluster",
    "cluster_docs": "pipeline.clusterer",
    "evaluate": "evaluation.evaluate",
    "load": "pipeline.loading",
    "search": "scale.search",
    "train": "training.train",
}
__all__ = ["__version__", *_NAMES]

install()


def __getattr__(name: str) -> Any:
    # Imported on first use: spaCy imports this package at every start.
    if name in _NAMES:
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
