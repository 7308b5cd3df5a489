"""Checks of settings, and of arguments, which say what was found and what was expected."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeGuard

import numpy as np

_LARGEST = 2**32 - 1
"""The largest seed that scikit-learn takes, and more than there are sentences."""


def make_plain(settings: Any) -> None:
    """Replace numbers of numpy in a frozen dataclass by those of Python, which can be saved."""
    for one in fields(settings):
        value = getattr(settings, one.name)
        if isinstance(value, np.generic):
            object.__setattr__(settings, one.name, value.item())


def check_numbers(settings: Any, lowest: Mapping[str, int], *, or_auto: bool = False) -> None:
    """Raise ValueError unless settings are whole numbers, of at least what is given for each."""
    for name, least in lowest.items():
        value = getattr(settings, name)
        if not (or_auto and value == "auto"):
            check_whole(name, value, least, '"auto" or ' if or_auto else "")


def check_whole(name: str, value: object, least: int, also: str = "") -> None:
    """Raise ValueError unless a setting is a whole number, of at least `least` and at most 32 bits.
    also: what else is expected."""
    if not is_whole(value, least):
        is_large = isinstance(value, (int, np.integer)) and value > _LARGEST
        most = f" and at most {_LARGEST:,}" if is_large else ""
        raise ValueError(
            f"Expected {name} to be {also}a whole number of at least {least}{most}, found "
            f"{value!r}."
        )


def check_flags(settings: Any, *names: str) -> None:
    """Raise ValueError unless settings are True or False."""
    for name in names:
        value = getattr(settings, name)
        if not isinstance(value, bool):
            raise ValueError(f"Expected {name} to be True or False, found {value!r}.")


def check_namer(namer: object) -> None:
    """Raise ValueError for what is neither None, a function nor a block of a config."""
    if not (namer is None or callable(namer) or isinstance(namer, Mapping)):
        raise ValueError(
            "Expected namer to be None, a function (sentences, keywords, names) -> name, or in the "
            f'config of a component a block such as {{"@misc": "name"}}, found {namer!r:.80}.'
        )


def is_whole(value: object, lowest: int) -> TypeGuard[int]:
    """Whether a setting is a whole number, of at least `lowest` and at most 32 bits."""
    is_number = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return is_number and lowest <= value <= _LARGEST  # type: ignore[operator]


def is_text(value: object) -> TypeGuard[str]:
    """Whether a setting is a string that can be saved: half a surrogate pair cannot."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)
