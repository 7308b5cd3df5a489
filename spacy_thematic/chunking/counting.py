"""Counting the tokens of a text by any tokenizer."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass
class Limits:
    """The sizes that chunks keep to. None is below `smallest` where it can be helped."""

    count: Callable[[str], int]
    largest: int
    smallest: int

    def fits(self, text: str) -> bool:
        """Whether a text is a chunk of at most the largest size."""
        return self.count(text) <= self.largest

    def measure(self, text: str) -> int:
        """Return what a text adds to the size of a chunk, without the tokens that a tokenizer puts
        around every text."""
        return max(self.count(text) - self._around, 0)

    @cached_property
    def room(self) -> int:
        """What the texts of a chunk may add up to."""
        return max(self.largest - self._around, 0)

    @cached_property
    def _around(self) -> int:
        return self.count("")


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
        last, number = self._last
        if text != last:
            number = self._count(text)
            self._last = text, number
        return number

    def _count(self, text: str) -> int:
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
        return number
