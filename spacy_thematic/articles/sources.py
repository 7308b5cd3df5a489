"""What all readers share: opening a source, counting records, reporting problems."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, Literal

from spacy_thematic.articles.article import Article

MAX_PROBLEMS = 20
CHUNK = 1 << 16
"""Bytes that are read at once."""
MAX_LINE = 32 * 2**20
_SHOWN = 200
"""Characters of names in a message."""

_PASSED_OVER = {
    "other namespace": "in other namespaces",
    "redirect": "that redirect",
    "not wikitext": "not in wikitext",
    "no title or text": "without a title or text",
}
"""Reasons to skip a page that can be read."""


class SourceError(ValueError):
    """A source that cannot be used: what was found, what was expected, what to do."""


@dataclass
class ReadLog:
    """What happened while a source was read. A reader fills it in as it proceeds.

    Attributes:
        skip_bad: Whether what cannot be read is skipped, and counted. Otherwise it is an error.
        articles: Articles, or other texts, that were read.
        problems: Messages for people, the first `MAX_PROBLEMS` of them.
        unlisted: How many more there were of each source.
        alike: How many sources have a problem that is kept for the first of them.
        total_bytes: Size on disk of the source; None while unknown.
        bytes_read: Bytes consumed so far, before decompression, for a progress bar.
        truncated: Whether the source broke off, so that only its beginning was read.
        break_message: Where and why it broke off.
        bad_dates: Dates of texts that cannot be read, and so are passed over.
        bad_date: The first of them.
        empty: Rows, records and emails without a text.
        blank: Files without a text.
        left_out: Parts of texts that were skipped, such as tables, by kind.
        words_left_out: How many words they had, and other text that is no prose.
        words: Words of the texts whose length is known.
    """

    articles: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    unlisted: Counter[str] = field(default_factory=Counter)
    alike: dict[str, Counter[str]] = field(default_factory=dict)
    total_bytes: int | None = None
    bytes_read: int = 0
    truncated: bool = False
    break_message: str = ""
    bad_dates: int = 0
    bad_date: str = ""
    empty: int = 0
    blank: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    words_left_out: int = 0
    words: int = 0
    skip_bad: bool = False

    def leave_out(self, kinds: Mapping[str, int], n_words: int, n_kept: int) -> None:
        """Count what was left out of a text, how many words that had, and how many were kept."""
        self.left_out.update(kinds)
        self.words_left_out += n_words
        self.words += n_words + n_kept

    def describe_left_out(self) -> list[str]:
        """Say which records were passed over on purpose, and what was left out of the texts and
        how much that was: a line each, or none."""
        passed = {what: n for what, n in self.skipped.items() if what in _PASSED_OVER}
        numbers = ", ".join(
            f"{n:,} page{'s' * (n > 1)} {_PASSED_OVER[what]}" for what, n in passed.items()
        )
        lines = [f"Passed over, since they are no articles: {numbers}"] if passed else []
        if self.empty:
            lines.append(f"Rows, records and emails without a text: {self.empty:,}")
        if self.blank:
            more = f", and {len(self.blank) - 1:,} more" if len(self.blank) > 1 else ""
            lines.append(f"Without a text: the file {self.blank[0]}{more}")
        kinds = [f"{n:,} {kind}{'s' * (n > 1)}" for kind, n in sorted(self.left_out.items()) if n]
        if kinds or self.words_left_out:
            what = f"Left out of the texts: {', '.join(kinds) or 'what does not read like prose'}"
            share = self.words_left_out / max(self.words, 1)
            percent = "less than 1" if share < 0.01 else round(100 * share)
            lines.append(f"{what}: {percent} % of the words" if self.words_left_out else what)
        return lines

    def count_unread(self) -> int:
        """Count what could not be read."""
        return sum(n for reason, n in self.skipped.items() if reason not in _PASSED_OVER)

    def check_is_whole(self) -> None:
        """Raise SourceError if the source broke off, unless that is skipped."""
        if self.truncated and not self.skip_bad:
            raise SourceError(
                f"{self.break_message}. Download it again, or use what comes before it with "
                "--skip-bad"
            )

    def note(self, problem: str) -> None:
        """Keep a message, unless there are many already."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def note_of(self, source: Path, problem: str) -> None:
        """Keep a message about a source, unless another has the same: then only count it."""
        if problem not in self.alike:
            self.note(f"{source}: {problem}")
            self.alike[problem] = Counter()
        self.alike[problem][str(source)] += 1

    def skip(self, reason: str, problem: str | None = None, source: Path | None = None) -> None:
        """Count a skipped record, perhaps with a message and the file that it is of."""
        self.skipped[reason] += 1
        if problem is None:
            return
        if len(self.problems) == MAX_PROBLEMS:
            self.unlisted[str(source or reason)] += 1
        self.note(problem)

    def list_problems(self) -> list[str]:
        """The messages, and for each source how many more of it could not be read."""
        others = {
            f"{source}: {problem}": f"{source}, and {len(rest):,} more: {problem}"
            for problem, (source, *rest) in self.alike.items()
            if rest
        }
        more = (f"{source}: {n:,} more could not be read" for source, n in self.unlisted.items())
        return [*(others.get(problem, problem) for problem in self.problems), *more]


