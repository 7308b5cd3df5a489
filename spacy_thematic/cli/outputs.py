"""What a command writes: checked before the work, so that it replaces nothing that is needed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryFile


def check_outputs(
    reads: Iterable[str | Path | None],
    *,
    files: Iterable[Path | None] = (),
    folders: Iterable[Path | None] = (),
) -> None:
    """Check that a command can write its outputs, that it reads none of them, and that no two are
    in one place. Links are followed; None, devices and pipes, and what is in object storage, are
    passed over.

    Args:
        reads: Files and folders that are read. What is no path, such as the name of a bundled
            model, is passed over.
        files: To write.
        folders: To replace, with all that is in them.

    Raises:
        ValueError: For an output that is in a wrong place or cannot be written. It names both.
    """
    local = [Path(path) for path in reads if path and isinstance(path, (str, Path))]
    sources = [path for path in local if path.exists()]
    new_folders = [folder for folder in folders if isinstance(folder, Path)]
    new_files = [file for file in files if file and (file.is_file() or not file.exists())]
    for file in filter(None, files):
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
