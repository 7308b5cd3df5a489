"""Thematic sentence similarity and clustering for spaCy, learned from section structure alone."""

from importlib import import_module
from typing import Any

from spacy_thematic.about import __version__
from spacy_thematic.pipeline.extensions import install

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
