"""What the commands share: options, messages, errors in one line, progress bars, and a check of what
they write before the work, so that it replaces nothing that is needed."""

from __future__ import annotations

import os
import sys
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout
from itertools import combinations, product
from pathlib import Path
from typing import Any

import typer
from click import ClickException
from tqdm import tqdm
from wasabi import Printer

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.progress import show_bar

MODEL = typer.Option(
    "en_thematic_sm", "--model", "-m", help="Pipeline with thematic_embedder, or a bundled model"
)
SEED = typer.Option(0, "--seed", help="Random seed", min=0)
SKIP_BAD = typer.Option(
    False,
    "--skip-bad",
    help="Skip unreadable folders, files, lines and records, and list them, instead of stopping",
)
TEXT_COLUMN = typer.Option(
    "text",
    "--text-column",
    help="Column or field of CSV, Parquet and JSON that holds the texts",
    rich_help_panel="Input",
)
ID_COLUMN = typer.Option(
    "title",
    "--id-column",
    help="Column or field that holds the names of the texts",
    rich_help_panel="Input",
)
DATE_COLUMN = typer.Option(
    "date",
    "--date-column",
    help="Column, field or line of front matter that holds the dates of the texts",
    rich_help_panel="Input",
)
PROCESSES = typer.Option(0, "--processes", help="Number of processes; 0 uses all cores", min=0)
ENGINE = typer.Option(
    "local", "--engine", help="Run in processes on this machine (local), or on Ray"
)
ADDRESS = typer.Option(
    "local",
    "--address",
    help='With --engine ray, the address of the Ray cluster. "auto" finds the cluster that this machine belongs to; "local" starts a new cluster on this machine',
)
GPU = typer.Option(-1, "--gpu-id", "-g", help="GPU ID, or -1 for the CPU", min=-1)

_LONGEST = 2_000
"""Characters of a message: a damaged file may be quoted in one."""


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
        title, text = (
            "\n".join(map(without_controls, str(part).split("\n"))) for part in (title, text)
        )
        return super().text(title, text, *args, **options)

    def table(self, data: Any, **options: Any) -> Any:
        rows = [[without_controls(str(cell)) for cell in row] for row in data]
        return super().table(rows, **options)


def count(number: int, noun: str) -> str:
    """A number and what is counted, "1 text" or "2,000 texts"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def without_controls(text: str) -> str:
    """Replace each control character by a space, so that the text cannot command a terminal."""
    return "".join(
        character if unicodedata.category(character)[0] != "C" else " " for character in text
    )


msg = _Messages()


def say_what_is_missing(log: ReadLog) -> None:
    """Say what of the input could not be read, and what was left out of the texts."""
    for problem in log.list_problems():
        msg.warn(problem)
    for line in log.describe_left_out():
        msg.info(line)


def show_dropped(log: ReadLog, counts: Mapping[str, int], min_sections: int) -> None:
    """Print what was left out of the documents that were read, and which option would keep it."""
    from spacy_thematic.triplets.reasons import describe_dropped

    say_what_is_missing(log)
    for line in describe_dropped(counts, min_sections):
        msg.text(line)


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
    """Show a progress bar while a source is read. Yields the log to read it with, and a function to
    call after each article."""
    log = ReadLog(skip_bad=skip_bad)
    with bytes_bar(log, description) as bar:
        yield log, lambda: update_bytes_bar(bar, log)


def restart_rate(bar: tqdm) -> None:
    """Measure the rate from here on, without what an earlier run has done."""
    bar.initial = bar.n
    bar.start_t = time.time()


@contextmanager
def claim_outputs(
    reads: Iterable[str | Path | None],
    *,
    files: Iterable[Path | None] = (),
    folders: Iterable[Path | None] = (),
    updates: Iterable[Path | None] = (),
) -> Iterator[None]:
    """Check that a command can write its outputs, that it reads none of them, and that no two are
    in one place. Links are followed; None, devices, pipes and what is no path are passed over.
    Raises ValueError for an output that is in a wrong place or cannot be written.

    Args:
        files: To write. If one is standard output, messages go to standard error.
        folders: To replace, with all that is in them.
        updates: Folders to write into, which may be read too.
    """
    sources = [Path(path) for path in reads if path and _is_there(Path(path))]
    files, folders, updates = ([*filter(None, paths)] for paths in (files, folders, updates))
    for file in files:
        if file.is_dir():
            raise ValueError(f"{file} is a folder: give the name of a file.")
    for path in (*files, *folders, *updates):
        _check_is_writable(path)
    new_files = [file for file in files if file.is_file() or not file.exists()]
    _check_apart(sources, new_files, folders)
    if any(map(_is_standard_output, files)):
        with redirect_stdout(sys.stderr):  # What is printed must not stand among what is written.
            yield
    else:
        yield


def check_ending(file: Path | None, *endings: str) -> None:
    """Raise ValueError if the name of a file to write has another ending than those that say what
    it holds. Devices and pipes may have any name."""
    if file is None or (file.exists() and not file.is_file()):
        return
    if file.suffix and not file.name.lower().endswith(endings):
        raise ValueError(f"{file}: expected a name that ends in {' or '.join(endings)}.")


def _is_there(path: Path) -> bool:
    """Whether there is something at a path, which may be any text of a config."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_standard_output(path: Path) -> bool:
    return path.exists() and not path.is_file() and path.samefile("/dev/stdout")


def _check_is_writable(path: Path) -> None:
    if str(path) == "-":
        raise ValueError("- names no file: name one, or /dev/stdout for standard output.")
    whole = path.resolve()
    above = next(parent for parent in (*whole.parents, whole) if parent.exists())
    if not above.is_dir():
        raise ValueError(f"{above} is a file: {path} cannot be in it. Name another place.")
    if not os.access(path if path.exists() else above, os.W_OK):
        raise ValueError(
            f"{path} is not writable: choose another place, or change its permissions."
        )


def _check_apart(sources: list[Path], new_files: list[Path], new_folders: list[Path]) -> None:
    for file, source in product(new_files, sources):
        if _is_same(file, source) or (file.exists() and _is_in(file, source)):
            where = "read" if _is_same(source, file) else f"in {source}, which is read"
            raise ValueError(
                f"{file} is {where}, and would be overwritten: write to another place."
            )
    for folder, source in product(new_folders, sources):
        if _is_in(source, folder):
            raise ValueError(
                f"{folder} would be replaced, and {source} is read from there: name another "
                "folder to write."
            )
    for first, second in combinations([*new_folders, *new_files], 2):
        if _is_in(first, second) or _is_in(second, first):
            raise ValueError(
                f"{first} and {second} would be written onto each other: name separate places."
            )


def _is_same(first: Path, second: Path) -> bool:
    """Whether two paths are one place, by links of either kind too."""
    if first.exists() and second.exists():
        return first.samefile(second)
    return first.resolve() == second.resolve()


def _is_in(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve()) or _is_same(path, folder)
