"""Themes: clusters that are described; in a Doc written to a span group, and read back from it
alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span, SpanGroup

from spacy_thematic.clustering.hierarchy import merge_nearest
from spacy_thematic.clustering.settings import OUTLIER_LABEL, ThemeSettings
from spacy_thematic.clustering.statistics import measure_clusters, measure_in_collection
from spacy_thematic.clustering.vectors import KChoice, SentenceVectors
from spacy_thematic.naming.description import (
    Description,
    ReadFromDoc,
    describe,
    has_term,
    name_broader,
    read_heading,
)
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.naming.keywords import find_terms
from spacy_thematic.rows import cluster_centres, group_by, renumber
from spacy_thematic.span_keys import (
    CLUSTERS_KEY,
    find_overlapped,
    find_times,
    make_group,
    read_group,
)


@dataclass(kw_only=True, repr=False)
class ThemeDescription(Description):
    """What a theme is about, the same in every Doc that it occurs in. Number 1 is the largest theme
    of the Doc, or of the Docs that were clustered together. `parent` is the name of its broader
    theme, None if there is none, or no other theme is in it."""

    parent: str | None = None

    @property
    def name(self) -> str:
        """The heading, or the label if there is no heading. Setting it does the same as
        `rename`."""
        return super().name

    @name.setter
    def name(self, name: str) -> None:
        self.rename(name)

    def rename(self, name: str) -> None:
        """Give the theme another heading. If it is a theme of a collection, `CorpusThemes.assign`
        writes the heading to Docs.

        Raises ValueError if the heading is no text, or empty."""
        vars(self).update(heading=read_heading(name), heading_score=None)


@dataclass(kw_only=True, repr=False)
class Subtheme(Description):
    """A theme within a large theme of a Doc, with its sentences. Number 1 begins first."""

    sentences: list[Span]

    def to_dict(self) -> dict[str, Any]:
        """Return what it is about and the number of its sentences as plain values, for JSON."""
        return {**super().to_dict(), "sentences": len(self.sentences)}


@dataclass(kw_only=True, repr=False)
class Theme(ReadFromDoc, ThemeDescription):
    """A theme of a Doc, with its sentences in the Doc.

    Attributes:
        confidences: 0 to 1 for each sentence, how much nearer it is to the centre of this theme
            than to the next, of the Doc or of the collection; 1.0 if there is no other theme.
        representative: The sentence nearest to the theme's centre, of those with one of its
            keywords or its heading, if there are any.
        cohesion: Mean cosine of two of its sentences, 1.0 for one sentence; in a collection, of its
            sentences in this Doc with the theme's centre.
        separation: 1 minus the mean cosine with the nearest other theme, None if there is no other;
            in a collection, 1 minus the cosine of the centre with the nearest other one.
        subthemes: What a large theme consists of, in the order of the text; empty for a small
            theme, and in a collection.
    """

    sentences: list[Span]
    confidences: list[float]
    representative: Span
    cohesion: float
    separation: float | None
    subthemes: list[Subtheme] = field(default_factory=list)

    def __hash__(self) -> int:
        return hash((self.number, self.label))

    def to_dict(self) -> dict[str, Any]:
        """Return as plain values, for JSON: what the theme is about, the text of its
        representative, its cohesion, the number of its sentences, and any subthemes."""
        subthemes = [subtheme.to_dict() for subtheme in self.subthemes]
        return {
            **get_description(self),
            "name": self.name,
            "representative": self.representative.text.strip(),
            "cohesion": round(self.cohesion, 4),
            "sentences": len(self.sentences),
            **({"subthemes": subthemes} if subthemes else {}),
        }

    def rename(self, name: str) -> None:
        """Give the theme another heading, also in its Doc. If another theme of the Doc has this
        name, the number of the theme is added. To rename a theme of a collection, rename the theme
        in its `CorpusThemes`, whose `assign` writes the name to Docs."""
        super().rename(name)
        records = self.representative.doc.spans[CLUSTERS_KEY].attrs["themes"]
        others = (record for record in records if record["number"] != self.number)
        if self.heading in ((other["heading"] or other["label"]) for other in others):
            super().rename(f"{self.heading} ({self.number})")
        for record in records:
            if record["number"] == self.number:
                record.update(heading=self.heading, heading_score=None)


def get_description(theme: ThemeDescription) -> dict[str, Any]:
    """Return the attributes that a theme has in every Doc."""
    return {field.name: getattr(theme, field.name) for field in fields(ThemeDescription)}


def describe_themes(
    vectors: SentenceVectors,
    labels: np.ndarray,
    settings: ThemeSettings,
    language: str,
    finder: HeadingFinder,
    broader: np.ndarray | None = None,
    firsts: np.ndarray | slice = slice(None),
) -> tuple[list[ThemeDescription], np.ndarray]:
    """Describe clusters as themes, by what their sentences say and their vectors, (n, width).
    Returns the themes, largest first, and for each sentence the index of its theme, (n,).

    Args:
        labels: The cluster of each sentence, (n,).
        broader: As for `describe_clusters`.
        firsts: The sentences that count in the order of the themes: the first of each text, where
            texts have themes.
        finder: Of the headings of the clusters.
    """
    clusters, labels = np.unique(labels, return_inverse=True)
    themes, order = describe_clusters(
        clusters,
        find_terms(finder.groups),
        np.bincount(labels),
        np.bincount(labels[firsts], minlength=len(clusters)),
        cluster_centres(vectors.centred, labels),
        settings,
        broader,
        language,
        finder,
    )
    return themes, np.argsort(order)[labels]


def describe_clusters(
    clusters: np.ndarray,
    terms: Sequence[Iterable[str]],
    sizes: np.ndarray,
    n_units: np.ndarray,
    centres: np.ndarray,
    settings: ThemeSettings,
    broader: np.ndarray | None,
    language: str,
    finder: HeadingFinder | None = None,
) -> tuple[list[ThemeDescription], np.ndarray]:
    """Describe k clusters as themes, with different labels, by what is known of their sentences.
    Returns the themes, largest first, and of each the number of its cluster, (k,).

    Args:
        clusters: Their numbers among all that were looked for, (k,): the first are seed themes.
        terms: Of each cluster, or a Counter of them.
        sizes: The numbers of their sentences, (k,).
        n_units: How many units each has, by which they are ordered, (k,).
        centres: Of the clusters, (k, width), of length one.
        broader: The broader group of each cluster that was looked for, where `n_broader` is "auto".
        language: Of the terms, as spaCy names it.
        finder: Of the headings of the clusters, and of groups of them.
    """
    order = np.argsort(-n_units, kind="stable")
    seeds = list(settings.seed_themes)
    names = [seeds[n] if n < len(seeds) else None for n in clusters[order].tolist()]
    found = describe(
        terms,
        sizes.tolist(),
        settings.n_keywords,
        finder,
        headings=settings.headings,
        taken=seeds,
        language=language,
        order=order,
        namer=settings.namer,
        named=np.flatnonzero(clusters < len(seeds)).tolist(),
    )
    broader = None if broader is None else broader[clusters]
    if settings.n_broader != "auto":
        n = settings.n_broader
        broader = merge_nearest(centres, n) if 0 < n < len(centres) else None
    themes = [ThemeDescription(**vars(one)) for one in found]
    for theme, name in zip(themes, names):
        if name:
            theme.label, theme.heading, theme.heading_score = name, None, None
        elif theme.label in seeds:
            theme.label = f"{theme.label} ({theme.number})"
    if broader is not None:
        broader = renumber(broader)
        namer = finder.merge(broader) if finder and settings.headings else None
        called: list[str] = []
        for theme, name in zip(themes, names):
            new = (word for word in theme.keywords if word not in called)
            called.append(name or theme.heading or next(new, theme.label))
        language = finder.language if finder else "en"
        parents = name_broader(called, broader[order], namer, language)
        for theme, parent in zip(themes, parents):
            theme.parent = parent
    return themes, order


def find_representatives(
    scores: np.ndarray,
    labels: np.ndarray,
    themes: Sequence[Description],
    get_text: Callable[[int], str],
) -> np.ndarray:
    """Return the row of the sentence that stands for each theme, (themes,): of those with one of
    its keywords or its heading, that of the largest score, (n,); of all, if none has. labels: the
    index in `themes` of each sentence, (n,). get_text: by the row of a sentence."""
    found = []
    for theme, rows in zip(themes, group_by(range(len(scores)), labels, len(themes))):
        best_first = sorted(rows, key=lambda row: -scores[row])
        known = (row for row in best_first if scores[row] > -np.inf)
        told = (row for row in known if has_term(theme, get_text(row)))
        found.append(next(told, best_first[0]))
    return np.array(found, dtype=int)


def write_themes(
    doc: Doc,
    sentences: Sequence[Span],
    vectors: SentenceVectors,
    labels: np.ndarray,
    themes: Sequence[ThemeDescription],
    *,
    algorithm: str,
    outlier_threshold: float | None = None,
    choice: KChoice | None = None,
    collection: tuple[np.ndarray, np.ndarray] | None = None,
    subthemes: Iterable[tuple[Description, Sequence[int]]] = (),
) -> None:
    """Write `doc.spans["thematic_clusters"]`, from which `read_themes` rebuilds the themes.

    Each sentence becomes a Span with its theme's label, and its theme's number as `span.id`;
    outliers get the label "outlier" and the number 0. Group attrs: `algorithm`, `k`, `k_scores`
    (each number of themes that was tried, with its score), `k_chosen` (the one that was chosen,
    None where none was), `scores` and `confidences` (of each sentence), `themes` (of each theme,
    largest first, its description, statistics and subthemes, sentences as their numbers).

    Args:
        labels: The index in `themes` of each sentence's theme, (n,); negative for outliers, which
            count in no theme's statistics.
        themes: Themes without sentences in this Doc are left out.
        outlier_threshold: Sentences with a lower confidence are outliers, but for the
            representatives of a Doc that was clustered by itself; None: none are.
        collection: If the themes are of a collection, their centres, (themes, width), of length
            one, and the origin about which they are, (width,), for the statistics.
        subthemes: Each with the numbers of its sentences, in the order of the text.
    """
    kept = np.flatnonzero(labels >= 0)
    used, compact = np.unique(labels[kept], return_inverse=True)
    here = [themes[index] for index in used.tolist()]
    statistics = (
        measure_clusters(vectors.take(kept), compact)
        if collection is None
        else measure_in_collection(vectors.take(kept), labels[kept], *collection)
    )
    is_member = statistics.confidences >= (outlier_threshold or 0)
    scores = statistics.scores
    if collection is not None:
        scores = np.where(is_member, scores, -np.inf)
    representatives = find_representatives(
        scores, compact, here, lambda row: sentences[kept[row]].text
    )
    if collection is None:
        is_member[representatives] = True
    theme_of = {row: here[label] for row, label in zip(kept[is_member], compact[is_member])}
    spans = []
    members: dict[int, list[int]] = {}
    for row, one in enumerate(sentences):
        theme = theme_of.get(row)
        label, number = (theme.label, theme.number) if theme else (OUTLIER_LABEL, 0)
        members.setdefault(number, []).append(row)
        spans.append(Span(doc, one.start, one.end, label=label, span_id=number))
    within: dict[int, list[dict[str, Any]]] = {}
    for subtheme, own in subthemes:
        if own := [row for row in own if row in theme_of]:
            records = within.setdefault(theme_of[own[0]].number, [])
            number = len(records) + 1
            records.append({**vars(subtheme), "number": number, "sentences": own})
    separation = statistics.separation
    sizes = np.bincount(compact).tolist()
    present = np.unique(compact[is_member]).tolist()
    largest_first = sorted(present, key=lambda label: (-sizes[label], here[label].number))
    attrs = {
        "algorithm": algorithm,
        "k": len(present),
        "k_scores": [[k, round(score, 4)] for k, score in choice.scores.items()] if choice else [],
        "k_chosen": int(choice.k) if choice else None,
        "scores": _spread(statistics.scores, kept, len(labels)),
        "confidences": _spread(statistics.confidences, kept, len(labels)),
        "themes": [
            {
                **get_description(here[label]),
                "representative": int(kept[representatives[label]]),
                "cohesion": float(statistics.cohesion[label]),
                "separation": None if separation is None else float(separation[label]),
                "subthemes": within.get(here[label].number, []),
                "sentences": members[here[label].number],
            }
            for label in largest_first
        ],
    }
    doc.spans[CLUSTERS_KEY] = make_group(doc, CLUSTERS_KEY, spans, attrs)


def read_themes(doc: Doc) -> list[Theme]:
    """Read the themes in `doc.spans["thematic_clusters"]`, largest first. Outliers belong to no
    theme. It needs no vectors, so it works on a Doc from a DocBin. Raises ValueError if the Doc has
    no such span group, or one that something else wrote."""
    spans, attrs = _read_group(doc)
    return [_read_theme(spans, record, attrs) for record in attrs["themes"]]


def read_theme(span: Span) -> Theme | None:
    """Read the theme that most sentences which a span overlaps have, of equal ones the largest;
    None if they have none. Of sentences in order it reads these and those of the theme alone.
    Raises ValueError as `read_themes` does."""
    doc = span.doc
    rows = find_overlapped(span, CLUSTERS_KEY, lambda doc: _read_group(doc)[0])
    group = doc.spans[CLUSTERS_KEY]
    counts = Counter(group[row].id for row in rows)
    records = [record for record in group.attrs["themes"] if counts[record["number"]]]
    most = max(records, key=lambda record: counts[record["number"]], default=None)
    return None if most is None else _read_theme(group, most, group.attrs)


def _read_group(doc: Doc) -> tuple[list[Span], dict[str, Any]]:
    return read_group(doc, CLUSTERS_KEY, "themes", "thematic_clusterer", "cluster")


def _read_theme(
    spans: Sequence[Span] | SpanGroup, record: dict[str, Any], attrs: Mapping[str, Any]
) -> Theme:
    record = read_record(record)
    rows = record.pop("sentences", None)
    if rows is None:  # It was written before records had them.
        rows = [row for row, span in enumerate(spans) if span.id == record["number"]]
    subthemes = [
        Subtheme(**{**one, "sentences": [spans[row] for row in one["sentences"]]})
        for one in record.pop("subthemes", ())
    ]
    return Theme(
        **{**record, "representative": spans[record["representative"]]},
        sentences=[spans[row] for row in rows],
        confidences=[attrs["confidences"][row] for row in rows],
        subthemes=subthemes,
    )


def read_record(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a theme as it is now: before there were headings it had a "title", and
    it could be "mixed"."""
    record = {key: value for key, value in record.items() if key != "mixed"}
    if title := record.pop("title", None):
        record["heading"] = title
    return record


