"""Writing files and folders completely or not at all."""

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from glob import escape
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import srsly

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONG_NAME = 100  # bytes
_LEFTOVER = f".*.{'[0-9a-f]' * 8}.tmp"
_OF_NOBODY = (_LEFTOVER, ".DS_Store")  # which macOS writes where someone looks
_PIPELINE = "meta.json"
_OF_PIPELINES = (_PIPELINE, "config.cfg", "tokenizer", "vocab")
MADE_FROM = "made_from.json"
"""Beside unfinished work: what decides its content."""


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file where the disk is full: such errors do not."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL or error.filename:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, which takes its place when all is written. On failure, an earlier file
    stays as it was.

    Links are followed. Devices and pipes are written to directly. The last of several writers wins.
    """
    if path.exists() and not path.is_file():
        with _named(path), path.open("wb") as device:
            yield device
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _unfinished(path)
    try:
        with _named(path):
            with temporary.open("wb") as file:
                yield file
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def hidden_beside(path: Path, ending: str) -> Path:
    """A hidden place beside a file or folder, `.NAME.ending`. Of a name that is long it has a
    digest, for the length of names is limited."""
    name = path.name
    if len(os.fsencode(name)) > _LONG_NAME:
        name = blake2b(os.fsencode(name), digest_size=16).hexdigest()
    return path.with_name(f".{name}.{ending}")


def _unfinished(path: Path) -> Path:
    """A place beside `path`, of this writer alone, for what is not complete."""
    return hidden_beside(path, f"{token_hex(4)}.tmp")


def remove_unfinished(folder: Path) -> None:
    """Remove the files below a folder that a process was writing when it was killed."""
    for found in [*folder.rglob(_LEFTOVER)]:
        _remove(found)


def readable(path: object) -> str:
    """Return a path as text that can be written as UTF-8. Names of files need not be: bytes that
    are not become the replacement character. Standard input is "-"."""
    name = "-" if str(path) == "/dev/stdin" else str(path)
    return name.encode("utf8", "surrogateescape").decode("utf8", "replace")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, as `open_whole` does."""
    with open_whole(path) as file:
        file.write(data)


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    write_bytes(path, (srsly.json_dumps(value, indent=2) + "\n").encode())


def write_folder(
    path: Path,
    fill: Callable[[Path], None],
    marker: str = _PIPELINE,
    kind: str = "a pipeline",
    own: Sequence[str] = ("*",),
) -> None:
    """Write a folder: `fill` is called with a new, empty one, and writes its content. On failure,
    an earlier folder stays as it was. Raises FileExistsError as `check_is_replaceable` does."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _unfinished(path)
    check_is_replaceable(path, marker, kind, own)
    try:
        temporary.mkdir()
        with _named(path):
            fill(temporary)
        replace_folder(temporary, path)
    finally:
        _remove(temporary)


def check_is_replaceable(path: Path, marker: str, kind: str, own: Sequence[str] = ("*",)) -> None:
    """Raise FileExistsError unless `path` is free, an empty folder, or one with the file `marker`,
    which every such folder has, and nothing that is not its own. own: patterns of the names of all
    that such a folder may hold; of a pipeline it says itself what these are. What a command that
    was killed left does not count."""
    if not path.exists():
        return
    names = sorted(child.name for child in path.iterdir()) if path.is_dir() else []
    names = [name for name in names if not any(fnmatch(name, one) for one in _OF_NOBODY)]
    if not path.is_dir() or (names and not (path / marker).is_file()):
        found = "a folder with other things in it" if path.is_dir() else "a file"
        raise FileExistsError(f"{path} is {found}, and {kind} would replace it: name a new folder.")
    if marker == _PIPELINE:
        own = _OF_PIPELINES
        with suppress(ValueError, TypeError, KeyError):
            components = map(escape, srsly.read_json(path / marker)["components"])
            own = (*own, *(one for name in components for one in (name, f"{name}.*")))
    if others := [name for name in names if not any(fnmatch(name, one) for one in own)]:
        more = f" and {len(others) - 1} more" if others[1:] else ""
        raise FileExistsError(
            f"{path} holds {others[0]}{more} beside {kind}, and would be replaced as a whole: name "
            "a new folder, or move that away."
        )


def check_is_outside(out: Path, paths: Iterable[Path]) -> None:
    """Raise ValueError if a file or folder to write lies in one of the paths, which are read."""
    for path in paths:
        if out.resolve().is_relative_to(path.resolve()):
            raise ValueError(f"{out} lies in {path}, which is to be read: write to another folder.")


def replace_folder(new: Path, path: Path) -> None:
    """Rename a folder to `path`, and remove the one that was there. If it is killed between two
    renames, the former folder is hidden beside `path`, `.NAME.former`."""
    former = hidden_beside(path, "former")
    _remove(former)
    if path.exists():
        path.replace(former)
    try:
        new.replace(path)
    except OSError:
        if former.exists():
            former.replace(path)
        raise
    _remove(former)


def resume_folder(path: Path, made_from: dict[str, Any]) -> None:
    """Keep unfinished work in a folder if it was made from the same, which is kept as MADE_FROM, or
    remove it; then go on there, in a new folder if need be."""
    key, text = path / MADE_FROM, srsly.json_dumps(made_from)
    if not key.is_file() or key.read_text() != text:
        _remove(path)
        write_bytes(key, text.encode())
    remove_unfinished(path)


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
