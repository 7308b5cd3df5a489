"""Views of themes: a page that needs nothing but a browser, text for a terminal, and options for
displaCy."""

from spacy_thematic.report.page import render_page, write_page
from spacy_thematic.report.terminal import render_terminal
from spacy_thematic.report.themes import displacy_options

__all__ = ["displacy_options", "render_page", "render_terminal", "write_page"]
