"""How often headings stand in the articles of a corpus."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np

from spacy_thematic.triplets.compiled import CompiledCorpus

MOST_CHARACTERS = 50
"""Longer headings are sentences."""

_NUMBERING = re.compile(r"^(?:[\divxIVX]+[.)]\s+|[\d.]+\s+|[A-Za-z][.)]\s+)")


class HeadingCounts(NamedTuple):
    """Headings of a corpus.

    Attributes:
        articles: The number of articles with each heading, in the form in which most have it.
        n_sections: The number of all sections that have a heading.
    """

    articles: Counter[str]
    n_sections: int


def clean_heading(heading: str) -> str:
    """Return a heading without its number ("3.1 Rivers") and with single spaces; "" if it is too
    long to be one, or has no two letters together."""
    words = " ".join(_NUMBERING.sub("", heading).split()).rstrip(":.")
    is_heading = len(words) <= MOST_CHARACTERS and re.search(r"[^\W\d_]{2}", words)
    return words if is_heading else ""


def count_headings(corpus: CompiledCorpus, min_articles: int = 1) -> HeadingCounts:
    """Count the headings of a corpus, in upper or lower case.

    Args:
        corpus: With headings.
        min_articles: Those of fewer articles are left out.
    """
    sections, headings = corpus.read_columns("sections", "headings")
    articles = corpus.article_of_rows()
    rows = np.unique(np.stack([articles, sections, headings]), axis=1)
    numbers = rows[2]
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    pairs = np.unique(rows[[0, 2]], axis=1)[1]
    for number, count in enumerate(np.bincount(pairs, minlength=len(corpus.headings)).tolist()):
        if cleaned := clean_heading(corpus.headings[number]):
            forms[cleaned.lower()][cleaned] += count
    found = Counter({
        form.most_common(1)[0][0]: form.total()
        for form in forms.values()
        if form.total() >= min_articles
    })  # fmt: skip
    named = np.array([bool(clean_heading(heading)) for heading in corpus.headings])
    return HeadingCounts(found, int(named[numbers].sum()) if len(numbers) else 0)
