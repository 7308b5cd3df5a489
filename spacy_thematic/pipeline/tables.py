"""Themes of a collection as tables: rows of plain values, which pandas takes as they are."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.files import open_whole, write_bytes
from spacy_thematic.pipeline.text_encoder import find_topic_map
from spacy_thematic.rows import mean_row
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc

if TYPE_CHECKING:
    from spacy_thematic.pipeline.cluster import ClusteredTexts
    from spacy_thematic.pipeline.corpus_themes import CorpusTheme
    from spacy_thematic.pipeline.themes import ThemeDescription

Row = dict[str, Any]

COLUMNS = "title", "date", "theme", "name", "parent", "share", "confidence"
"""The columns of `CorpusThemes.documents`."""


def describe_document(doc: Doc, themes: Mapping[int, ThemeDescription] | None = None) -> Row:
    """Return the row of `CorpusThemes.documents` for a Doc with themes, of its own or of a
    collection, by what its themes are in the collection now, by their numbers in the Doc."""
    if themes is None:
        themes = {theme.number: theme for theme in doc._.thematic_clusters}
    sizes = count_sentences(doc, themes)
    number = max(sizes, key=sizes.__getitem__, default=0)
    own = [theme for theme in doc._.thematic_clusters if themes[theme.number].number == number]
    main = themes[own[0].number] if own else None
    values = (
        doc._.thematic_title,
        doc._.thematic_date,
        number,
        main and main.name,
        main and main.parent,
        sizes[number] / sizes.total() if own else 0.0,
        round(float(np.mean([c for theme in own for c in theme.confidences])), 4) if own else 0.0,
    )
    return dict(zip(COLUMNS, values))


def write_table(path: Path, found: ClusteredTexts) -> None:
    """Write a CSV or Parquet file, by its ending, with a row for each text: the fields of its row
    or record, or its text; and what `describe_document` says: `title`, `date` if a text has one,
    `theme`, `theme_name`, `theme_parent`, `theme_share` and `theme_confidence`; and `file`, where
    there are several. What the input calls by one of these names stays; the theme that was found is
    then called `thematic_theme`, and so on. Parquet has a `vector` as well, of what the text is
    about."""
    shown = {
        "title": True,
        "date": any(doc._.thematic_date for doc in found.docs),
        "file": len({*found.files}) > 1,
    }
    rows = []
    for doc, fields, source in zip(found.docs, found.fields, found.files):
        values = {**describe_document(doc), "file": source}
        row = {key: values[key] for key, is_shown in shown.items() if is_shown}
        row |= fields or {"text": doc.text}
        for key in COLUMNS[2:]:
            name = key if key == "theme" else f"theme_{key}"
            row[_find_free(name, fields)] = values[key]
        rows.append(row)
    names = [*dict.fromkeys(name for row in rows for name in row)]
    if path.suffix.lower() == ".csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        writer.writerows(rows)
        write_bytes(path, text.getvalue().encode("utf8"))
        return
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({name: _align([row.get(name) for row in rows]) for name in names})
    # The topics of texts, or where the model has learned none their mean vectors.
    means = np.stack([mean_row(doc._.thematic_vectors) for doc in found.docs])
    topics = find_topic_map(found.docs[0])
    vectors = [*(means if topics is None else map_to_topics(means, topics))]
    column = pyarrow.array(vectors, pyarrow.list_(pyarrow.float32()))
    table = table.append_column(_find_free("vector", names), column)
    with open_whole(path) as file:
        parquet.write_table(table, file)


def _find_free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = f"thematic_{name}"
    return name


def _align(values: list[Any]) -> list[Any]:
    """Values of one type: texts, where records have others beside each other."""
    kinds = {type(value) for value in values if value is not None}
    return values if len(kinds) < 2 else [v if v is None else str(v) for v in values]


def make_frame(rows: list[Row], columns: Sequence[str] = ()) -> Any:
    """Make a pandas DataFrame; where pandas is not installed, return the rows."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=[*columns] or None)


def find_themes(themes: Sequence[CorpusTheme], doc: Doc) -> dict[int, CorpusTheme]:
    """Return what the themes of a Doc are in its collection, by their numbers in the Doc. Raises
    ValueError if the Doc does not have themes of this collection, TypeError if it is no Doc."""
    check_is_doc(doc)
    named = {(theme.number, theme.label): theme for theme in themes}
    named |= {(number, label): theme for theme in themes for label, number in theme.merged.items()}
    found = doc._.thematic_clusters
    if found is None or any((theme.number, theme.label) not in named for theme in found):
        raise ValueError(
            f"The document {doc.text[:40]!r} does not have these themes: it was not clustered with "
            "these, or again since. Let themes.assign(doc) write them."
        )
    return {theme.number: named[theme.number, theme.label] for theme in found}


def count_sentences(doc: Doc, themes: Mapping[int, ThemeDescription]) -> Counter[int]:
    """Return how many sentences of a Doc each theme has, by its number."""
    return Counter(themes[span.id].number for span in doc.spans[CLUSTERS_KEY] if span.id)
