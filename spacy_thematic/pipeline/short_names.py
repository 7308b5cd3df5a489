"""Algorithms by short names, in place of blocks of the config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spacy.util import registry

CLUSTERERS = {
    "diffusion_iclust": "spacy-thematic.DiffusionIclust.v1",
    "neighbour_iclust": "spacy-thematic.NeighbourIclust.v1",
    "iclust": "spacy-thematic.Iclust.v1",
    "kmeans": "spacy-thematic.KMeans.v1",
    "agglomerative": "spacy-thematic.Agglomerative.v1",
}
K_CHOOSERS = {
    "silhouette_with_prior": "spacy-thematic.SilhouetteWithPrior.v1",
    "silhouette": "spacy-thematic.Silhouette.v1",
    "length": "spacy-thematic.Length.v1",
    "affinity_propagation": "spacy-thematic.AffinityPropagation.v1",
}
SEGMENTERS = {
    "kernel_change_points": "spacy-thematic.KernelChangePoints.v1",
    "text_tiling": "spacy-thematic.TextTiling.v1",
    "equal_length": "spacy-thematic.EqualLength.v1",
    "random_cuts": "spacy-thematic.RandomCuts.v1",
    "no_cuts": "spacy-thematic.NoCuts.v1",
}


def resolve_name(value: Any, names: Mapping[str, str], setting: str) -> Any:
    """Return what a setting of a component names, with its own settings at their defaults; what is
    no string, as it is.

    Args:
        value: A short name, or a function.
        names: Short names, and what they are registered as.
        setting: For the message.

    Raises:
        ValueError: For another name. It lists those that are allowed.
    """
    if not isinstance(value, str):
        if callable(value):
            return value
    elif value in names:
        return registry.get("misc", names[value])()
    raise ValueError(
        f"Expected {setting} to be one of {', '.join(map(repr, names))}, or a block such as "
        f'{{"@misc": "{next(iter(names.values()))}"}} with its own settings, found {value!r}.'
    )
