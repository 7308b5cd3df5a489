"""Themes to look at: a page that needs nothing but a browser."""

from spacy_thematic.report.page import render_page, write_page

__all__ = ["render_page", "write_page"]
