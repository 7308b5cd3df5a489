"""What is being made of a store: a folder beside the one to write, so that work that was stopped
resumes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spacy_thematic.clustering.context import put_in_context
from spacy_thematic.clustering.sampled import SampleClusters
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.files import (
    MADE_FROM,
    hidden_beside,
    open_whole,
    replace_folder,
    resume_folder,
)

_CLUSTERS = "clusters.npz"


@dataclass(frozen=True)
class Clusters:
    """The clusters of a store.

    Attributes:
        k_scores: Of each number that was tried.
        origin: The mean of all vectors that are not zero, (width,).
        context_origin: The same of the vectors in the context of their texts.
        found: Those of a sample in context, which the other sentences join.
    """

    k_scores: dict[int, float]
    origin: np.ndarray
    context_origin: np.ndarray
    found: SampleClusters

    def label(self, vectors: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return the cluster of each sentence, (n,), of whole texts, as `put_in_context` takes
        them."""
        contexts = put_in_context(vectors, starts)
        return self.found.label(unit_rows(contexts, self.context_origin))


class Draft:
    """A folder that becomes `out` when all is written to it.

    Args:
        out: The folder to write in the end.
        made_from: What decides the content. A draft of something else is thrown away.

    Attributes:
        folder: To write to.
    """

    def __init__(self, out: Path, made_from: dict[str, Any]) -> None:
        self.out = out.resolve()
        self.folder = hidden_beside(self.out, "unfinished")
        resume_folder(self.folder, made_from)

    def finish(self) -> None:
        """Put the folder in the place of `out`."""
        (self.folder / MADE_FROM).unlink()
        replace_folder(self.folder, self.out)


class ThemesDraft(Draft):
    """A draft of themes, which holds the clusters when they are found."""

    def read_clusters(self) -> Clusters | None:
        """Read what was written; None before."""
        if not (self.folder / _CLUSTERS).is_file():
            return None
        with np.load(self.folder / _CLUSTERS, allow_pickle=False) as arrays:
            return Clusters(
                k_scores=dict(zip(arrays["tried"].tolist(), arrays["scores"].tolist())),
                origin=arrays["origin"],
                context_origin=arrays["context_origin"],
                found=SampleClusters(arrays["sample"], arrays["votes"]),
            )

    def write_clusters(self, clusters: Clusters) -> None:
        """Write them, whole or not at all."""
        with open_whole(self.folder / _CLUSTERS) as file:
            np.savez(
                file,
                tried=np.array(list(clusters.k_scores), dtype=np.int64),
                scores=np.array(list(clusters.k_scores.values()), dtype=np.float64),
                origin=clusters.origin,
                context_origin=clusters.context_origin,
                **clusters.found._asdict(),
            )

    def finish(self) -> None:
        """Put the folder, without the clusters, in the place of `out`."""
        (self.folder / _CLUSTERS).unlink()
        super().finish()
