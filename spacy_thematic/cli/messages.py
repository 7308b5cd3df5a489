"""Messages of the commands."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any

from wasabi import Printer


class _Messages(Printer):
    """Prints without control characters: the name of a file, or a text, may hold some that command
    a terminal."""

    @property
    def show_color(self) -> bool:
        """Whether colours go to a terminal that wants them."""
        return self._may_color and sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    @show_color.setter
    def show_color(self, may_color: bool) -> None:
        self._may_color = may_color

    def text(self, title: Any = "", text: Any = "", *args: Any, **options: Any) -> Any:
        return super().text(_clean(title), _clean(text), *args, **options)


def count(number: int, noun: str) -> str:
    """A number and what is counted, "1 text" or "2,000 texts"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def without_controls(text: str) -> str:
    """Replace each control character by a space, so that the text cannot command a terminal."""
    return "".join(
        character if unicodedata.category(character)[0] != "C" else " " for character in text
    )


def _clean(text: Any) -> str:
    return "\n".join(map(without_controls, str(text).split("\n")))


msg = _Messages()


def say_what_is_missing(problems: Iterable[str], left_out: Iterable[str]) -> None:
    """Say what of the input could not be read, and what was left out of the texts."""
    for problem in problems:
        msg.warn(problem)
    for line in left_out:
        msg.info(line)
