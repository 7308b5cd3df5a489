"""Ctrl-C while a command starts, before it can say anything itself."""

import os
import re
import signal
import sys

_COMMAND = re.compile(r"\bspacy(\.exe)? thematic\b|-m spacy_thematic\b")


def end_on_interrupt() -> None:
    """If this process is one of the commands, let Ctrl-C end it with one line and status 130 until
    `raise_on_interrupt`. An exception would not do: while numpy and torch are imported, they make
    other errors of it, or abort."""
    ours = _COMMAND.search(" ".join(sys.orig_argv))
    if ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_on_interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os.write(2, b"Interrupted\n")
    os._exit(130)
