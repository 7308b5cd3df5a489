"""What the commands share: errors as one clear line, progress bars."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Callable

from click import ClickException
from tqdm import tqdm
from wasabi import msg

from spacy_thematic.articles.sources import ReadLog


@contextmanager
def clear_errors() -> Iterator[None]:
    """Print errors of bad input as one message and end with status 1, without a traceback."""
    try:
        yield
    except (ValueError, OSError, ImportError, ClickException) as error:
        text = error.format_message() if isinstance(error, ClickException) else str(error)
        if isinstance(error, OSError) and error.strerror and error.filename:
            text = f"{error.filename}: {error.strerror}"
        msg.fail(text, exits=1)
    except KeyboardInterrupt:
        msg.fail("Interrupted; what was there before stands")
        raise SystemExit(130) from None


def check_output_file(path: Path) -> None:
    """Raise an error now if a file cannot be written at the end of a long command."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name the file to write.")
    folder = path.resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"{path} cannot be written: choose another place, or change its rights.")


def bytes_bar(log: ReadLog, description: str, limit: int = 0) -> tqdm:
    """A progress bar over the compressed bytes of a source or, with a limit, over so many articles;
    silent where stderr is no terminal."""
    columns, lines = _measure_terminal()
    return tqdm(
        total=limit or log.total_bytes,
        desc=description,
        unit=" articles" if limit else "B",
        unit_scale=not limit,
        disable=None,
        ncols=columns,
        nrows=lines,
        leave=False,
        # Articles come in bursts: the mean rate since the start foretells the time left best.
        smoothing=0,
        miniters=0,
        mininterval=0.3,
    )


def _measure_terminal() -> tuple[int, int]:
    """The columns and lines of the terminal; 80 and 24 where it says that it has none, as under
    `script` or in a container, for tqdm then prints nothing."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns or 80, size.lines or 24


def update_bytes_bar(bar: tqdm, log: ReadLog, limit: int = 0) -> None:
    """Move the bar to where the reader stands."""
    if limit:
        bar.update(log.articles - bar.n)
        return
    bar.total = log.total_bytes
    bar.set_postfix_str(f"{log.articles:,} articles", refresh=False)
    bar.update(log.bytes_read - bar.n)


@contextmanager
def reading_bar(description: str = "Reading") -> Iterator[tuple[ReadLog, Callable[[], None]]]:
    """A log to read a source with, and what to call after each article to move its bar."""
    log = ReadLog()
    with bytes_bar(log, description) as bar:
        yield log, lambda: update_bytes_bar(bar, log)


def restart_rate(bar: tqdm) -> None:
    """Count rate and time left from here on, past what an earlier run has done."""
    bar.initial = bar.n
    bar.start_t = time.time()
