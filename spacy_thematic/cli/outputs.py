"""What a command writes: checked before the work, so that it replaces nothing that is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import combinations, product
from pathlib import Path


@contextmanager
def claim_outputs(
    reads: Iterable[str | Path | None],
    *,
    files: Iterable[Path | None] = (),
    folders: Iterable[Path | None] = (),
    updates: Iterable[Path | None] = (),
) -> Iterator[None]:
    """Check that a command can write its outputs, that it reads none of them, and that no two are
    in one place. Links are followed; None, devices and pipes are passed over.

    Args:
        reads: Files and folders that are read. What is no path, such as the name of a bundled
            model, is passed over.
        files: To write. If one is standard output, messages go to standard error.
        folders: To replace, with all that is in them.
        updates: Folders to write into, which may be read too.

    Raises:
        ValueError: For an output that is in a wrong place or cannot be written. It names both.
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
