"""What chance gives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.evaluation.encoders import Encoder


def random_vectors(seed: int, width: int = 50) -> Encoder:
    """A random vector for each sentence, the same for the same text."""
    return partial(_random_vectors, seed, width)


def _random_vectors(seed: int, width: int, doc: Doc, spans: Sequence[Span]) -> np.ndarray:
    rows = [
        np.random.default_rng([seed, *span.text.encode()]).standard_normal(width) for span in spans
    ]
    return np.array(rows, dtype="f").reshape(len(rows), width)
