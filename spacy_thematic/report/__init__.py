"""Themes to look at: a page that needs nothing but a browser, and text for a terminal."""

from spacy_thematic.report.page import render_page, write_page
from spacy_thematic.report.terminal import render_terminal

__all__ = ["render_page", "render_terminal", "write_page"]
