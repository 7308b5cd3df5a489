"""What the commands share: errors in one line, progress bars."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from click import ClickException
from tqdm import tqdm

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli.messages import msg
from spacy_thematic.progress import show_bar

_LONGEST = 2_000
"""Characters of a message: a damaged file may be quoted in one."""


@contextmanager
def clear_errors() -> Iterator[ExitStack]:
    """Print an error of the input as one message without a traceback, and exit with status 1; and
    each warning as one message, once. Yields a stack for what is held until the end."""
    shown: set[str] = set()

    def show_warning(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            msg.warn(str(message))

    try:
        with warnings.catch_warnings(), ExitStack() as held:
            warnings.showwarning = show_warning
            yield held
    except BrokenPipeError:  # Who read the output has enough of it: typer ends the command.
        raise
    except (ValueError, OSError, ImportError, ClickException) as error:
        text = error.format_message() if isinstance(error, ClickException) else str(error)
        if isinstance(error, OSError) and error.strerror and error.filename:
            text = f"{error.filename}: {error.strerror}"
        msg.fail(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...", exits=1)
    except MemoryError as error:
        msg.fail(f"There is not enough memory: {error}", exits=1)


def bytes_bar(log: ReadLog, description: str, limit: int = 0) -> tqdm:
    """Make a progress bar for reading a source: of compressed bytes, or with a limit of articles."""
    return show_bar(
        total=limit or log.total_bytes,
        desc=description,
        unit=" articles" if limit else "B",
        unit_scale=not limit,
        # Articles come in bursts: the mean rate since the start best predicts the time left.
        smoothing=0,
        miniters=0,
        mininterval=0.3,
    )


def update_bytes_bar(bar: tqdm, log: ReadLog, limit: int = 0) -> None:
    """Move a bar of `bytes_bar` to the position in its log."""
    if limit:
        bar.update(log.articles - bar.n)
        return
    bar.total = log.total_bytes
    bar.set_postfix_str(f"{log.articles:,} articles", refresh=False)
    bar.update(log.bytes_read - bar.n)


@contextmanager
def reading_bar(
    description: str = "Reading", *, skip_bad: bool = False
) -> Iterator[tuple[ReadLog, Callable[[], None]]]:
    """Show a progress bar while a source is read.

    Yields:
        The log to read the source with, and a function to call after each article.
    """
    log = ReadLog(skip_bad=skip_bad)
    with bytes_bar(log, description) as bar:
        yield log, lambda: update_bytes_bar(bar, log)


def restart_rate(bar: tqdm) -> None:
    """Measure the rate from here on, without what an earlier run has done."""
    bar.initial = bar.n
    bar.start_t = time.time()
