"""Collections that do not fit in memory: embedded, and clustered, partition by partition."""

from collections.abc import Iterable
from pathlib import Path

STORE = "_store.json"
"""The file that makes a folder a store of embedded sentences. Readers of folders of Parquet leave
out names that begin like this."""


def check_are_texts(paths: Iterable[Path]) -> None:
    """Raise ValueError if one of the paths is a store of embedded sentences."""
    for path in paths:
        if (path / STORE).is_file():
            raise ValueError(
                f"{path} holds sentences that are embedded already: find their themes with "
                '"python -m spacy thematic cluster-store".'
            )


def check_is_outside(out: Path, paths: Iterable[Path]) -> None:
    """Raise ValueError if a file or folder to write lies in one of the paths, which are read."""
    for path in paths:
        if out.resolve().is_relative_to(path.resolve()):
            raise ValueError(f"{out} lies in {path}, which is to be read: write to another folder.")
