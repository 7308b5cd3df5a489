"""Decompressing .bz2 with several threads.

The blocks of a .bz2, of up to 900 kB of text each, do not depend on each other, but it says nowhere
where they begin, and they begin at any bit. They are found by the 48 bits that each begins with.
Python's decompressor, which lets other threads run, is given each block as a stream of its own.
"""

from __future__ import annotations

import bz2
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from spacy_thematic.engines.engine import run_in_order

_CHUNK = 1 << 18
_BLOCK = 0x314159265359  # what a block begins with
_END = 0x177245385090  # what the end of a stream begins with; its checksum follows
_MARK_BITS = 48
_CHECKSUM_BITS = 32
_HEADER_BITS = 32  # "BZh" and a digit
_HEADER = int.from_bytes(b"BZh", "big")
_LONGEST = 2_000_000  # bytes; no block is so long
_PIECE = 1 << 20
_MOST_THREADS = 8


class Bz2File:
    """The text of a .bz2 of one stream or several.

    Args:
        file: With `read1`.
    """

    def __init__(self, file: Any) -> None:
        self._texts = _iter_texts(file)
        self._text = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """At most `size` bytes; none at the end.

        Raises:
            OSError: Where the file is damaged, after what came before.
            EOFError: Where it is cut short, after what came before.
        """
        while not self._text:
            text = next(self._texts, None)
            if text is None:
                return b""
            self._text = memoryview(text)
        taken, self._text = self._text[:size], self._text[size:]
        return bytes(taken)


class _Bits(NamedTuple):
    """So many bits, as the digits of a number."""

    value: int
    n: int

    def __add__(self, other: _Bits) -> _Bits:  # type: ignore[override]
        return _Bits(self.value << other.n | other.value, self.n + other.n)

    def take(self, start: int, n: int) -> int:
        """The number that n bits are."""
        return self.value >> max(0, self.n - start - n) & ((1 << n) - 1)

    def to_bytes(self) -> bytes:
        n_bytes = -(-self.n // 8)
        return (self.value << (8 * n_bytes - self.n)).to_bytes(n_bytes, "big")


class _Block(NamedTuple):
    """What begins with a mark, its text if it is a whole block, and what is wrong with it."""

    bits: _Bits
    text: bytes = b""
    error: OSError | None = None


def _iter_texts(file: Any) -> Iterator[bytes]:
    """Yield the texts of blocks in their order."""
    n_threads = min(_MOST_THREADS, len(os.sched_getaffinity(0)))
    pieces = _iter_pieces(file)
    _check_header(next(pieces))
    checksum = 0
    held: _Bits | None = None
    last = _Bits(0, 0)
    with ThreadPoolExecutor(n_threads) as pool:
        blocks = run_in_order(lambda bits: pool.submit(_read_block, bits), pieces, 2 * n_threads)
        for block in blocks:
            if held is not None:
                # A mark stood in the middle of a block by chance.
                block = _read_block(held + block.bits)
            last, held = block.bits, None
            if last.take(0, _MARK_BITS) == _END:
                _check_end(last, checksum)
                checksum = 0
                continue
            if block.text:
                yield block.text
            elif block.error is None and last.n < 8 * _LONGEST:
                held = last
                continue
            if block.error is not None or not block.text:
                raise _damaged()
            own = last.take(_MARK_BITS, _CHECKSUM_BITS)
            checksum = own ^ (checksum << 1 & 0xFFFFFFFF | checksum >> 31)
    if last.take(0, _MARK_BITS) != _END:
        raise EOFError("the compressed stream has no end")


def _check_header(bits: _Bits) -> None:
    """Of a stream, before its first mark."""
    if bits.n < _HEADER_BITS or _HEADER_BITS < bits.n < _HEADER_BITS + _MARK_BITS:
        raise EOFError("the compressed stream has no end")
    if bits.n > _HEADER_BITS or bits.value >> 8 != _HEADER:
        raise _damaged()


def _check_end(bits: _Bits, checksum: int) -> None:
    """The end of a stream has the checksum of its blocks; the header of another may follow."""
    n_rest = bits.n - _MARK_BITS - _CHECKSUM_BITS
    if n_rest < 0:
        raise EOFError("the compressed stream has no end")
    rest = bits.take(bits.n - n_rest, n_rest)
    is_followed = _HEADER_BITS <= n_rest < _HEADER_BITS + 8 and rest >> 8 & 0xFFFFFF == _HEADER
    if bits.take(_MARK_BITS, _CHECKSUM_BITS) != checksum or (rest and not is_followed):
        raise _damaged()


def _damaged() -> OSError:
    return OSError("Invalid data stream")


def _read_block(bits: _Bits) -> _Block:
    if bits.take(0, _MARK_BITS) == _END:
        return _Block(bits)
    decompressor = bz2.BZ2Decompressor()
    texts = []
    data = b"BZh9" + bits.to_bytes()
    try:
        while text := decompressor.decompress(data, _PIECE):
            texts.append(text)
            data = b""
    except OSError as error:
        return _Block(bits, b"".join(texts), error)
    return _Block(bits, b"".join(texts))


def _iter_pieces(file: Any) -> Iterator[_Bits]:
    """Yield what is before the first mark, and then what begins with each."""
    data, start, searched = b"", 0, 0
    while chunk := file.read1(_CHUNK):
        data += chunk
        for place in _find_marks(data, searched):
            yield _cut(data, start, place)
            start = place
        searched = max(0, len(data) - 6)
        done = start // 8
        data, start, searched = data[done:], start - 8 * done, searched - done
        if len(data) > _LONGEST:
            break
    yield _cut(data, start, 8 * len(data))


def _cut(data: bytes, start: int, stop: int) -> _Bits:
    """The bits from one to before another."""
    first, last = start // 8, -(-stop // 8)
    value = int.from_bytes(data[first:last], "big") >> (8 * last - stop)
    return _Bits(value & ((1 << (stop - start)) - 1), stop - start)


def _find_marks(data: bytes, first: int) -> list[int]:
    """The bits at which marks begin, from a byte on."""
    places = []
    for mark in (_BLOCK, _END):
        for shift in range(8):
            # A mark lies in seven bytes, of which it fills the five in the middle.
            middle = (mark << (8 - shift)).to_bytes(7, "big")[1:6]
            found = data.find(middle, first + 1)
            while found >= 0:
                window = int.from_bytes(data[found - 1 : found + 6], "big")
                if len(data) >= found + 6 and window >> (8 - shift) & ((1 << 48) - 1) == mark:
                    places.append(8 * (found - 1) + shift)
                found = data.find(middle, found + 1)
    return sorted(places)
