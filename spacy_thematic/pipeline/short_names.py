"""Algorithms by short names, in place of blocks of the config."""

from collections.abc import Mapping
from typing import Any

from spacy.util import registry

CLUSTERERS = {
    "diffusion_iclust": "spacy-thematic.DiffusionIclust.v1",
    "neighbour_iclust": "spacy-thematic.NeighbourIclust.v1",
    "iclust": "spacy-thematic.Iclust.v1",
    "kmeans": "spacy-thematic.KMeans.v1",
    "communities": "spacy-thematic.Communities.v1",
}
K_CHOOSERS = {
    "silhouette_with_prior": "spacy-thematic.SilhouetteWithPrior.v1",
}
SEGMENTERS = {
    "kernel_change_points": "spacy-thematic.KernelChangePoints.v1",
}


def resolve_name(value: Any, names: Mapping[str, str], setting: str) -> Any:
    """Return the function that a setting of a component names, with its own settings at their
    defaults; what is a function, as it is. The value is a short name, by which `names` has what is
    registered; a block of a config; a function; or None where there are no short names. Raises
    ValueError, which says what is allowed, for anything else."""
    if callable(value) or (value is None and not names):
        return value
    if isinstance(value, str) and value in names:
        return registry.get("misc", names[value])()
    if isinstance(value, Mapping) and any(key.startswith("@") for key in value):
        # What is wrong with a block, spaCy says in several lines.
        found = registry.resolve({setting: dict(value)})[setting]
        if callable(found):
            return found
    example = next(iter(names.values()), "name")
    short = f"one of {', '.join(map(repr, names))}" if names else "None"
    raise ValueError(
        f'Expected {setting} to be {short}, or a block such as {{"@misc": "{example}"}} with its '
        f"own settings, found {value!r}."
    )
