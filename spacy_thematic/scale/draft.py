"""What is being made of a store: a folder beside the one to write, so that work that was stopped
resumes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spacy_thematic.clustering.communities import Communities
from spacy_thematic.clustering.units import (
    UnitClusters,
    UnitKind,
    UnitSpace,
    find_units,
    join_words,
)
from spacy_thematic.files import (
    MADE_FROM,
    hidden_beside,
    open_whole,
    remove_unfinished,
    replace_folder,
    resume_folder,
)

_CLUSTERS = "clusters.npz"


@dataclass(frozen=True)
class Clusters:
    """The clusters of a store.

    Attributes:
        units: What is grouped.
        origin: The mean of all vectors that are not zero, (width,).
        of_units: The clusters of a sample of units, which the others join.
    """

    units: UnitKind
    origin: np.ndarray
    of_units: UnitClusters

    def label(self, vectors: np.ndarray, starts: np.ndarray, words: list[list[str]]) -> np.ndarray:
        """Return the cluster of each sentence, (n,), of whole texts, from vectors, (n, width), the
        number of the first sentence of each text but the first, and words."""
        rows, of_each = find_units(vectors, starts, self.units)
        return self.of_units.label(rows, join_words(words, of_each))[of_each]


class Draft:
    """A folder that becomes `out` when all is written to it. A draft that was made from something
    else is thrown away."""

    def __init__(self, out: Path, made_from: dict[str, Any]) -> None:
        self.out = out.resolve()
        self.folder = hidden_beside(self.out, "unfinished")
        resume_folder(self.folder, made_from)

    def finish(self) -> None:
        """Put the folder in the place of `out`."""
        (self.folder / MADE_FROM).unlink()
        remove_unfinished(self.folder)  # A worker may have been killed, and its work done again.
        replace_folder(self.folder, self.out)


class ThemesDraft(Draft):
    """A draft of themes, which holds the clusters when they are found."""

    def read_clusters(self) -> Clusters | None:
        """Read what was written; None before."""
        if not (self.folder / _CLUSTERS).is_file():
            return None
        with np.load(self.folder / _CLUSTERS, allow_pickle=False) as arrays:
            scores = dict(zip(arrays["tried"].tolist(), arrays["scores"].tolist()))
            return Clusters(
                arrays["units"].item(),
                arrays["origin"],
                UnitClusters(
                    UnitSpace(*(arrays[f"space_{name}"] for name in UnitSpace._fields)),
                    Communities(
                        arrays["sample"],
                        arrays["labels"],
                        scores,
                        arrays["broader"] if len(arrays["broader"]) else None,
                    ),
                ),
            )

    def write_clusters(self, clusters: Clusters) -> None:
        """Write them, whole or not at all."""
        space, found = clusters.of_units
        with open_whole(self.folder / _CLUSTERS) as file:
            np.savez(
                file,
                units=clusters.units,
                origin=clusters.origin,
                sample=found.sample,
                labels=found.labels,
                broader=np.zeros(0, np.int64) if found.broader is None else found.broader,
                tried=np.array(list(found.scores), dtype=np.int64),
                scores=np.array(list(found.scores.values()), dtype=np.float64),
                **{f"space_{name}": array for name, array in space._asdict().items()},
            )

    def finish(self) -> None:
        """Put the folder, without the clusters, in the place of `out`."""
        (self.folder / _CLUSTERS).unlink()
        super().finish()
