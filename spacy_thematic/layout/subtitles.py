"""The times of subtitles (SubRip and WebVTT)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line

_TIMES = re.compile(r"(?:\d+:)?\d\d:\d\d[.,]\d{3} --> .*")
_HIDDEN_BLOCK = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)\b.*")


def detect_subtitles(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides the times of subtitles and the numbers above them, and the parts of WebVTT
    that are not shown: its header, notes and styles, up to a blank line."""
    are_times = [_TIMES.fullmatch(line.text) is not None for line in lines]
    if not any(are_times):
        return
    is_hidden, former = False, ""
    for line, is_time, is_above in zip(lines, are_times, [*are_times[1:], False]):
        if not line.text or is_time:
            is_hidden = False
        elif not former and _HIDDEN_BLOCK.fullmatch(line.text):
            is_hidden = True
        if line.text and (is_time or is_hidden or (line.text.isdecimal() and is_above)):
            yield Block("aside", line.start, line.end)
        former = line.text
