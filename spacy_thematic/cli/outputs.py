"""What a command writes: checked before the work, so that it replaces nothing that is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryFile

from spacy_thematic.files import locked, put_back


@contextmanager
def claim_outputs(
    reads: Iterable[str | Path | None],
    *,
    files: Iterable[Path | None] = (),
    folders: Iterable[Path | None] = (),
    updates: Iterable[Path | None] = (),
) -> Iterator[None]:
    """Check that a command can write its outputs, that it reads none of them, and that no two are
    in one place; and keep other commands from writing them, as `locked` does. Links are followed;
    None, devices and pipes, and what is in object storage, are passed over.

    Args:
        reads: Files and folders that are read. What is no path, such as the name of a bundled
            model, is passed over. A folder that a killed command was replacing is put back.
        files: To write. If one is standard output, messages go to standard error.
        folders: To replace, with all that is in them.
        updates: Folders to write into, which may be read too.

    Raises:
        ValueError: For an output that is in a wrong place or cannot be written. It names both.
        BlockingIOError: If another command is writing one of them.
    """
    local = [Path(path) for path in reads if path and isinstance(path, (str, Path))]
    local = [path for path in local if _can_be_read(path)]
    files, folders, updates = (
        [path for path in paths if isinstance(path, Path)] for paths in (files, folders, updates)
    )
    new_files = [file for file in files if file.is_file() or not file.exists()]
    for path in (*files, *folders, *updates):
        _check_has_no_tilde(path)
        if str(path) == "-":
            raise ValueError("- names no file: name one, or /dev/stdout for standard output.")
    with ExitStack() as held:
        if any(map(_is_standard_output, files)):
            # What is printed must not stand among what is written.
            held.enter_context(redirect_stdout(sys.stderr))
        for path in local:
            for place in (*reversed(path.parents), path):
                put_back(place)
        _check(local, files, new_files, folders)
        # In one order, or two commands could keep each other away.
        for path in sorted({path.resolve() for path in (*new_files, *folders, *updates)}):
            held.enter_context(locked(path))
        yield


def _is_standard_output(path: Path) -> bool:
    return path.exists() and not path.is_file() and path.samefile("/dev/stdout")


def _check_has_no_tilde(path: Path) -> None:
    try:
        meant = path.expanduser()
    except RuntimeError:  # There is no such user.
        return
    if meant != path:
        raise ValueError(
            f"{path} begins with ~, which a shell replaces only where it is not in quotes: write "
            f"{meant}, or {path.absolute()} if that is its name."
        )


def _can_be_read(path: Path) -> bool:
    """Whether a path may name something; it need not be there. Any text of a config is a path."""
    try:
        path.resolve().exists()
    except (OSError, ValueError):
        return False
    return True


def _check(
    reads: Iterable[Path], files: list[Path], new_files: list[Path], new_folders: list[Path]
) -> None:
    sources = [path for path in reads if path.exists()]
    for file in files:
        _check_is_writable(file)
    for file in new_files:
        for source in sources:
            if _is_same(file, source) or _holds(source, file):
                raise ValueError(
                    f"{file} is {_name(source, file)}, and would be overwritten: write to another "
                    "place."
                )
    for folder in new_folders:
        _check_folder_above(folder)
        for source in sources:
            if _is_same(source, folder) or _is_inside(source, folder):
                raise ValueError(
                    f"{folder} would be replaced, and {source} is read from there: name another "
                    "folder to write."
                )
    for first, second in combinations([*new_folders, *new_files], 2):
        if _is_same(first, second) or _is_inside(first, second) or _is_inside(second, first):
            raise ValueError(
                f"{first} and {second} would be written onto each other: name separate places."
            )


def _check_is_writable(file: Path) -> None:
    if file.is_dir():
        raise ValueError(f"{file} is a folder: give the name of a file.")
    _check_folder_above(file)
    file.resolve().parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and not os.access(file, os.W_OK):
        raise _not_writable(file)


def _check_folder_above(path: Path) -> None:
    """Check that a file or a folder can be made where `path` says."""
    above = path.resolve().parent
    there = next(parent for parent in (above, *above.parents) if parent.exists())
    if not there.is_dir():
        raise ValueError(f"{there} is a file: {path} cannot be in it. Name another place.")
    # To see whether it works is surer than to ask: file systems have rules of their own.
    try:
        with TemporaryFile(dir=there):
            pass
    except OSError as error:
        if not path.exists() or path.is_dir():
            raise _not_writable(path) from error


def _not_writable(path: Path) -> ValueError:
    return ValueError(f"{path} is not writable: choose another place, or change its permissions.")


def _name(source: Path, file: Path) -> str:
    return "read" if _is_same(source, file) else f"in {source}, which is read"


def _is_same(first: Path, second: Path) -> bool:
    """Whether two paths are one place, by links of either kind too."""
    if first.exists() and second.exists():
        return first.samefile(second)
    return first.resolve() == second.resolve()


def _holds(folder: Path, file: Path) -> bool:
    """Whether a file is there already, in a folder or by a link in it."""
    links = (path for path in folder.rglob("*") if path.is_symlink())
    return file.exists() and (
        _is_inside(file, folder) or any(_is_same(file, link) for link in links)
    )


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve()) and not _is_same(path, folder)
