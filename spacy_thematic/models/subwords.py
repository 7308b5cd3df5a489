"""Rows for words that are not in a table, by hashes of their parts."""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

FEATURES = 4


def hash_subwords(words: Sequence[str], n_rows: int) -> np.ndarray:
    """The rows of words in a table of hashed parts: the whole word has one of the first quarter of
    the rows, its first four letters, its first six and its last four have others.

    The hash is CRC-32 of the UTF-8 bytes, so that it is the same on every machine.

    Args:
        words: lower-case forms.
        n_rows: of the table, at least 1.

    Returns:
        Row numbers, int32 (words, 4).
    """
    if n_rows == 1:
        return np.zeros((len(words), FEATURES), dtype="int32")
    whole = n_rows // 4
    rows = [
        (
            crc32(b"w" + word.encode("utf8", "replace")) % max(whole, 1),
            whole + crc32(b"p" + word[:4].encode("utf8", "replace")) % (n_rows - whole),
            whole + crc32(b"q" + word[:6].encode("utf8", "replace")) % (n_rows - whole),
            whole + crc32(b"s" + word[-4:].encode("utf8", "replace")) % (n_rows - whole),
        )
        for word in words
    ]
    return np.asarray(rows, dtype="int32").reshape(-1, FEATURES)
