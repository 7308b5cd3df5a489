"""Public names that have moved, for a release: what takes them from their old places is warned."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def find_moved(old: str, moved: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that names have moved from. moved: each name, and the
    module where it is now."""

    def get(name: str) -> Any:
        if name not in moved:
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        warnings.warn(
            f"{old}.{name} is {moved[name]}.{name} now: the old name goes with the next release.",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(import_module(moved[name]), name)

    return get
