"""Messages of the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
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


def _clean(text: Any) -> str:
    from spacy_thematic.report.terminal import without_controls

    return "\n".join(map(without_controls, str(text).split("\n")))


class _LastingStream:
    """A stream that may break, as when `head` has read enough: what is printed then is lost, and
    no more."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.lost: OSError | None = None

    def write(self, text: str) -> int:
        self._do(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        self._do(self._stream.flush)

    def _do(self, action: Callable[..., Any], *args: Any) -> None:
        try:
            action(*args)
        except OSError as error:
            self.lost = error
            # What the stream still holds goes there too when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def lasting_stdout() -> Iterator[None]:
    """Let no print fail: the work goes on, and its files are written. If not for want of a reader,
    say at the end what was lost, and exit with status 1."""
    if sys.stdout is None:
        yield
        return
    stream: Any = _LastingStream(sys.stdout)
    with redirect_stdout(stream):
        try:
            yield
        finally:
            stream.flush()
    if stream.lost and not isinstance(stream.lost, BrokenPipeError):
        print(f"What was printed is lost: {stream.lost.strerror}", file=sys.stderr)
        raise SystemExit(1)


msg = _Messages()


def say_what_is_missing(problems: Iterable[str], left_out: Iterable[str]) -> None:
    """Say what of the input could not be read, and what was left out of the texts."""
    for problem in problems:
        msg.warn(problem)
    for line in left_out:
        msg.info(line)
