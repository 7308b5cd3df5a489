"""What is known of the gaps between sentences before any is cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.heading_lines import find_heading_sentences
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


BEFORE_HEADING, AFTER_HEADING = 8.0, -20.0
"""How much more likely, in log odds, a section begins with a line that is a heading, and after it
with what it heads."""


AFTER_PAUSE = 4.0
"""How much more likely, in log odds, a section begins after a pause in a chat."""

_SHORTEST_PAUSE, _OF_USUAL = 3, 3
"""A pause has that many minutes, and that many times the usual ones between two lines."""

_DAY = 24 * 60
_TIME = re.compile(r"[\[(]?(?:\d{1,4}(?:[./-]\d{1,4}){2},?\s)?(\d{1,2}):(\d{2})\b")


def find_log_odds(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    lengths: np.ndarray,
    score_gaps: GapScorer,
) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence but the last: those that a net
    has learned, and what the ends of paragraphs, lines that are headings and the pauses of a chat
    say beside them.

    Sections begin with a paragraph. So by Bayes' rule the odds of a gap between paragraphs would be
    those of any gap over the share of such gaps, if the vectors said nothing of paragraphs. Where
    nearly each sentence has a paragraph of its own, their ends say nothing, but what is within one
    is still one section.

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
    ends = _find_ends(doc, sentences)
    if ends is not None and ends.all():
        ends = None
    headings = find_heading_sentences(doc, sentences)
    pauses = find_pauses(sentences)
    if ends is None and headings is None and pauses is None:
        return learned
    odds = np.full(max(len(sentences) - 1, 0), USUAL_LOG_ODDS) if learned is None else learned
    if ends is not None:
        says_nothing = learned is None or ends.mean() > MOST_ENDS
        of_end = 0.0 if says_nothing else -END_WEIGHT * np.log(ends.mean())
        odds = odds + np.where(ends, of_end, WITHIN_PARAGRAPH)
    if headings is not None:
        odds = odds + BEFORE_HEADING * headings.opening[1:] + AFTER_HEADING * headings.whole[:-1]
    if pauses is not None:
        odds = odds + AFTER_PAUSE * pauses
    return odds


def find_pauses(sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a pause follows each sentence but the last of a chat whose lines begin with
    the time, bool (n - 1,); None where they do not."""
    found = [_TIME.match(sentence.text.lstrip()) for sentence in sentences]
    if len(found) < 2 or None in found:
        return None
    minutes = np.array([int(time[1]) * 60 + int(time[2]) for time in filter(None, found)])
    waited = np.diff(minutes) % _DAY
    return waited >= max(_SHORTEST_PAUSE, _OF_USUAL * float(np.median(waited)))


def find_paragraph_ends(doc: Doc, sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a paragraph ends after each sentence but the last, bool (n - 1,): whether a
    blank line follows, or, in a text without blank lines that is not wrapped, a new line. None
    where the text has no paragraphs, or one for nearly each sentence."""
    ends = _find_ends(doc, sentences)
    return ends if ends is not None and ends.mean() <= MOST_ENDS else None


def is_list(doc: Doc, sentences: Sequence[Span]) -> bool:
    """Tell whether nearly each sentence has a line or a paragraph of its own."""
    ends = _find_ends(doc, sentences)
    return ends is not None and ends.mean() > MOST_ENDS


def _find_ends(doc: Doc, sentences: Sequence[Span]) -> np.ndarray | None:
    text = doc.text
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
