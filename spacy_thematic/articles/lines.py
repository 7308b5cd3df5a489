"""Reading line by line, with a bound on the length of a line."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path

from spacy_thematic.articles.sources import ReadLog, SourceError, open_source

MAX_LINE = 32 * 2**20
ADVICE = "Repair it, or skip unusable records with --skip-bad"


def read_lines(path: Path, log: ReadLog) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line) for the lines that are not blank.

    A line longer than `MAX_LINE` bytes is cut to `MAX_LINE` + 1 bytes, so memory stays bounded
    whatever the file holds. A last line that a broken stream cut off is left out. Raises
    SourceError if the file is empty."""
    with open_source(path, log) as stream:
        found = False
        number = 0
        for number, line in enumerate(bounded_lines(stream), start=1):
            if log.truncated and not line.endswith(b"\n"):
                break
            if line.strip():
                found = True
                yield number, line
        if not found and not log.truncated:
            raise SourceError(f"{path} is empty: expected at least one record. Check the file")


def bounded_lines(stream: io.BufferedReader) -> Iterator[bytes]:
    """Yield lines, the first without a byte order mark, with overlong ones cut to `MAX_LINE` + 1
    bytes."""
    mark = codecs.BOM_UTF8
    while line := stream.readline(MAX_LINE + 1):
        end = line
        while len(end) > MAX_LINE and not end.endswith(b"\n"):
            end = stream.readline(MAX_LINE + 1)
        yield line.removeprefix(mark)
        mark = b""


def bad_record(path: Path, where: str, found: str, log: ReadLog) -> None:
    """Count an unusable record or, unless the log skips these, raise SourceError."""
    message = f"{path}, {where}: {found}"
    if not log.skip_bad:
        raise SourceError(f"{message}. {ADVICE}")
    log.skip("bad record", message, path)
