"""Hashes of titles, sentences and texts, by which duplicates are told."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

from spacy_thematic.articles.article import normalize_title


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