Lists = bool | Literal["code"]
"""Whether items of lists and quotations are paragraphs, where markup says which these are; "code":
code and tables, too, as Markdown."""
Reader = Callable[[Path, ReadLog, Lists], Iterator[Article]]
"""Yields the articles of a source one at a time and fills in the log."""


@contextmanager
def open_source(path: Path, log: ReadLog, *, is_head: bool = False) -> Iterator[io.BufferedReader]:
    """Open a file for streaming, decompressing .gz, .bz2 and .xz, recognised by their first bytes.
    UTF-16 that begins with a byte order mark is read as UTF-8.

    A pipe can be read once. With `is_head`, what is read of it is kept for whoever opens it next.

    A compressed stream that is cut short or damaged ends where it broke: what came before is read
    as usual, `log.truncated` is set and a problem says where. Raises SourceError if the file does
    not exist, or nothing at all can be read from it."""
    path = resolve_source(path)
    if path.is_dir():
        raise SourceError(f"{path} is a folder: expected a file. Give the path of a file inside it")
    with _open(path, log, is_head) as (magic, chunks):
        log.total_bytes = (log.total_bytes or 0) + path.stat().st_size
        _check_name(path, magic)
        if magic.startswith(b"PK\x03\x04") and not is_head:
            raise SourceError(
                f"{path} is a zip archive or a workbook (.xlsx, .ods): unpack the archive, or "
                "export the table as CSV"
            )
        stream = _buffer(_decompress(path, _buffer(chunks), magic, log))
        if stream.peek(len(_UTF16[0])).startswith(_UTF16):
            stream = _buffer(_recode(path, stream, log))
        yield stream


_begun: dict[tuple[int, int], tuple[Any, bytes]] = {}
"""Pipes whose head was read to find their format, and that head, by device and inode. A pipe cannot
be read twice, so whoever opens it next gets both."""


@contextmanager
def _open(path: Path, log: ReadLog, is_head: bool) -> Iterator[tuple[bytes, Iterator[bytes]]]:
    """Open a file: its first bytes, and all of them, which are counted in the log as they are
    read."""
    try:
        is_pipe = not path.is_file()
        key = (path.stat().st_dev, path.stat().st_ino)
        begun = _begun.pop(key, None) if is_pipe else None
        file, head = begun or (path.open("rb", buffering=0), b"")
    except OSError as error:
        raise SourceError(
            f"{path} cannot be opened: {error.strerror}. Check its permissions"
        ) from error
    is_kept = is_head and is_pipe
    seen: list[bytes] = []
    try:
        while len(head) < _LONGEST_MAGIC and (data := file.read(CHUNK)):
            head += data
        seen.append(head)

        def read() -> Iterator[bytes]:
            data = head
            while data:
                log.bytes_read += len(data)
                yield data
                data = file.read(CHUNK)
                seen.extend([data] if is_kept and data else [])

        yield head[:_LONGEST_MAGIC], read()
    finally:
        if is_kept and seen:
            _begun[key] = file, b"".join(seen)
        else:
            file.close()


class _Chunks(io.RawIOBase):
    """A stream of the bytes that an iterator yields."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = filter(None, chunks)
        self._next = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._next or next(self._chunks, b"")
        data, self._next = chunk[: len(buffer)], chunk[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _buffer(chunks: Iterator[bytes]) -> io.BufferedReader:
    return io.BufferedReader(_Chunks(chunks), CHUNK)


def resolve_source(path: Path) -> Path:
    """Return the path to read: `path` itself, or standard input for "-". Raises SourceError if
    nothing is there, or if it is a URL."""
    if isinstance(path, str):
        path = Path(path)
    if str(path) == "-" and not path.exists():
        path = Path("/dev/stdin")
    if not path.exists():
        # Path() has turned two slashes into one.
        if re.match(r"[a-z][a-z0-9+.-]+:/", str(path), re.IGNORECASE):
            raise SourceError(
                f"{path} is a URL, and URLs are not read. Download it, and give the file's path"
            )
        raise SourceError(f'There is no file or folder "{path}". Check the path')
    return path


def check_is_file(path: Path, reason: str) -> None:
    """Raise SourceError, with the reason why no pipe will do, if a path is one."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise SourceError(
            f"{path} is a pipe or a device, and {reason}: write its content to a file, and give "
            "that"
        )


