"""The settings of segments."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from spacy_thematic.checks import check_flags, check_namer, check_numbers, is_whole, make_plain

Unit = Literal["sentences", "tokens", "characters"]


@dataclass(frozen=True)
class SegmentSettings:
    """Settings: which segments to find, and how to describe them.

    Attributes:
        n: The number of segments of the first level, or "auto". The sizes come first: where they do
            not allow n, there are as nearly n as they do.
        min_size: The least size of a segment, in `unit`. Where no segmentation has it, what is
            missing adds up to as little as can be.
        max_size: The largest size of a segment, in `unit`, None for any. Only a single sentence may
            be above it.
        unit: What sizes count: "sentences", "tokens" or "characters", white space included.
        levels: 1, or more for sections, their subsections, and so on.
        seed: Of the random numbers: the same seed gives the same segments.
        headings: Whether a segment gets a heading, if the encoder has learned headings.
        namer: A function that names segments, as that of `ThemeSettings`.

    Raises:
        ValueError: If a setting is out of its range.
    """

    n: int | Literal["auto"] = "auto"
    min_size: int = 1
    max_size: int | None = None
    unit: Unit = "sentences"
    levels: int = 1
    seed: int = 0
    n_keywords: int = 8
    headings: bool = True
    namer: Any = None

    def __post_init__(self) -> None:
        make_plain(self)
        check_numbers(self, {"n": 1}, or_auto=True)
        check_numbers(self, {"min_size": 0, "levels": 1, "seed": 0, "n_keywords": 0})
        check_flags(self, "headings")
        check_namer(self.namer)
        largest = self.max_size
        if largest is not None and not is_whole(largest, self.min_size):
            raise ValueError(
                f"Expected max_size to be None or a whole number of at least "
                f"min_size, {self.min_size}, found {largest!r}."
            )
        if largest == 0:
            raise ValueError("Expected max_size to be None or at least 1, found 0.")
        if self.unit not in get_args(Unit):
            raise ValueError(f"Expected unit to be one of {get_args(Unit)}, found {self.unit!r}.")
