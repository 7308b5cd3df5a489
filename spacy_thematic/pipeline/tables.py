"""Themes of a collection as tables: rows of plain values, which pandas takes as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc

if TYPE_CHECKING:
    from pandas import DataFrame

    from spacy_thematic.pipeline.corpus_themes import CorpusTheme
    from spacy_thematic.pipeline.themes import Theme

Row = dict[str, Any]

COLUMNS = "title", "date", "theme", "name", "share", "confidence"
"""Of `list_documents`."""


def list_themes(themes: Sequence[CorpusTheme], docs: Iterable[Doc] = ()) -> list[Row]:
    """Return a row for each theme, largest first: its number, name, keywords, broader theme, the
    number of its sentences, and its most typical sentence; with Docs, the number of texts that have
    more of it than of any other."""
    main = Counter(row["theme"] for row in list_documents(themes, docs))
    return [
        {
            "number": theme.number,
            "name": theme.name,
            "keywords": theme.keywords,
            "parent": theme.parent,
            "sentences": theme.size,
            **({"texts": main[theme.number]} if main else {}),
            "representative": theme.representative,
        }
        for theme in themes
    ]


def list_documents(themes: Sequence[CorpusTheme], docs: Iterable[Doc]) -> list[Row]:
    """Return a row for each Doc, with the `COLUMNS`: its title and date; the number and the name of
    the theme that most of its sentences have, 0 and None where they have none; its share of those
    that have a theme, and the mean of their confidences, both 0 to 1."""
    rows = []
    for doc in docs:
        of_doc = _read(themes, doc)
        sizes = _count(doc)
        theme = max(sizes, key=sizes.__getitem__, default=0)
        found = of_doc.get(theme)
        values = (
            doc._.thematic_title,
            doc._.thematic_date,
            theme,
            found and found.name,
            sizes[theme] / sizes.total() if theme else 0.0,
            float(np.mean(found.confidences)) if found else 0.0,
        )
        rows.append(dict(zip(COLUMNS, values)))
    return rows


def count_shares(themes: Sequence[CorpusTheme], docs: Iterable[Doc]) -> np.ndarray:
    """Return the share of each theme among the sentences of each Doc that have a theme, (docs,
    themes)."""
    counts = []
    for doc in docs:
        _read(themes, doc)
        sizes = _count(doc)
        counts.append([sizes[theme.number] for theme in themes])
    shares = np.array(counts, dtype=float).reshape(-1, len(themes))
    return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1)


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


def _read(themes: Sequence[CorpusTheme], doc: Doc) -> dict[int, Theme]:
    """The themes of a collection that a Doc has, by their numbers.

    Raises:
        ValueError: If the Doc does not have these themes.
        TypeError: If it is no Doc.
    """
    check_is_doc(doc)
    labels = {theme.number: theme.label for theme in themes}
    found = doc._.thematic_clusters
    if found is None or any(labels.get(theme.number) != theme.label for theme in found):
        raise ValueError(
            f"The document {doc.text[:40]!r} does not have these themes: give those that were "
            "clustered, or let themes.assign(doc) write them first."
        )
    return {theme.number: theme for theme in found}


def _count(doc: Doc) -> Counter[int]:
    """How many sentences of a Doc each theme has, by its number."""
    return Counter(span.id for span in doc.spans[CLUSTERS_KEY] if span.id)