def is_as_stored(path: Path) -> bool:
    """Whether `open_source` gives the bytes of a file as they are."""
    with path.open("rb") as file:
        head = file.read(_LONGEST_MAGIC)
    return not (_find_opener(head) or head.startswith(_UTF16))


class _Streams:
    """Decompresses the streams of a .bz2 or .xz one after the other.

    `bz2.BZ2File` and `lzma.LZMAFile` mistake a damaged second stream for the end of the file.
    """

    def __init__(self, make: Callable[[], Any], file: BinaryIO) -> None:
        self._make = make
        self._file: Any = file
        self._decompressor = make()

    def read1(self, size: int) -> bytes:
        while True:
            data = b""
            if self._decompressor.eof:
                data = self._decompressor.unused_data or self._file.read1(CHUNK)
                if not data.strip(b"\0"):
                    return b""
                self._decompressor = self._make()
            elif self._decompressor.needs_input:
                data = self._file.read1(CHUNK)
                if not data:
                    raise EOFError("the compressed stream has no end")
            if text := self._decompressor.decompress(data, size):
                return text


COMPRESSIONS: dict[str, tuple[bytes, Callable[[BinaryIO], Any]]] = {
    ".bz2": (b"BZh", partial(_Streams, bz2.BZ2Decompressor)),
    ".gz": (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    ".xz": (b"\xfd7zXZ\x00", partial(_Streams, lzma.LZMADecompressor)),
}
"""The first bytes of compressed files, and what reads them, by how their names end."""
_LONGEST_MAGIC = max(len(magic) for magic, _ in COMPRESSIONS.values())
_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError)


def _find_opener(magic: bytes) -> Callable[[BinaryIO], Any] | None:
    """What decompresses a file that begins with these bytes, if it is compressed."""
    found = (opener for start, opener in COMPRESSIONS.values() if magic.startswith(start))
    return next(found, None)


def _check_name(path: Path, magic: bytes) -> None:
    suffix = path.suffix.lower()
    if suffix in COMPRESSIONS and magic and not _find_opener(magic):
        raise SourceError(
            f"{path} is named {suffix} but is not compressed: it starts with {magic!r}. "
            "Download it again, or rename it if it is plain text"
        )


_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _recode(path: Path, stream: io.BufferedReader, log: ReadLog) -> Iterator[bytes]:
    """Yield UTF-8 of what a stream has in UTF-16."""
    decoder = codecs.getincrementaldecoder("utf-16")()
    data = b" "
    while data:
        data = stream.read1(CHUNK)
        try:
            yield decoder.decode(data, final=not data and not log.truncated).encode()
        except UnicodeError as error:
            raise SourceError(
                f"{path} is no text: not UTF-8, and not UTF-16, as its first bytes say. Convert it "
                "to UTF-8, or skip it with --skip-bad"
            ) from error


def _decompress(
    path: Path, content: io.BufferedReader, magic: bytes, log: ReadLog
) -> Iterator[bytes]:
    """Decompress, and end quietly where a compressed stream breaks."""
    opener = _find_opener(magic)
    file: Any = opener(content) if opener else content
    position = 0
    try:
        # Not read: a longer read would lose what it has when the stream breaks.
        while data := file.read1(CHUNK):
            position += len(data)
            yield data
    except _DAMAGE as error:
        if position == 0:
            raise SourceError(
                f"Nothing can be read from {path}: {error}. Download it again"
            ) from error
        log.truncated = True
        log.break_message = (
            f"{path} breaks off after {log.bytes_read:,} bytes on disk ({position:,} "
            f"decompressed): {error}"
        )
        log.note(f"{log.break_message}. What came before was read")


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
        raise SourceError(f"{message}. Repair it, or skip unusable records with --skip-bad")
    log.skip("bad record", message, path)


def list_names(names: Sequence[str]) -> str:
    """The names of columns or fields for a message, or the first of them and how many more."""
    ends = [*accumulate(len(name) + 2 for name in names)]
    n_shown = max(1, bisect_right(ends, _SHOWN))
    shown = [name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…" for name in names[:n_shown]]
    if n_shown < len(names):
        shown.append(f"and {len(names) - n_shown:,} more")
    return ", ".join(shown) or "none"
