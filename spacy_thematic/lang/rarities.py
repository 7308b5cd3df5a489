"""How rare words are. `projects/pretrain/scripts/word_rarities.py` makes a language's table."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

RAREST = 21.0
"""Bits of a word that is in no table."""

STEPS = 8
"""Of a bit."""


@cache
def load_rarities(language: str) -> Mapping[str, float] | None:
    """Load the information of the words of a language, in bits: the negative logarithm of their
    share of all words, by `naming.content.to_word_key`; None if the language has no table."""
    path = Path(__file__).parent / f"{language}_word_rarities.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        words = arrays["words"].tobytes().decode("utf8").split("\n")
        return dict(zip(words, (arrays["bits"] / STEPS).tolist()))
