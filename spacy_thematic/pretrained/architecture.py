"""Architectures as blocks of a config, such as a model file has in its header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalogue import RegistryError
from spacy.util import registry
from thinc.api import Model

Architecture = dict[str, Any]
"""`{"@architectures": NAME, setting: value, ...}`; settings may be such blocks themselves."""

BLANK: Architecture = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "embed": {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 300},
}
"""What `thematic_embedder` is without `model` and `pretrained`."""

_ALLOWED = {"@architectures", "@layers"}


def build_architecture(architecture: Architecture) -> Model:
    """Build a model without weights. Nothing but registered architectures and layers is called,
    for the block may come from a file that somebody else wrote.

    Raises:
        ValueError: If the block names something else, or what is not registered, or does not fit.
    """
    for key, name in _find_references(architecture):
        if key not in _ALLOWED:
            raise ValueError(f'The architecture names "{key}" = "{name}": no model file needs it.')
        try:
            registry.get(key[1:], name)
        except RegistryError as error:
            raise ValueError(
                f'The architecture "{name}" is not registered: install and import the package that '
                "registers it, or a newer version of spacy-thematic."
            ) from error
    return registry.resolve({"model": architecture})["model"]


def _find_references(block: Any) -> Iterator[tuple[str, Any]]:
    """The registered functions that a block names, those of inner blocks too."""
    if isinstance(block, list):
        for value in block:
            yield from _find_references(value)
    elif isinstance(block, dict):
        for key, value in block.items():
            if key.startswith("@"):
                yield key, value
            yield from _find_references(value)
