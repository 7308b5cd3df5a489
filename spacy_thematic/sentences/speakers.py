"""Who speaks, at the start of a line."""

from __future__ import annotations

import re

SPEAKER = re.compile(
    r"(?:[\[(]?(?:\d{1,4}(?:[./-]\d{1,4}){2},?\s)?"  # The date, and
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?[\])]?[\s,-]*)?"  # the time.
    r"(?:<[^<>\s]{1,30}>|[^\W\d_][\w.'-]*(?: [\w.'-]+){0,2}:)\s"
)
"""Who speaks, at the start of a line of a chat: "[10:02] <leo> ", "Mary Ann: ", or
"12/05/2026, 9:02 AM - Leo: "."""


def measure_speaker(text: str) -> int:
    """Return the characters of the name of who speaks at the start of a text; 0 without one."""
    speaker = SPEAKER.match(text)
    return speaker.end() if speaker else 0
