"""Themes against sections, for a Doc whose sections are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from spacy.tokens import Doc

from spacy_thematic.clustering.themes import Theme
from spacy_thematic.report.style import theme_attributes
from spacy_thematic.span_keys import CLUSTERS_KEY

SECTION_KEYS = ("sections", "sentences")
UNTITLED = "(no title)"


def find_sections(doc: Doc) -> dict[int, str]:
    """The title of its section for each token that is in one with a title.

    The sections are the labels of the spans in `doc.spans["sections"]`, or `["sentences"]`, as the
    benchmark articles have them. Empty if the Doc has neither, or no titles in them.
    """
    key = next((key for key in SECTION_KEYS if key in doc.spans), None)
    return {
        token: span.label_
        for span in (doc.spans[key] if key else ())
        for token in range(span.start, span.end)
        if span.label_
    }


def count_sections(doc: Doc) -> dict[str, Counter[int]]:
    """For each section title, in the order of the text, how many of its sentences are in which
    theme, by number; 0 are outliers. Sentences in no section with a title count for `UNTITLED`.
    Empty for a Doc without sections that have titles."""
    section_of = find_sections(doc)
    counts: dict[str, Counter[int]] = {}
    for sentence in doc.spans[CLUSTERS_KEY] if section_of else ():
        title = section_of.get(sentence.start, UNTITLED)
        counts.setdefault(title, Counter())[sentence.id] += 1
    return counts


def render_sections(doc: Doc, themes: Sequence[Theme]) -> str:
    """A table of sections by themes with the number of sentences; "" without sections."""
    counts = count_sections(doc)
    if not counts:
        return ""
    heads = "".join(
        f'<th scope="col" class="number" {theme_attributes(theme.number)} '
        f'title="{escape(theme.label)}">{theme.number}</th>'
        for theme in themes
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(title)}</th>'
        + "".join(_cell(count[theme.number], count.total(), theme.number) for theme in themes)
        + "</tr>\n"
        for title, count in counts.items()
    )
    return (
        "<h3>Themes against sections</h3>\n"
        '<p class="note">How many sentences of each section are in each theme.</p>\n'
        '<div class="scroll" tabindex="0" role="region" aria-label="Themes against sections">\n'
        f'<table class="sections">\n<thead><tr><th scope="col">Section</th>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _cell(count: int, total: int, number: int) -> str:
    if not count:
        return '<td class="number"></td>'
    return f'<td class="number share" {theme_attributes(number, share=count / total)}>{count}</td>'
