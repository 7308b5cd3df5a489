"""Counting the tokens of a text by any tokenizer, and splitting what has too many."""

import operator
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

# Lines with the blank ones after them, words, characters.
_PARTS = (
    re.compile(r"[^\n]*\n(?:[^\S\n]*\n)*|[^\n]+"),
    re.compile(r"\s*\S+\s*|\s+"),
    re.compile(r"\r\n|.", re.DOTALL),
    re.compile(r".", re.DOTALL),
)


@dataclass
class Limits:
    """The sizes that chunks keep to. None is below `smallest` where it can be helped."""

    count: Callable[[str], int]
    largest: int
    smallest: int

    def fits(self, text: str) -> bool:
        """Whether a text is a chunk of at most the largest size."""
        return self.count(text) <= self.largest


class TokenCounter:
    """Counts the tokens of a text by an object with `encode`, as of `tokenizers`, `transformers`
    and `tiktoken`, or any callable that takes a text and returns its tokens, or their number. It is
    pickled if its tokenizer is. Raises TypeError if that is neither, ValueError if it is set to
    truncate or pad, so that it does not count."""

    def __init__(self, tokenizer: Any) -> None:
        for setting in ("truncation", "padding"):
            if isinstance(value := getattr(tokenizer, setting, None), dict):
                raise ValueError(
                    f"The tokenizer is set to {setting}, {value}, and so cannot count: call its "
                    f"no_{setting}() first."
                )
        encode = getattr(tokenizer, "encode", tokenizer)
        if isinstance(tokenizer, str) or not callable(encode):
            raise TypeError(
                'Expected a tokenizer with "encode", or a callable that takes a text and returns '
                f"its tokens or their number, found {tokenizer!r}."
            )
        self._encode = encode
        self._last: tuple[str | None, int] = None, 0

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text."""
        # A piece is measured right after it was found to fit. Only the last text is kept in memory.
        if text == self._last[0]:
            return self._last[1]
        found = self._encode(text)
        if isinstance(found, Mapping):
            found = found.get("input_ids")
        try:
            sized = hasattr(found, "__len__") and not isinstance(found, str)
            number = operator.index(len(found) if sized else found)
        except TypeError as error:
            raise TypeError(
                "Expected the tokenizer to return tokens or their number, found "
                f"{type(found).__name__}: {found!r}."
            ) from error
        if number < 0:
            raise ValueError(f"Expected a number of tokens of at least 0, found {number}.")
        self._last = text, number
        return number


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
