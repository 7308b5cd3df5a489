"""Writing files and folders completely or not at all, and reading files of numbers in pieces."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from glob import escape
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import numpy as np
import srsly
from filelock import FileLock, Timeout

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONG_NAME = 100  # bytes
_WAIT = 0.2  # seconds: a lock that is just given up is taken at the second attempt
_UNFINISHED = f"{'[0-9a-f]' * 8}.tmp"
_LEFTOVERS = (f".*.{_UNFINISHED}", ".*.lock", ".lock")
_OF_NOBODY = (*_LEFTOVERS, ".DS_Store")  # which macOS writes where someone looks
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

    Links are followed. Devices and pipes are written to directly. The last of several writers wins:
    to keep others away, hold the file with `locked`.
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


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other commands from writing a file or folder, and first repair what one that was killed
    left: a folder that it was replacing is put back, and what it did not complete is removed.

    The lock is the file `.NAME.lock` beside `path`, or `.lock` in a folder beside which no file can
    be made. The system gives it up when the process ends, even by a kill; the file is removed in
    the end, or by the next command. This thread may lock a path again. There is no lock for devices
    and pipes, in object storage, and where the file system has none. Raises BlockingIOError if
    another command holds it."""
    if not isinstance(path, Path) or not (path.is_file() or path.is_dir() or not path.exists()):
        yield
        return
    path = path.resolve()
    is_new = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = _take_lock(path)
    try:
        if lock is not None and lock.lock_counter == 1:
            _repair(path)
        yield
    finally:
        if lock is not None:
            if lock.lock_counter == 1:
                # While it is held: who has opened the file sees then that it is gone.
                with suppress(OSError):
                    Path(lock.lock_file).unlink()
            lock.release()
        if is_new:
            with suppress(OSError):  # There is something in it.
                path.parent.rmdir()


def _take_lock(path: Path) -> FileLock | None:
    for place in (hidden_beside(path, "lock"), path / ".lock"):
        # Any user may open the file, or that of a killed command would keep others away.
        lock = FileLock(place, timeout=_WAIT, mode=0o666, is_singleton=True)
        try:
            lock.acquire()
        except Timeout as error:
            raise BlockingIOError(
                f"{path} is being written by another command: wait until that has ended, or name "
                "another place."
            ) from error
        except OSError:
            continue
        return lock
    return None


def _repair(path: Path) -> None:
    former = hidden_beside(path, "former")
    if former.is_dir():
        if path.exists():
            remove_at_once(former, path)
        else:
            former.replace(path)
    mine = hidden_beside(path, "").name
    for found in [*path.parent.glob(escape(mine) + _UNFINISHED)]:
        _remove(found)
    if path.is_dir():
        remove_unfinished(path)


def remove_unfinished(folder: Path) -> None:
    """Remove the files in a folder that a process was writing when it was killed. Object storage
    has none."""
    for found in [*folder.glob(f".*.{_UNFINISHED}")] if isinstance(folder, Path) else ():
        # What has a lock is another command's, which writes into this folder.
        if not found.with_name(f"{found.name[:-13]}.lock").exists():
            _remove(found)


def put_back(path: Path) -> None:
    """Put back a folder to be read, if a command that was killed was just replacing it. Raises
    BlockingIOError if a command is replacing it."""
    if not path.exists() and hidden_beside(path.resolve(), "former").is_dir():
        with locked(path):
            pass


def readable(path: object) -> str:
    """Return a path as text that can be written as UTF-8. Names of files need not be: bytes that
    are not become the replacement character."""
    return str(path).encode("utf8", "surrogateescape").decode("utf8", "replace")


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
    """Write a folder. On failure, an earlier folder stays as it was. It is held as by `locked`.

    Args:
        fill: Called with a new, empty folder, writes its content.
        marker: A file that every such folder has; "meta.json" in a pipeline.

    Raises:
        FileExistsError: If anything else is at `path`.
        BlockingIOError: If another command is writing it.
    """
    path = path.resolve()
    temporary = _unfinished(path)
    with locked(path):
        check_is_replaceable(path, marker, kind, own)
        try:
            temporary.mkdir()
            with _named(path):
                fill(temporary)
            replace_folder(temporary, path)
        finally:
            _remove(temporary)


