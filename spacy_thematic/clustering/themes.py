"""Themes of a Doc: written to a span group, and read back from it alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.clustering.hierarchy import find_parents
from spacy_thematic.clustering.keywords import content_words, find_keywords, make_labels
from spacy_thematic.clustering.statistics import describe_clusters, find_mixed
from spacy_thematic.clustering.titles import find_titles
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.span_keys import CLUSTERS_KEY

OUTLIER_LABEL = "outlier"


@dataclass
class ThemeName:
    """What a theme is called: its number, from 1, its label and its keywords; the label of the
    broader theme it is part of, and its title, if these were asked for; and whether it is mixed."""

    number: int
    label: str
    keywords: Sequence[str]
    parent: str | None = None
    title: str | None = None
    mixed: bool = False


@dataclass
class Theme:
    """Sentences of a Doc that are about one thing.

    `number`: 1 is the largest theme of a Doc, or of the documents that were clustered together.
    `label`: unique in the Doc. `keywords`: the words that tell it from the other themes, best
    first. `sentences`: in the order of the text. `confidences`: 0 to 1 for each of them, how much
    nearer it is to this theme than to the next. `representative`: the sentence nearest to the
    theme's centre. `cohesion`: mean cosine of its sentences, 1.0 for one sentence. `separation`: 1
    minus the mean cosine with the nearest other theme, None if there is no other. `parent`: the
    label of the broader theme that it is part of, None if none were asked for. `title`: the
    phrase of its sentences that is nearest to its centre, None if titles were not asked for.
    `mixed`: whether its sentences are much less alike than those of the other themes, as where it
    holds what is left over, and its label says little.
    """

    number: int
    label: str
    keywords: list[str]
    sentences: list[Span]
    confidences: list[float]
    representative: Span
    cohesion: float
    separation: float | None
    parent: str | None = None
    title: str | None = None
    mixed: bool = False


def write_themes(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: Any,
    labels: np.ndarray,
    *,
    algorithm: str,
    n_keywords: int = 8,
    outlier_threshold: float | None = None,
    names: Sequence[str | None] = (),
    n_broader: int = 0,
    nlp: Language | None = None,
) -> SpanGroup:
    """Write `doc.spans["thematic_clusters"]`, from which `read_themes` rebuilds the themes.

    sentences, vectors (n, width) and labels (n,) belong together; labels run from 0. Each sentence
    becomes a Span with its theme's label, and its theme's number as `span.id`. Sentences with a
    confidence below `outlier_threshold` get the label "outlier" and number 0; they still count in
    their theme's statistics. `names` are labels to use instead of keywords for the first clusters;
    a None among them stands for keywords. `n_broader`: the number of broader themes to group the
    themes into. `nlp`: the pipeline that encodes phrases, for titles; None: no titles.
    Group attrs: `algorithm`, `k`, `scores` and `confidences` (per sentence), `themes` (per theme:
    number, label, keywords, parent, title, mixed, representative as a sentence number, cohesion,
    separation).
    """
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    words: list[list[str]] = [[] for _ in sizes]
    for sentence, cluster in zip(sentences, labels):
        words[cluster].extend(content_words(sentence))
    names_of_clusters = name_themes(order, words, n_keywords, names)
    clusters, compact = np.unique(labels, return_inverse=True)
    found = [names_of_clusters[cluster] for cluster in clusters.tolist()]
    rows = unit_rows(vectors)
    parents = find_parents(rows, compact, [words[cluster] for cluster in clusters], n_broader)
    for name, parent, mixed in zip(found, parents, find_mixed(vectors, compact)):
        name.parent, name.mixed = parent, mixed
    if nlp is not None:
        keywords = [name.keywords for name in found]
        titles = find_titles(nlp, sentences, np.asarray(vectors), compact, keywords)
        for name, title in zip(found, titles):
            name.title = None if name.label in names else title
    return write_named_themes(
        doc,
        sentences,
        vectors,
        labels,
        names_of_clusters,
        algorithm=algorithm,
        outlier_threshold=outlier_threshold,
    )


def name_themes(
    order: np.ndarray,
    words: Sequence[Sequence[str]],
    n_keywords: int,
    names: Sequence[str | None] = (),
) -> dict[int, ThemeName]:
    """The name of each cluster, numbered from 1 in the given order.

    order: the clusters, (k,). words: of each cluster. names: labels for the first clusters; the
    others, and those with None, are labelled by their keywords. No two labels are the same.
    """
    clusters = order.tolist()
    keywords = find_keywords([words[cluster] for cluster in clusters], n_keywords)
    given = {cluster: name for cluster, name in enumerate(names) if name is not None}
    themes = {}
    for number, (cluster, label, theme_keywords) in enumerate(
        zip(clusters, make_labels(keywords), keywords), 1
    ):
        if cluster in given:
            label = given[cluster]
        elif label in given.values():
            label = f"{label} ({number})"
        themes[cluster] = ThemeName(number, label, theme_keywords)
    return themes


def write_named_themes(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: Any,
    labels: np.ndarray,
    names: Mapping[int, ThemeName],
    *,
    algorithm: str,
    outlier_threshold: float | None = None,
) -> SpanGroup:
    """`write_themes` for clusters that have a name already. names: one for each label that
    occurs; labels need not be consecutive."""
    clusters, compact = np.unique(labels, return_inverse=True)
    found = describe_clusters(vectors, compact)
    numbers = np.array([names[label].number for label in labels.tolist()], dtype=int)
    outlying = np.zeros(len(labels), dtype=bool)
    if outlier_threshold is not None:
        outlying = found.confidences < outlier_threshold
        outlying[found.representatives] = False
    spans = [
        Span(
            doc,
            sentence.start,
            sentence.end,
            label=OUTLIER_LABEL if outlier else names[label].label,
            span_id=0 if outlier else names[label].number,
        )
        for sentence, label, outlier in zip(sentences, labels.tolist(), outlying)
    ]
    separation = found.separation
    themes = [
        {
            "number": name.number,
            "label": name.label,
            "keywords": list(name.keywords),
            "parent": name.parent,
            "title": name.title,
            "mixed": name.mixed,
            "representative": int(found.representatives[position]),
            "cohesion": float(found.cohesion[position]),
            "separation": None if separation is None else float(separation[position]),
        }
        for position, name in enumerate(names[cluster] for cluster in clusters.tolist())
    ]
    sizes = {theme["number"]: int((numbers == theme["number"]).sum()) for theme in themes}
    themes.sort(key=lambda theme: (-sizes[theme["number"]], theme["number"]))
    attrs = {
        "algorithm": algorithm,
        "k": len(themes),
        "scores": _plain(found.scores),
        "confidences": _plain(found.confidences),
        "themes": themes,
    }
    doc.spans[CLUSTERS_KEY] = SpanGroup(doc, name=CLUSTERS_KEY, attrs=attrs, spans=spans)
    return doc.spans[CLUSTERS_KEY]


def read_themes(doc: Doc) -> list[Theme]:
    """The themes in `doc.spans["thematic_clusters"]`, largest first. Needs no vectors, so it works
    on a Doc from a DocBin. Outliers belong to no theme.

    Raises ValueError if the Doc has no such span group, or one that something else wrote.
    """
    if CLUSTERS_KEY not in doc.spans:
        raise ValueError(
            f'This Doc has no doc.spans["{CLUSTERS_KEY}"]: process it with a pipeline that has '
            '"thematic_clusterer".'
        )
    group = doc.spans[CLUSTERS_KEY]
    if "themes" not in group.attrs:
        raise ValueError(
            f'doc.spans["{CLUSTERS_KEY}"] lacks the attribute "themes": it was not written by '
            '"thematic_clusterer", or the Doc was made by Doc.from_docs or from JSON, which leave '
            "it out. Process the Doc again."
        )
    try:
        spans = list(group)
    except IndexError as error:
        raise ValueError(
            f'doc.spans["{CLUSTERS_KEY}"] goes beyond the end of the Doc, which has been '
            "retokenized since: cluster after retokenizing, or process the Doc again."
        ) from error
    members: dict[int, list[int]] = {}
    for row, span in enumerate(spans):
        members.setdefault(span.id, []).append(row)
    confidences = group.attrs["confidences"]
    return [
        Theme(
            number=theme["number"],
            label=theme["label"],
            keywords=list(theme["keywords"]),
            sentences=[spans[row] for row in members[theme["number"]]],
            confidences=[confidences[row] for row in members[theme["number"]]],
            representative=spans[theme["representative"]],
            cohesion=theme["cohesion"],
            separation=theme["separation"],
            parent=theme.get("parent"),
            title=theme.get("title"),
            mixed=theme.get("mixed", False),
        )
        for theme in group.attrs["themes"]
    ]


def _plain(values: np.ndarray) -> list[float]:
    return [round(float(value), 4) for value in values]
