"""A map of sentences: near each other where their vectors are."""

from __future__ import annotations

from html import escape

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.report.style import theme_attributes
from spacy_thematic.span_keys import CLUSTERS_KEY

_WIDTH, _HEIGHT, _RADIUS = 480, 360, 8


def project(vectors: np.ndarray) -> np.ndarray:
    """The two principal components of the vectors' directions, (n, 2): the plane in which they
    differ most. Each axis points so that its largest entry is positive."""
    rows = unit_rows(vectors)
    if len(rows) < 2:
        return np.zeros((len(rows), 2))
    rows = rows - rows.mean(axis=0)
    _, _, axes = np.linalg.svd(rows, full_matrices=False)
    points = np.zeros((len(rows), 2))
    points[:, : len(axes[:2])] = rows @ axes[:2].T
    return points * np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)


def render_map(doc: Doc) -> str:
    """An SVG with a numbered point for each sentence, its text as hover text. "" if the Doc has no
    vectors (as when it comes from a DocBin without user data) or fewer than three sentences."""
    vectors = doc._.thematic_vectors
    sentences = list(doc.spans[CLUSTERS_KEY])
    if vectors is None or len(vectors) != len(sentences) or len(sentences) < 3:
        return ""
    points = project(vectors)
    low, high = points.min(axis=0), points.max(axis=0)
    inner = np.array([_WIDTH, _HEIGHT]) - 4 * _RADIUS
    places = (points - low) / np.where(high > low, high - low, 1) * inner + 2 * _RADIUS
    circles = "".join(
        f'<g class="point" {theme_attributes(sentence.id)} '
        f'transform="translate({x:.1f} {_HEIGHT - y:.1f})"><circle r="{_RADIUS}"/>'
        f"<text>{sentence.id or '–'}</text>"
        f"<title>{escape(f'{sentence.label_}: {sentence.text}')}</title></g>\n"
        for sentence, (x, y) in zip(sentences, places)
    )
    return (
        "<h3>Map</h3>\n"
        '<p class="note">Sentences that are near each other are alike; the numbers are those of '
        "the themes. Two dimensions of many: what looks mixed here can be apart.</p>\n"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Map of '
        f'{len(sentences)} sentences, coloured by theme">\n{circles}</svg>\n'
    )
