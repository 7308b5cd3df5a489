"""Splitting what is too large into pieces that are not."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate

# Lines, words, characters.
_PARTS = (
    re.compile(r"[^\n]*\n|[^\n]+"),
    re.compile(r"\s*\S+\s*|\s+"),
    re.compile(r"\r\n|.", re.DOTALL),
    re.compile(r".", re.DOTALL),
)


def split_to_fit(text: str, fits: Callable[[str], bool], level: int = 0) -> Iterator[str]:
    """Split a text into as few pieces that fit as its lines allow (level 0), its words (1) or its
    characters (2); a line that does not fit by its words, and a word that does not by its
    characters. Joined, they are the text. Raises ValueError if a character does not fit."""
    if not text or fits(text):
        yield from filter(None, [text])
        return
    if level == len(_PARTS):
        raise ValueError(
            f"The character {text!r} alone has more than max_tokens by the tokenizer: give a "
            "larger max_tokens."
        )
    parts = _PARTS[level].findall(text)
    start = 0
    while start < len(parts):
        end = _reach(parts, start, fits)
        if end > start:
            yield "".join(parts[start:end])
        else:
            end = start + 1
            yield from split_to_fit(parts[start], fits, level + 1)
        start = end


def _reach(parts: list[str], start: int, fits: Callable[[str], bool]) -> int:
    """How far the parts from `start` on fit together. What is tested is of the size of that."""
    step, end = 1, start
    while end < len(parts):
        last = min(end + step, len(parts))
        if not fits("".join(parts[start:last])):
            within = list(accumulate(parts[end:last]))
            before = "".join(parts[start:end])
            return end + bisect_left(within, True, key=lambda more: not fits(before + more))
        end, step = last, step * 2
    return end
