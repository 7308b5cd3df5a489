"""Names that the next release no longer knows: each warns, and gives what takes its place."""

from __future__ import annotations

import warnings
from inspect import Parameter, Signature
from typing import Any

from spacy.util import registry


def warn_of(name: str, instead: str) -> None:
    """Warn that a name is retired, and say what takes its place."""
    warnings.warn(
        f"{name} is retired, and {instead} is used in its place: name that, since the next release "
        f"does not know {name}.",
        FutureWarning,
        stacklevel=3,
    )


def _retire(name: str, instead: str, *settings: str) -> Any:
    """Register a function that warns, and returns what another one makes. Its former settings have
    no effect."""

    def make(**_: Any) -> Any:
        warn_of(name, instead)
        return registry.get("misc", instead)()

    parameters = [Parameter(one, Parameter.KEYWORD_ONLY, default=None) for one in settings]
    vars(make)["__signature__"] = Signature(parameters)
    return registry.misc(name)(make)


_PRIOR = "spacy-thematic.SilhouetteWithPrior.v1"

affinity_propagation = _retire("spacy-thematic.AffinityPropagation.v1", _PRIOR, "damping", "centre")
distance_threshold = _retire("spacy-thematic.DistanceThreshold.v1", _PRIOR, "threshold", "centre")
