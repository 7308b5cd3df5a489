"""Views of themes: a page that needs nothing but a browser, and options for displaCy."""

from spacy_thematic.report.page import displacy_options, render_page, write_page

__all__ = ["displacy_options", "render_page", "write_page"]
