"""A page to look at: the text of Docs with each sentence in the colour of its theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from spacy.tokens import Doc

from spacy_thematic.clustering.themes import Theme, read_themes
from spacy_thematic.extensions import CLUSTERS_KEY
from spacy_thematic.report.sections import render_sections
from spacy_thematic.report.sentence_map import render_map
from spacy_thematic.report.style import CSS, SCRIPT, content_security_policy, theme_attributes


def render_page(
    docs: Iterable[Doc], title: str = "Themes", names: Sequence[str] | None = None
) -> str:
    """One self-contained HTML page of Docs that `thematic_clusterer` has processed.

    title: the page's title and heading. names: a heading for each Doc, "Text 1" and so on if None.
    All text is escaped, and the page forbids the browser to load anything or to run any script but
    its own. Raises ValueError if a Doc has no themes.
    """
    articles = []
    for number, doc in enumerate(docs):
        name = names[number] if names is not None else f"Text {number + 1}"
        articles.append(render_article(doc, name))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f'content="{escape(content_security_policy())}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n"
        '<p class="note">Each sentence has the colour and the number of its theme. '
        "Choose a theme to highlight its sentences; Escape shows all again.</p>\n"
        f"{''.join(articles)}</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def write_page(
    docs: Iterable[Doc],
    path: str | Path,
    title: str = "Themes",
    names: Sequence[str] | None = None,
) -> None:
    """Write `render_page(docs, title, names)` to a file, in UTF-8."""
    Path(path).write_text(render_page(docs, title, names), encoding="utf8")


def render_article(doc: Doc, name: str) -> str:
    """The part of the page that shows one Doc: legend, text and table of themes; the themes against
    the sections, if it has some; and a map of its sentences, if it has their vectors."""
    themes = read_themes(doc)
    return (
        f'<article>\n<h2>{escape(name)}</h2>\n<ul class="legend" aria-label="Themes">\n'
        f"{''.join(map(_legend_entry, themes))}</ul>\n"
        f'<p role="status" class="note"></p>\n<div class="text">{"".join(_text(doc))}</div>\n'
        f"{_theme_table(themes)}{render_sections(doc, themes)}{render_map(doc)}</article>\n"
    )


def _legend_entry(theme: Theme) -> str:
    return (
        f'<li><button type="button" aria-pressed="false" {theme_attributes(theme.number)}>'
        f"<strong>{theme.number} {escape(theme.label)}</strong>"
        f"<small>{escape(', '.join(theme.keywords))}</small></button></li>\n"
    )


def _text(doc: Doc) -> Iterator[str]:
    """The whole text, with what lies between the sentences."""
    end = 0
    for sentence in doc.spans[CLUSTERS_KEY]:
        yield escape(doc.text[end : sentence.start_char])
        number = sentence.id
        yield (
            f'<span class="sentence" {theme_attributes(number)} title="{escape(sentence.label_)}">'
            f'<b aria-label="theme {number}:">{number or "–"}</b>{escape(sentence.text)}</span>'
        )
        end = sentence.end_char
    yield escape(doc.text[end:])


def _theme_table(themes: Sequence[Theme]) -> str:
    if not themes:
        return ""
    rows = "".join(
        f'<tr><th scope="row" {theme_attributes(theme.number)}>{theme.number} '
        f"{escape(theme.label)}</th>"
        f'<td class="number" data-name="Sentences">{len(theme.sentences)}</td>'
        f'<td class="number" data-name="Cohesion">{theme.cohesion:.2f}</td>'
        f'<td data-name="Representative sentence">{escape(theme.representative.text)}</td></tr>\n'
        for theme in themes
    )
    return (
        '<h3>Themes</h3>\n<table class="themes">\n<thead><tr><th scope="col">Theme</th>'
        '<th scope="col" class="number">Sentences</th><th scope="col" class="number">Cohesion</th>'
        f'<th scope="col">Representative sentence</th></tr></thead>\n<tbody>\n{rows}</tbody>\n'
        "</table>\n"
    )
