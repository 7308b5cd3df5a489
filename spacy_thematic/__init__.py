"""Thematic sentence similarity and clustering for spaCy, learned from section structure alone."""

from typing import Any

from spacy_thematic.about import __version__
from spacy_thematic.interrupts import end_on_interrupt

end_on_interrupt()  # Before spaCy is imported, which takes seconds.

from spacy_thematic.pipeline.extensions import install  # noqa: E402

__all__ = ["__version__", "chunk", "cluster_docs", "load"]

install()


def __getattr__(name: str) -> Any:
    # Imported on first use: spaCy imports this package at every start.
    if name == "chunk":
        from spacy_thematic.chunking.chunker import chunk

        return chunk
    if name == "cluster_docs":
        from spacy_thematic.pipeline.clusterer import cluster_docs

        return cluster_docs
    if name == "load":
        from spacy_thematic.pipeline.loading import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
