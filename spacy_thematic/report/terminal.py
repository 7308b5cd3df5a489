"""Themes in a terminal."""

from __future__ import annotations

import textwrap
import unicodedata

from spacy.tokens import Doc
from wasabi import color

from spacy_thematic.clustering.themes import read_themes
from spacy_thematic.span_keys import CLUSTERS_KEY

_COLOURS = (33, 208, 34, 170, 37, 178, 99, 203, 71, 141, 109, 173)


def render_terminal(doc: Doc, colours: bool = True, width: int = 80) -> str:
    """The themes of a Doc with their keywords, then its sentences in the colours of their themes,
    one a paragraph, each behind its theme's number.

    colours: whether to use ANSI colours. width: columns of the terminal. Control characters in the
    text are left out, so that a text cannot command the terminal. Raises ValueError if the Doc has
    no themes.
    """
    lines = []
    for theme in read_themes(doc):
        name = without_controls(theme.title or theme.label)
        mixed = ", mixed" if theme.mixed else ""
        head = f"{theme.number:>3}  {name} ({len(theme.sentences)}{mixed})"
        lines.append(_paint(head, theme.number, colours))
        lines.append(f"     {without_controls(', '.join(theme.keywords))}")
    lines.append("")
    for sentence in doc.spans[CLUSTERS_KEY]:
        text = " ".join(without_controls(sentence.text).split())
        number = str(sentence.id or "-")
        for line in textwrap.wrap(
            text, width, initial_indent=f"{number:>3}  ", subsequent_indent=" " * 5
        ):
            lines.append(_paint(line, sentence.id, colours))
    return "\n".join(lines) + "\n"


def _paint(text: str, number: int, colours: bool) -> str:
    return color(text, fg=_COLOURS[(number - 1) % len(_COLOURS)]) if colours and number else text


def without_controls(text: str) -> str:
    """The text with a space for each control character, so that it cannot command a terminal."""
    return "".join(
        character if unicodedata.category(character)[0] != "C" else " " for character in text
    )
