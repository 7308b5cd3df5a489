"""Architectures as blocks of a config, such as a model file has in its header."""

from collections.abc import Iterator
from typing import Any

from catalogue import RegistryError
from spacy.util import registry
from thinc.api import Model

from spacy_thematic.models.torch_wrapper import limit_modules

Architecture = dict[str, Any]
"""`{"@architectures": NAME, setting: value, ...}`; settings may be such blocks themselves."""

BLANK: Architecture = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "embed": {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 300},
}
"""What `thematic_embedder` is without `model` and `pretrained`."""

_ALLOWED = {"@architectures", "@layers"}


def build_architecture(architecture: Architecture, n_bytes: int | None = None) -> Model:
    """Build a model without weights. Nothing but registered architectures and layers is called, for
    the block may come from a file that somebody else wrote, of so many bytes, which bounds what is
    built. Raises ValueError if the block names something else, or what is not registered, does not
    fit, or has more weights than the file can hold."""
    for key, name in _iter_settings(architecture):
        if not key.startswith("@"):
            continue
        if key not in _ALLOWED:
            raise ValueError(f'The architecture names "{key}" = "{name}": no model file needs it.')
        if not isinstance(name, str):
            raise ValueError(f'Expected "{key}" to be the name of one, found {name!r:.50}.')
        try:
            registry.get(key[1:], name)
        except RegistryError as error:
            raise ValueError(
                f'The architecture "{name}" is not registered: install and import the package that '
                "registers it, or a newer version of spacy-thematic."
            ) from error
    if n_bytes is None:
        return registry.resolve({"model": architecture})["model"]
    check_depths(architecture, n_bytes)
    try:
        with limit_modules(n_bytes):
            model = registry.resolve({"model": architecture})["model"]
        if not isinstance(model, Model):
            raise ValueError(f"It names no architecture: {architecture!r:.50}.")
        return model
    except ValueError:
        raise
    except Exception as error:
        # What a builder makes of settings that it was never meant to get.
        raise ValueError(f"Its architecture cannot be built: {error}.") from error


def check_depths(block: Any, n_bytes: int) -> None:
    """Check that a block of a config has no more layers than a file of `n_bytes` can hold.
    Raises ValueError if it does."""
    for key, value in _iter_settings(block):
        if key.endswith(("depth", "layers")) and isinstance(value, int) and value > n_bytes:
            raise ValueError(f'"{key}" is {value}, more than {n_bytes:,} bytes can hold.')


def _iter_settings(block: Any) -> Iterator[tuple[str, Any]]:
    """The settings of a block, and those of inner blocks."""
    if isinstance(block, list):
        for value in block:
            yield from _iter_settings(value)
    elif isinstance(block, dict):
        for key, value in block.items():
            yield str(key), value
            yield from _iter_settings(value)
