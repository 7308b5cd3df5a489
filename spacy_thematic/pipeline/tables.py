"""Themes of a collection as tables: rows of plain values, which pandas takes as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.span_keys import CLUSTERS_KEY

if TYPE_CHECKING:
    from pandas import DataFrame

    from spacy_thematic.pipeline.corpus_themes import CorpusTheme

Row = dict[str, Any]


def list_themes(themes: Sequence[CorpusTheme], docs: Iterable[Doc] = ()) -> list[Row]:
    """Return a row for each theme, largest first: its number, name, keywords, broader theme, the
    number of its sentences, and its most typical sentence; with Docs, the number of texts that have
    more of it than of any other."""
    main = Counter(row["theme"] for row in list_documents(docs))
    rows = [
        {
            "number": theme.number,
            "name": theme.name,
            "keywords": theme.keywords,
            "parent": theme.parent,
            "sentences": theme.size,
            "texts": main[theme.number],
            "representative": theme.representative,
        }
        for theme in themes
    ]
    if not main:
        for row in rows:
            del row["texts"]
    return rows


def list_documents(docs: Iterable[Doc]) -> list[Row]:
    """Return a row for each Doc: its title and date; the number and the name of the theme that most
    of its sentences have, 0 and None where they have none; what share of its sentences has it, and
    the mean of their confidences, both 0 to 1."""
    rows = []
    for doc in docs:
        sizes = _count(doc)
        theme = max(sizes, key=sizes.__getitem__, default=0)
        found = next((one for one in doc._.thematic_clusters if one.number == theme), None)
        rows.append(
            {
                "title": doc._.thematic_title,
                "date": doc._.thematic_date,
                "theme": theme,
                "name": found and found.name,
                "share": sizes[theme] / sizes.total() if theme else 0.0,
                "confidence": float(np.mean(found.confidences)) if found else 0.0,
            }
        )
    return rows


def count_shares(docs: Iterable[Doc], numbers: Sequence[int]) -> np.ndarray:
    """Return the share of each theme, by its number, among the sentences of each Doc that have a
    theme, (docs, themes)."""
    counts = np.array([[_count(doc)[number] for number in numbers] for doc in docs], dtype=float)
    counts = counts.reshape(-1, len(numbers))
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


def make_frame(rows: Any, **kwargs: Any) -> DataFrame:
    """Make a pandas DataFrame.

    Raises:
        ImportError: If pandas is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("Tables need pandas: install it with pip install pandas.") from error
    return pandas.DataFrame(rows, **kwargs)


def _count(doc: Doc) -> Counter[int]:
    """How many sentences of a Doc each theme has."""
    if CLUSTERS_KEY not in doc.spans:
        raise ValueError(
            "A document has no themes: give the ones that were clustered, or let "
            "themes.assign(doc) write them first."
        )
    return Counter(span.id for span in doc.spans[CLUSTERS_KEY] if span.id)
