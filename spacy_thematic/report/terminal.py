"""Themes in a terminal."""

import textwrap
import unicodedata

from spacy.tokens import Doc
from wasabi import color

from spacy_thematic.report.themes import get_themes
from spacy_thematic.span_keys import CLUSTERS_KEY

_COLOURS = (33, 208, 34, 170, 37, 178, 99, 203, 71, 141, 109, 173)


def render_terminal(doc: Doc, colours: bool = True, width: int = 80) -> str:
    """Render the themes of a Doc with their keywords and subthemes, then its sentences, one a
    paragraph, each behind its theme's number and in its colour, in ANSI colours, for a terminal of
    `width` columns.

    Control characters in the text become spaces, so that a text cannot command the terminal. Raises
    ValueError if the Doc has no themes."""
    lines = []
    for theme in get_themes(doc):
        name = without_controls(theme.name)
        head = f"{theme.number:>3}  {name} ({len(theme.sentences)})"
        lines.append(_paint(head, theme.number, colours))
        lines.append(f"     {without_controls(', '.join(theme.keywords))}")
        for subtheme in theme.subthemes:
            name = without_controls(subtheme.name)
            lines.append(_paint(f"     {name} ({len(subtheme.sentences)})", theme.number, colours))
    lines.append("")
    for sentence in doc.spans[CLUSTERS_KEY]:
        text = " ".join(without_controls(sentence.text).split())
        number = str(sentence.id or "-")
        for line in textwrap.wrap(
            text, width, initial_indent=f"{number:>3}  ", subsequent_indent=" " * 5
        ):
            lines.append(_paint(line, sentence.id, colours))
    return "\n".join(lines) + "\n"


def without_controls(text: str) -> str:
    """Replace each control character by a space, so that the text cannot command a terminal."""
    return "".join(
        character if unicodedata.category(character)[0] != "C" else " " for character in text
    )


def _paint(text: str, number: int, colours: bool) -> str:
    return color(text, fg=_COLOURS[(number - 1) % len(_COLOURS)]) if colours and number else text
