"""A set of hashes in little memory."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

from spacy_thematic.articles.article import normalize_title

_RECENT = 1 << 18


def hash_title(title: str) -> int:
    """The hash of an article's title, the same for each spelling of it."""
    return hash_text(f"title {normalize_title(title)}")


def hash_sentence(text: str) -> int:
    """The hash of the letters and digits of a sentence, without case: white space and punctuation
    differ between releases of the same text."""
    return hash_text(f"sentence {''.join(filter(str.isalnum, text)).casefold()}")


def hash_text(text: str) -> int:
    """A hash from 0 to 2^64 - 1."""
    return int.from_bytes(blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big")


def hash_sentences(texts: Iterable[str]) -> np.ndarray:
    """The hashes of sentences, each once, sorted: uint64 (distinct sentences)."""
    return np.unique(np.fromiter(map(hash_sentence, texts), "uint64"))


def has_any(known: np.ndarray, texts: Iterable[str]) -> bool:
    """Whether one of some sentences is among those of `hash_sentences`."""
    hashes = hash_sentences(texts)
    places = np.minimum(known.searchsorted(hashes), len(known) - 1)
    return bool(len(known) and (known[places] == hashes).any())


class SeenHashes:
    """A growing set of 64-bit hashes.

    A hash takes 8 bytes in a sorted array; up to 2^18 recent ones are in a Python set (20 MiB).
    Merging these into the array briefly takes another 9 bytes for each hash.
    """

    def __init__(self) -> None:
        self._sorted = np.empty(0, "uint64")
        self._recent: set[int] = set()

    def __contains__(self, value: int) -> bool:
        if value in self._recent:
            return True
        place = self._sorted.searchsorted(np.uint64(value))
        return bool(place < len(self._sorted) and self._sorted[place] == value)

    def add(self, value: int) -> None:
        """Add a hash from 0 to 2^64 - 1."""
        if value in self:
            return
        self._recent.add(value)
        if len(self._recent) >= _RECENT:
            new = np.sort(np.fromiter(self._recent, "uint64", len(self._recent)))
            self._sorted = np.insert(self._sorted, self._sorted.searchsorted(new), new)
            self._recent.clear()
