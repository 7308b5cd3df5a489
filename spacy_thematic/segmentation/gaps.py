"""Log odds that a segment ends at each gap between two sentences, from what the model, the layout
and the words say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from spacy_thematic.trees import Trees

MOST_ENDS = 0.7
"""The share of gaps above which the ends of lines say nothing: each sentence has its own."""

BEFORE_HEADING, AFTER_HEADING = 8.0, -20.0
"""How much more likely, in log odds, a section begins with a line that is a heading, and after it
with what it heads."""

AFTER_PAUSE = 4.0
"""How much more likely, in log odds, a section begins after a pause in a chat."""

BEFORE_ANSWER = -20.0
"""How much more likely, in log odds, a section begins between a question and what somebody else
says to it, or after a line with a name alone. It begins before these instead."""

_OPENING = 40  # The characters at the start of a sentence of which the share of capitals is taken.
_SPEAKER = 32  # The characters before a colon that may be who speaks.


def find_log_odds(
    gaps: Mapping[str, np.ndarray],
    *,
    opening: np.ndarray,
    whole: np.ndarray,
    turns: np.ndarray,
    names: np.ndarray,
    pauses: np.ndarray | None = None,
) -> np.ndarray:
    """Return the log odds that a section begins after each of n sentences but the last, (n - 1,):
    what trees that have learned from outlines make of `measure_gaps`, and what lines that are
    headings, the pauses of a chat, and questions that somebody else answers say beside it.

    Args:
        gaps: What `measure_gaps` returns.
        opening: Whether each sentence begins what a heading heads, bool (n,).
        whole: Whether each is a heading, or a part of one, bool (n,).
        turns: Whether somebody else may speak after each but the last, bool (n - 1,).
        names: Whether each only says who speaks, bool (n,).
        pauses: Whether a pause follows each but the last, bool (n - 1,); None: there is none.
    """
    odds = load_trees()(gaps)
    answers = (turns & (gaps["asks_before"] > 0)) | names[:-1]
    for gap in np.flatnonzero(answers[1:])[::-1]:
        odds[gap] = max(odds[gap], odds[gap + 1])
    odds += BEFORE_ANSWER * answers
    odds += BEFORE_HEADING * opening[1:] + AFTER_HEADING * whole[:-1]
    return odds if pauses is None else odds + AFTER_PAUSE * pauses


def measure_gaps(
    texts: Sequence[str], learned: np.ndarray | None = None, ends: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return what is known of each gap between n sentences, by name, (n - 1,) each, NaN where
    nothing is: what a net says, the paragraphs and the sentences before and after it, and its
    place.

    Args:
        texts: Of the sentences, n.
        learned: What a net that has read their vectors says, (n - 1,).
        ends: Whether a paragraph ends after each sentence but the last, bool (n - 1,).
    """
    n = len(texts)
    lengths = np.array([*map(len, texts)], float)
    place = np.arange(n - 1)
    unknown = np.full(n, np.nan)
    is_end, share, sentences, characters = unknown[1:], np.nan, unknown, unknown
    if ends is not None and not ends.all():
        paragraph = np.cumsum(np.append(0, ends))
        is_end, share = ends.astype(float), ends.mean()
        sentences = np.bincount(paragraph)[paragraph]
        characters = np.log1p(np.bincount(paragraph, lengths)[paragraph])
    of_sentences = {
        "paragraph": sentences,
        "paragraph_characters": characters,
        "characters": np.log1p(lengths),
        "asks": np.array([text.endswith("?") for text in texts], float),
        "quotes": np.array([text[:1] in "\"\u201c\u2018'" for text in texts], float),
        "speaks": np.array([":" in text[:_SPEAKER] for text in texts], float),
        "numbers": np.array([any(map(str.isdigit, text)) for text in texts], float),
        "capitals": np.array(
            [sum(map(str.isupper, text[:_OPENING])) / len(text[:_OPENING] or " ") for text in texts]
        ),
    }
    return {
        "learned": unknown[1:] if learned is None else learned,
        "ends": is_end,
        "share_of_ends": np.full(n - 1, share),
        "place": place / n,
        "left": (n - 1.0) - place,
        "n": np.full(n - 1, float(n)),
        **{f"{name}_before": values[:-1] for name, values in of_sentences.items()},
        **{f"{name}_after": values[1:] for name, values in of_sentences.items()},
    }


@cache
def load_trees() -> Trees:
    """Load the trees, whose sum is a log odds."""
    return Trees.load(Path(__file__).parent / "gaps.npz")
