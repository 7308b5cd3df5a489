"""How well retrieved chunks answer a question, by characters: the measures of Smith and Troynikov,
"Evaluating Chunking Strategies for Retrieval", Chroma 2024."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

Span = tuple[int, int]


class Scores(NamedTuple):
    """The measures of a question. `precision_omega` is the IoU of all chunks that touch the answer,
    the best that a retriever could do with them."""

    recall: float
    precision: float
    iou: float
    precision_omega: float


def find_spans(text: str, chunks: list[str]) -> list[Span]:
    """Where chunks stand in a text. Chunkers differ in the white space that they keep, so it does
    not count.

    Raises:
        ValueError: If the chunks are not the whole text, each part once.
    """
    if "".join(text.split()) != "".join("".join(chunks).split()):
        raise ValueError("Expected the chunks to be the text but for white space.")
    places = [i for i, character in enumerate(text) if not character.isspace()]
    ends = np.cumsum([len("".join(chunk.split())) for chunk in chunks]).tolist()
    return [(places[start], places[end - 1] + 1) for start, end in pairwise([0, *ends])]


def score(answer: list[Span], retrieved: list[Span], chunks: list[Span], length: int) -> Scores:
    """The measures of one question on a text of some length in characters."""
    wanted, found = _cover(answer, length), _cover(retrieved, length)
    touching = _cover([span for span in chunks if wanted[slice(*span)].any()], length)
    common = (wanted & found).sum()
    return Scores(
        recall=common / wanted.sum(),
        precision=common / found.sum(),
        iou=common / (wanted | found).sum(),
        precision_omega=(wanted & touching).sum() / (wanted | touching).sum(),
    )


def _cover(spans: list[Span], length: int) -> np.ndarray:
    """Whether each character stands in a span, (length,)."""
    covered = np.zeros(length, dtype=bool)
    for start, end in spans:
        covered[start:end] = True
    return covered
