"""Ctrl-C while a command starts, before it can say anything itself."""

from __future__ import annotations

import re
import sys
from types import TracebackType

_COMMAND = re.compile(r"\bspacy(\.exe)? thematic\b|-m spacy_thematic\b")


def shorten_interrupts() -> None:
    """If this process is one of the commands, end it on Ctrl-C with one line and status 130."""
    if _COMMAND.search(" ".join(sys.orig_argv)):
        sys.excepthook = _show


def _show(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("Interrupted", file=sys.stderr)
        raise SystemExit(130)
    sys.__excepthook__(kind, error, traceback)
