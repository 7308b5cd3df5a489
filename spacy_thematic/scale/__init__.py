"""Collections that do not fit in memory: embedded, and clustered, partition by partition."""

from collections.abc import Iterable
from pathlib import Path


def check_is_outside(out: Path, paths: Iterable[Path]) -> None:
    """Raise ValueError if a file or folder to write lies in one of the paths, which are read."""
    for path in paths:
        if out.resolve().is_relative_to(path.resolve()):
            raise ValueError(f"{out} lies in {path}, which is to be read: write to another folder.")
