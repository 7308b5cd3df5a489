"""A page to look at: the text of Docs with each sentence in the colour of its theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from spacy.tokens import Doc

from spacy_thematic.clustering.themes import Theme, read_themes
from spacy_thematic.files import write_bytes
from spacy_thematic.report.sections import find_sections, render_sections
from spacy_thematic.report.sentence_map import render_map
from spacy_thematic.report.style import CSS, SCRIPT, content_security_policy, theme_attributes
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc


def render_page(
    docs: Iterable[Doc], title: str = "Themes", names: Sequence[str] | None = None
) -> str:
    """One self-contained HTML page of Docs that `thematic_clusterer` has processed.

    title: the page's title and heading. names: a heading for each Doc, "Text 1" and so on if None.
    All text is escaped, and the page forbids the browser to load anything or to run any script but
    its own. Raises ValueError if a Doc has no themes, TypeError for what is no Doc.
    """
    articles = []
    for number, doc in enumerate(docs):
        check_is_doc(doc)
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
    write_bytes(Path(path), render_page(docs, title, names).encode())


def render_article(doc: Doc, name: str) -> str:
    """The part of the page that shows one Doc: legend, text and table of themes; the themes against
    the sections, if it has some; and a map of its sentences, if it has their vectors."""
    themes = read_themes(doc)
    return (
        f"<article>\n<h2>{escape(name)}</h2>\n{_legend(themes)}"
        f'<p role="status" class="note"></p>\n<div class="text">{"".join(_text(doc))}</div>\n'
        f"{_theme_table(themes)}{render_sections(doc, themes)}{render_map(doc)}</article>\n"
    )


def _legend(themes: Sequence[Theme]) -> str:
    """A list of buttons; one for each broader theme, behind its label, if there are some."""
    groups: dict[str | None, list[Theme]] = {}
    for theme in themes:
        groups.setdefault(theme.parent, []).append(theme)
    return "".join(_legend_of(parent, group) for parent, group in groups.items())


def _legend_of(parent: str | None, themes: Sequence[Theme]) -> str:
    head = f'<p class="broader">{escape(parent)}</p>\n' if parent else ""
    name = escape(f"Themes of {parent}" if parent else "Themes")
    entries = "".join(map(_legend_entry, themes))
    return f'{head}<ul class="legend" aria-label="{name}">\n{entries}</ul>\n'


def _legend_entry(theme: Theme) -> str:
    named = theme.label.split(", ")
    words = [word for word in theme.keywords if theme.title or word not in named]
    return (
        f'<li><button type="button" aria-pressed="false" {theme_attributes(theme.number)}>'
        f"<strong>{_name(theme)}</strong><small>{escape(', '.join(words))}</small></button></li>\n"
    )


def _name(theme: Theme) -> str:
    mixed = ' <i class="mixed">mixed</i>' if theme.mixed else ""
    return f"{theme.number} {escape(theme.title or theme.label)}{mixed}"


def _text(doc: Doc) -> Iterator[str]:
    """The whole text, with what lies between the sentences, and the titles of its sections."""
    section_of = find_sections(doc)
    end, title = 0, ""
    for sentence in doc.spans[CLUSTERS_KEY]:
        between = doc.text[end : sentence.start_char]
        text = sentence.text.rstrip()
        new = section_of.get(sentence.start, "")
        yield f"<h3>{escape(new)}</h3>" if new != title and new else escape(between)
        number = sentence.id
        spoken = f'<span class="unseen">theme </span>{number}' if number else "–"
        yield (
            f'<span class="sentence" {theme_attributes(number)} title="{escape(sentence.label_)}">'
            f"<b>{spoken}</b>{escape(text)}</span>"
        )
        end, title = sentence.start_char + len(text), new
    yield escape(doc.text[end:])


def _theme_table(themes: Sequence[Theme]) -> str:
    if not themes:
        return ""
    rows = "".join(
        f'<tr><th scope="row" {theme_attributes(theme.number)}>{_name(theme)}</th>'
        f'<td class="number" data-name="Sentences">{len(theme.sentences)}</td>'
        f'<td class="number" data-name="Cohesion">{theme.cohesion:.2f}</td>'
        f'<td data-name="Representative sentence">{escape(theme.representative.text)}</td></tr>\n'
        for theme in themes
    )
    mixed = (
        " The sentences of a mixed theme are much less alike than those of the others: it may hold "
        "what is left over, and its name says little."
        if any(theme.mixed for theme in themes)
        else ""
    )
    return (
        '<h3>Themes</h3>\n<p class="note">Cohesion is how alike the sentences of a theme are, from '
        f"0 to 1.{mixed}</p>\n"
        '<table class="themes">\n<thead><tr><th scope="col">Theme</th>'
        '<th scope="col" class="number">Sentences</th><th scope="col" class="number">Cohesion</th>'
        f'<th scope="col">Representative sentence</th></tr></thead>\n<tbody>\n{rows}</tbody>\n'
        "</table>\n"
    )
