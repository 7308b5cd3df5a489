"""The rows of an object array in a .npy file, read without unpickling it."""

from __future__ import annotations

import pickletools
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

# What else is a string in a pickled array of float32 arrays: names of types and byte orders.
_TYPES = {"b", "O8", "|", "f4", "<"}


def iter_pickled_rows(file: BinaryIO, width: int) -> Iterator[np.ndarray]:
    """The rows of an object array of float32 arrays as numpy has pickled it under Python 2.

    Unpickling runs what a pickle says. Here its opcodes are only looked at, one after the other,
    and those that hold the bytes of a row are taken, so that a file can do no harm, and one row is
    in memory at a time.

    Args:
        file: after the header of the .npy format.
        width: of a row.

    Raises:
        ValueError: If a row has another width or type, or the pickle is cut off.
    """
    n_bytes = width * np.dtype("<f4").itemsize
    for opcode, value, _ in pickletools.genops(file):
        if opcode.name not in ("BINSTRING", "SHORT_BINSTRING") or value in _TYPES:
            continue
        if len(value) != n_bytes:
            raise ValueError(
                f"expected rows of {width} float32, {n_bytes} bytes, found a string of "
                f"{len(value)} bytes, {value[:8]!r}"
            )
        yield np.frombuffer(value.encode("latin1"), "<f4")
