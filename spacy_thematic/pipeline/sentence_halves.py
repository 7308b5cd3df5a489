"""How like each other the halves of a sentence are to an encoder."""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.lang import get_words
from spacy_thematic.pipeline.text_encoder import Encoder
from spacy_thematic.rows import unit_rows

_SHORTEST = 4
"""Tokens of a sentence that has two halves."""


def compare_halves(encoder: Encoder, sentences: Sequence[Span], width: int) -> float | None:
    """Return how like the halves of one sentence are: the mean of these sentences of one Doc, and
    in English of usual ones, equally; None where no sentence is long enough, or the encoder makes
    no vectors of this width."""
    words = [[token.text for token in one if not token.is_space] for one in sentences]
    long = [own for own in words if len(own) >= _SHORTEST]
    if not long:
        return None
    rows = _encode(encoder, _halve(long))
    if rows.shape[1] != width:
        return None
    own, lang = _compare(rows), encoder.vocab.lang
    usual = [text.split() for text in get_words(lang).usual_sentences]
    if not usual:
        return own
    of_usual = encoder.find_once(("halves", lang), lambda: measure_halves(encoder, usual))
    return (own + of_usual) / 2


def measure_halves(encoder: Encoder, sentences: Sequence[Sequence[str]]) -> float:
    """Return the mean cosine of the two halves of each sentence, of two words at least: its first
    words and its last, and every other word and the words between."""
    return _compare(_encode(encoder, _halve(sentences)))


def _halve(sentences: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Two pairs of halves of each sentence."""
    halves: list[Sequence[str]] = []
    for words in sentences:
        middle = len(words) // 2
        halves += words[:middle], words[middle:], words[::2], words[1::2]
    return halves


def _compare(halves: np.ndarray) -> float:
    """The mean cosine of pairs of rows that follow each other."""
    rows = unit_rows(halves, centre=False)
    return float(np.einsum("ij,ij->i", rows[::2], rows[1::2]).mean())


def _encode(encoder: Encoder, texts: Sequence[Sequence[str]]) -> np.ndarray:
    docs = [Doc(encoder.vocab, list(words)) for words in texts]
    return encoder.encode(docs, [[doc[:]] for doc in docs])
