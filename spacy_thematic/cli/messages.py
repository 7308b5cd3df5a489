"""Messages of the commands."""

from __future__ import annotations

from typing import Any

from wasabi import Printer


class _Messages(Printer):
    """Prints without control characters: the name of a file, or a text, may hold some that command
    a terminal."""

    def text(self, title: Any = "", text: Any = "", *args: Any, **options: Any) -> Any:
        return super().text(_clean(title), _clean(text), *args, **options)


def count(number: int, noun: str) -> str:
    """A number and what is counted, "1 text" or "2,000 texts"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _clean(text: Any) -> str:
    from spacy_thematic.report.terminal import without_controls

    return "\n".join(map(without_controls, str(text).split("\n")))


msg = _Messages()
