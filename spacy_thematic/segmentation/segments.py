"""Moved to `spacy_thematic.pipeline.segments`."""

from spacy_thematic.moved import find_moved

__getattr__ = find_moved(
    __name__, dict.fromkeys(("Segment", "read_segments"), "spacy_thematic.pipeline.segments")
)
