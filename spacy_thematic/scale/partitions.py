"""Cutting what a user names into partitions. Each is work for one process."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from spacy_thematic.articles.file_parts import FilePart, split_file
from spacy_thematic.articles.sources import ReadLog, SourceError, check_is_file
from spacy_thematic.files import readable
from spacy_thematic.pipeline.texts import SUFFIXES, iter_files


@dataclass
class Partition:
    """Files, and parts of files, that are worked on together.

    Attributes:
        number: From 0.
        parts: With absolute paths.
        names: Of the files of the parts, as the user named them.
        size: In bytes.
    """

    number: int
    parts: list[FilePart] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    size: int = 0


def plan_partitions(paths: Iterable[Path], size: int, log: ReadLog) -> list[Partition]:
    """Cut files and folders, whose files are sorted by name, into partitions.

    The plan depends on the files alone. Small files share a partition. Large ones are cut if they
    are uncompressed JSONL, between lines, or Parquet, between row groups; any other is in one
    partition, whatever its size. If the log skips what cannot be read,
    the reader is left to skip a file that cannot be cut.

    Raises:
        SourceError: If a path does not exist, a folder holds nothing to read, or a Parquet file is
            damaged.
    """
    partitions: list[Partition] = []
    for file in iter_files(paths, SUFFIXES, log):
        check_is_file(file, "files are read more than once")
        for part in _split(file, size, log.skip_bad):
            if not partitions or partitions[-1].size >= size:
                partitions.append(Partition(len(partitions)))
            last = partitions[-1]
            last.parts.append(replace(part, path=file.resolve()))
            last.names.append(readable(file))
            last.size += part.size
    return partitions


def _split(file: Path, size: int, skip_bad: bool) -> list[FilePart]:
    try:
        return list(split_file(file, size))
    except SourceError:
        if not skip_bad:
            raise
        return [FilePart(file, size=file.stat().st_size)]