def make_record(doc: Doc) -> dict[str, list[dict[str, Any]]]:
    """Return the themes and the sentences of a Doc as plain values, for JSON. `start` and `end` are
    in characters of the Doc: of the sentence, without the white space around it. A sentence has the
    number of its subtheme, too, if it is in one, and its time, in subtitles."""
    group = doc.spans[CLUSTERS_KEY]
    times = find_times(doc, [span.start for span in group])
    themes = read_themes(doc)
    within = {
        sentence.start: {"subtheme": subtheme.number}
        for theme in themes
        for subtheme in theme.subthemes
        for sentence in subtheme.sentences
    }
    return {
        "themes": [theme.to_dict() for theme in themes],
        "sentences": [
            {
                "text": (text := span.text.strip()),
                "start": (start := span.start_char + span.text.index(text)),
                "end": start + len(text),
                **({"time": time} if time else {}),
                "theme": span.id,
                **within.get(span.start, {}),
                "label": span.label_,
                "confidence": confidence,
            }
            for span, time, confidence in zip(group, times, group.attrs["confidences"])
        ],
    }


def _spread(values: np.ndarray, rows: np.ndarray, n: int) -> list[float]:
    """The values of some of n rows, rounded, with zeros for the others, n."""
    spread = np.zeros(n)
    spread[rows] = values
    return [round(value, 4) for value in spread.tolist()]
