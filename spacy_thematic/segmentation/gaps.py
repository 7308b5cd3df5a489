"""What is known of the gaps between sentences before any is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.segmentation.kernel_change_points import USUAL_LOG_ODDS

GapScorer = Callable[[np.ndarray, np.ndarray], np.ndarray | None]
"""The vectors, (n, width), and the characters, (n,), of the sentences of a text to the log odds,
(n - 1,), that a section begins after each but the last; None where nothing is known."""

WITHIN_PARAGRAPH = -5.0
"""How much less likely, in log odds, a section begins within a paragraph."""

END_WEIGHT = 0.5
"""The share of what the ends of paragraphs say by Bayes' rule that is added to what was learned,
which says some of it already. Chosen on dev articles of Wikipedia, other prose and textbooks."""

MOST_ENDS = 0.7
"""The share of gaps above which the ends of lines say nothing: each sentence has its own."""


def find_log_odds(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    lengths: np.ndarray,
    score_gaps: GapScorer,
) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence but the last: those that a net
    has learned, and what the ends of paragraphs say beside them.

    Sections begin with a paragraph. So by Bayes' rule the odds of a gap between paragraphs would be
    those of any gap over the share of such gaps, if the vectors said nothing of paragraphs.

    Args:
        doc: With the sentences.
        sentences: n of them, in the order of the text.
        vectors: Of the sentences, (n, width).
        lengths: Their characters, (n,).
        score_gaps: What is known from the vectors.

    Returns:
        (n - 1,); None where nothing is known.
    """
    learned = score_gaps(vectors, lengths)
    ends = find_paragraph_ends(doc, sentences)
    if ends is None:
        return learned
    if learned is None:
        return USUAL_LOG_ODDS + np.where(ends, 0.0, WITHIN_PARAGRAPH)
    return learned + np.where(ends, -END_WEIGHT * np.log(ends.mean()), WITHIN_PARAGRAPH)


def find_paragraph_ends(doc: Doc, sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a paragraph ends after each sentence but the last, bool (n - 1,): whether a
    blank line follows, or, in a text without blank lines, a new line. None where the text has no
    paragraphs, or one for nearly each sentence."""
    is_space = doc.to_array("IS_SPACE") != 0
    words, spaces = np.flatnonzero(~is_space), np.flatnonzero(is_space)
    starts = np.array([sentence.start for sentence in sentences])
    lines = np.zeros(max(len(sentences) - 1, 0), np.int64)
    after = np.searchsorted(words, spaces)
    inside = (after > 0) & (after < len(words))
    gaps = np.searchsorted(starts, words[after[inside] - 1], side="right") - 1
    following = np.searchsorted(starts, words[after[inside]], side="right") - 1
    for space, gap, end in zip(spaces[inside].tolist(), gaps.tolist(), following.tolist()):
        if 0 <= gap < end:
            lines[gap:end] += doc[space].text.count("\n")
    for least in (2, 1):
        ends = lines >= least
        if ends.any():
            return ends if ends.mean() <= MOST_ENDS else None
    return None
