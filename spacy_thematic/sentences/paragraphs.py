"""Where paragraphs end, and pauses are, among the sentences of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span

_SHORTEST_PAUSE, _OF_USUAL = 3, 3
"""A pause has that many minutes, and that many times the usual ones between two lines."""

_DAY = 24 * 60
_TIME = re.compile(r"[\[(]?(?:\d{1,4}(?:[./-]\d{1,4}){2},?\s)?(\d{1,2}):(\d{2})\b")


def find_pauses(sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a pause follows each sentence but the last of a chat whose lines begin with
    the time, bool (n - 1,); None where they do not."""
    found = [_TIME.match(sentence.text.lstrip()) for sentence in sentences]
    if len(found) < 2 or None in found:
        return None
    minutes = np.array([int(time[1]) * 60 + int(time[2]) for time in filter(None, found)])
    waited = np.diff(minutes) % _DAY
    return waited >= max(_SHORTEST_PAUSE, _OF_USUAL * float(np.median(waited)))


def find_paragraph_ends(doc: Doc, text: str, sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a paragraph ends after each sentence but the last, bool (n - 1,): whether a
    blank line follows, or, in a text without blank lines that is not wrapped, a new line; None
    where the text has none."""
    new_lines = np.array([found.start() for found in re.finditer("\n", text)], np.int64)
    words = np.flatnonzero(doc.to_array("IS_SPACE") == 0)
    places, lengths = doc.to_array(["IDX", "LENGTH"]).reshape(-1, 2)[words].T.astype(np.int64)
    starts = np.array([sentence.start for sentence in sentences])
    lines = np.zeros(max(len(sentences) - 1, 0), np.int64)
    after = np.searchsorted(places, new_lines)
    # Some tokenizers leave line breaks within a token: it counts with those beside it.
    is_within = (after > 0) & (new_lines < np.append(0, places + lengths)[after])
    before = np.maximum(after - 1 - is_within, 0)
    inside = (after > 0) & (after < len(words))
    gaps = np.searchsorted(starts, words[before[inside]], side="right") - 1
    following = np.searchsorted(starts, words[after[inside]], side="right") - 1
    within = 0
    for gap, end in zip(gaps.tolist(), following.tolist()):
        if 0 <= gap < end:
            lines[gap:end] += 1
        else:
            within += 1
    # In a wrapped text lines end within sentences, and after one only by chance.
    for least in (2, 1) if within < lines.sum() else (2,):
        ends = lines >= least
        if ends.any():
            return ends
    return None