def check_is_replaceable(path: Path, marker: str, kind: str, own: Sequence[str] = ("*",)) -> None:
    """Raise FileExistsError unless `path` is free, an empty folder, or one with the file `marker`
    and nothing that is not its own.

    Args:
        marker: A file that every such folder has.
        own: Patterns of the names of all that such a folder may hold; of a pipeline it says itself
            what these are. What a command that was killed left does not count.
    """
    if not path.exists():
        return
    names = sorted(child.name for child in path.iterdir()) if path.is_dir() else []
    names = [name for name in names if not any(fnmatch(name, one) for one in _OF_NOBODY)]
    if not path.is_dir() or (names and not (path / marker).is_file()):
        found = "a folder with other things in it" if path.is_dir() else "a file"
        raise FileExistsError(f"{path} is {found}, and {kind} would replace it: name a new folder.")
    if marker == _PIPELINE:
        own = (*_OF_PIPELINES, *_list_components(path / marker))
    others = [name for name in names if not any(fnmatch(name, one) for one in own)]
    if others:
        more = f" and {len(others) - 1} more" if others[1:] else ""
        raise FileExistsError(
            f"{path} holds {others[0]}{more} beside {kind}, and would be replaced as a whole: name "
            "a new folder, or move that away."
        )


def _list_components(path: Path) -> list[str]:
    """Patterns of the names of a saved pipeline's components, as its meta.json lists them."""
    try:
        names = srsly.read_json(path)["components"]
    except (ValueError, TypeError, KeyError):
        return []
    return [pattern for name in names for pattern in (escape(name), f"{escape(name)}.*")]


def replace_folder(new: Path, path: Path) -> None:
    """Rename a folder to `path`, and remove the one that was there. Object storage has no folders
    to rename: there its files are moved one by one.

    A kill between two renames leaves the former folder hidden beside `path`, where `locked` and
    `put_back` find it.
    """
    if not isinstance(path, Path):
        _remove(path)
        for file in [file for file in new.rglob("*") if file.is_file()]:
            file.replace(path / file.relative_to(new))
        _remove(new)
        return
    former = hidden_beside(path, "former")
    with locked(path):
        if path.exists():
            path.replace(former)
        try:
            new.replace(path)
        except OSError:
            if former.exists():
                former.replace(path)
            raise
        if former.exists():
            remove_at_once(former, path)


def resume_folder(path: Path, made_from: dict[str, Any]) -> None:
    """Keep unfinished work in a folder if it was made from the same, which is kept as MADE_FROM, or
    remove it; then go on there, in a new folder if need be."""
    key, text = path / MADE_FROM, srsly.json_dumps(made_from)
    if not key.is_file() or key.read_text() != text:
        _remove(path)
        write_bytes(key, text.encode())
        return
    for pattern in _LEFTOVERS:
        for found in [*path.rglob(pattern)]:
            _remove(found)


def _remove(path: Path) -> None:
    """Remove a file or a folder, in object storage too, if it is there."""
    if not isinstance(path, Path):
        if path.exists():
            path.rmtree()
    elif path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def remove_at_once(folder: Path, path: Path | None = None) -> None:
    """Remove a folder so that a kill leaves no half of it in its place, but what is removed with
    what is not complete of `path`, which is the folder itself by default."""
    _remove(folder.replace(_unfinished(path or folder)))


class FlatFile:
    """Numbers of one type in a file, read piece by piece: memory maps count as used memory."""

    def __init__(self, path: Path, dtype: str):
        self._file = path.open("rb")
        self.dtype = np.dtype(dtype)
        self.size = path.stat().st_size // self.dtype.itemsize

    def read(self, start: int, stop: int) -> np.ndarray:
        """The numbers from `start` to before `stop`."""
        size = self.dtype.itemsize
        data = os.pread(self._file.fileno(), (stop - start) * size, start * size)
        return np.frombuffer(data, self.dtype)

    def read_all(self) -> np.ndarray:
        """All of them."""
        return np.fromfile(self._file.name, self.dtype)
