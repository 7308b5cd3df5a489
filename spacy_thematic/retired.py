"""Names that the next release no longer knows: each warns, and gives what takes its place. Those of
what has left the package say where it is."""

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
    """Register a function that warns, ignores its settings, and returns what another one makes."""

    def make(**_: Any) -> Any:
        warn_of(name, instead)
        return registry.get("misc", instead)()

    return registry.misc(name)(_accept(make, *settings))


def _accept(make: Any, *settings: str) -> Any:
    """Give a function a signature with these settings, which a config may have."""
    parameters = [Parameter(one, Parameter.KEYWORD_ONLY, default=None) for one in settings]
    make.__signature__ = Signature(parameters)
    return make


_PRIOR = "spacy-thematic.SilhouetteWithPrior.v1"

affinity_propagation = _retire("spacy-thematic.AffinityPropagation.v1", _PRIOR, "damping", "centre")
distance_threshold = _retire("spacy-thematic.DistanceThreshold.v1", _PRIOR, "threshold", "centre")
length = _retire("spacy-thematic.Length.v1", _PRIOR)
silhouette = _retire("spacy-thematic.Silhouette.v1", _PRIOR, "centre")
agglomerative = _retire(
    "spacy-thematic.Agglomerative.v1", "spacy-thematic.DiffusionIclust.v1", "linkage", "centre"
)
text_tiling = _retire(
    "spacy-thematic.TextTiling.v1", "spacy-thematic.KernelChangePoints.v1", "window"
)


def _move(name: str, file: str, *settings: str) -> Any:
    """Register an architecture that raises an error, which says where it is now."""

    def make(**_: Any) -> Any:
        new = name.replace("spacy-thematic", "papers")
        raise ValueError(
            f"{name} is no longer in the package. Write {new} in its place in the config, and "
            f"import projects/papers/scripts/{file} of the repository before the pipeline is "
            "loaded, or name that file as --code."
        )

    return registry.architectures(name)(_accept(make, *settings))


bigan_encoder = _move(
    "spacy-thematic.BiGANEncoder.v1",
    "bigan_encoder.py",
    *("base", "width", "hidden_width", "depth", "stochastic"),
)
gru_encoder = _move(
    "spacy-thematic.GRUEncoder.v1",
    "gru_encoder.py",
    *("embed", "hidden_width", "bidirectional", "reset_after"),
)
