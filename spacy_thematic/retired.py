"""Names that the next release no longer knows: each warns, and gives what takes its place."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any

from spacy.util import registry

SHORT_NAMES = {
    "affinity_propagation": "silhouette_with_prior",
    "equal_length": "kernel_change_points",
    "random_cuts": "kernel_change_points",
    "no_cuts": "kernel_change_points",
}
"""Short names of algorithms, and those that take their place."""


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

    return _register(name, make, settings)


def _register(name: str, make: Callable[..., Any], settings: Sequence[str]) -> Any:
    parameters = [Parameter(one, Parameter.KEYWORD_ONLY, default=None) for one in settings]
    vars(make)["__signature__"] = Signature(parameters)
    return registry.misc(name)(make)


_PRIOR = "spacy-thematic.SilhouetteWithPrior.v1"
_CUTS = "spacy-thematic.KernelChangePoints.v1"

affinity_propagation = _retire("spacy-thematic.AffinityPropagation.v1", _PRIOR, "damping", "centre")
distance_threshold = _retire("spacy-thematic.DistanceThreshold.v1", _PRIOR, "threshold", "centre")
equal_length = _retire("spacy-thematic.EqualLength.v1", _CUTS)
random_cuts = _retire("spacy-thematic.RandomCuts.v1", _CUTS)
no_cuts = _retire("spacy-thematic.NoCuts.v1", _CUTS)


def _move(name: str, script: str, *settings: str) -> Any:
    """Register a function that says in which file of `projects` an objective is, so that configs
    with its settings are still read."""

    def make(**_: Any) -> Any:
        project = script.partition("/")[0]
        raise ValueError(
            f"spacy-thematic.{name}.v1 is {project}.{name}.v1 now, in projects/{script} of the "
            "repository: name that in the config, and the file as --code."
        )

    return _register(f"spacy-thematic.{name}.v1", make, ("weight", "from_step", *settings))


distillation = _move(
    "Distillation", "pretrain/scripts/distillation.py", "teacher", "n_sentences", "cosine_weight",
    "relation_weight", "relation_temperature", "project_relations", "centre", "token_dropout",
)  # fmt: skip
section_boundaries = _move(
    "SectionBoundaries", "pretrain/scripts/learn_boundaries.py", "n_texts", "n_sentences", "mixed",
    "dropout",
)  # fmt: skip
section_headings = _move(
    "SectionHeadings", "pretrain/scripts/learn_headings.py", "n_articles", "sampling",
    "most_headings", "min_articles", "min_sources", "most_words", "both_ways", "dropout",
)  # fmt: skip
skip_thoughts = _move(
    "SkipThoughts", "papers/scripts/skip_thoughts.py", "vocabulary_size", "batch_size", "max_length"
)
triplet_bigan = _move(
    "TripletBiGAN", "papers/scripts/triplet_bigan.py", "unlabelled", "batch_size", "hidden_width",
    "spectral_normalization", "label_smoothing", "instance_noise", "gradient_penalty",
    "reconstruction", "window",
)  # fmt: skip
