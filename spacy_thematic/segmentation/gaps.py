"""What is known of the gaps between sentences before any is cut."""

import numpy as np

from spacy_thematic.segmentation.kernel_change_points import USUAL_LOG_ODDS

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


def combine_log_odds(
    n: int,
    learned: np.ndarray | None = None,
    ends: np.ndarray | None = None,
    opening: np.ndarray | None = None,
    whole: np.ndarray | None = None,
    pauses: np.ndarray | None = None,
) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence but the last, (n - 1,), None
    where nothing is known: those that a net has learned, and what the ends of paragraphs, lines
    that are headings and the pauses of a chat say beside them.

    Sections begin with a paragraph. So by Bayes' rule the odds of a gap between paragraphs would be
    those of any gap over the share of such gaps, if the vectors said nothing of paragraphs. Where
    nearly each sentence has a paragraph of its own, their ends say nothing, but what is within one
    is still one section.

    Args:
        learned: What a net says, (n - 1,).
        ends: Whether a paragraph ends after each sentence but the last, bool (n - 1,).
        opening: Whether each begins what a heading heads, bool (n,).
        whole: Whether each is a heading, or a part of one, bool (n,).
        pauses: Whether a pause follows each but the last, bool (n - 1,).
    """
    if ends is not None and ends.all():
        ends = None
    if ends is None and opening is None and whole is None and pauses is None:
        return learned
    odds = np.full(max(n - 1, 0), USUAL_LOG_ODDS) if learned is None else learned
    if ends is not None:
        says_nothing = learned is None or ends.mean() > MOST_ENDS
        of_end = 0.0 if says_nothing else -END_WEIGHT * np.log(ends.mean())
        odds = odds + np.where(ends, of_end, WITHIN_PARAGRAPH)
    if opening is not None:
        odds = odds + BEFORE_HEADING * opening[1:]
    if whole is not None:
        odds = odds + AFTER_HEADING * whole[:-1]
    if pauses is not None:
        odds = odds + AFTER_PAUSE * pauses
    return odds
