"""Writing files and folders whole or not at all: to a temporary name beside them, then renamed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import srsly


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; a former one survives any failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    write_bytes(path, (srsly.json_dumps(value, indent=2) + "\n").encode())


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Write a folder by calling `fill` with a new, empty one; a former one survives any failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir()
        fill(temporary)
        replace_folder(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def replace_folder(new: Path, path: Path) -> None:
    """Put a folder in the place of another, or of none."""
    former = path.with_name(f".{path.name}.former")
    shutil.rmtree(former, ignore_errors=True)
    if path.exists():
        path.replace(former)
    new.replace(path)
    shutil.rmtree(former, ignore_errors=True)
