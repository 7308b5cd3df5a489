"""What is known of the gaps between sentences before any is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from spacy.tokens import Doc, Span

from spacy_thematic.doc_layout import SentenceLayout
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
    layout = SentenceLayout(doc, sentences)
    ends, pauses = layout.ends, layout.pauses
    if ends is not None and ends.all():
        ends = None
    has_headings = layout.openings.any() or layout.headings.any()
    if ends is None and pauses is None and not has_headings:
        return learned
    odds = np.full(max(len(sentences) - 1, 0), USUAL_LOG_ODDS) if learned is None else learned
    if ends is not None:
        says_nothing = learned is None or ends.mean() > MOST_ENDS
        of_end = 0.0 if says_nothing else -END_WEIGHT * np.log(ends.mean())
        odds = odds + np.where(ends, of_end, WITHIN_PARAGRAPH)
    if has_headings:
        odds = odds + BEFORE_HEADING * layout.openings[1:] + AFTER_HEADING * layout.headings[:-1]
    if pauses is not None:
        odds = odds + AFTER_PAUSE * pauses
    return odds


def find_paragraph_ends(doc: Doc, sentences: Sequence[Span]) -> np.ndarray | None:
    """Return whether a block of the layout ends after each sentence but the last, bool (n - 1,);
    None where the text has one block, or one for nearly each sentence."""
    ends = SentenceLayout(doc, sentences).ends
    return ends if ends is not None and ends.mean() <= MOST_ENDS else None


def is_list(doc: Doc, sentences: Sequence[Span]) -> bool:
    """Tell whether nearly each sentence is a block of its own."""
    ends = SentenceLayout(doc, sentences).ends
    return ends is not None and ends.mean() > MOST_ENDS
