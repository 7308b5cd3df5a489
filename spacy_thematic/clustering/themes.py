"""Moved to `spacy_thematic.pipeline.themes`."""

from spacy_thematic.moved import find_moved

__getattr__ = find_moved(
    __name__,
    dict.fromkeys(("Theme", "ThemeDescription", "read_themes"), "spacy_thematic.pipeline.themes"),
)
