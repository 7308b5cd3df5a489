"""Moved to `spacy_thematic.pipeline.corpus_themes`."""

from spacy_thematic.moved import find_moved

__getattr__ = find_moved(
    __name__,
    dict.fromkeys(("CorpusTheme", "CorpusThemes"), "spacy_thematic.pipeline.corpus_themes"),
)
