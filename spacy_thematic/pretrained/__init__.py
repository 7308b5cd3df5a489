"""The bundled models: what they are made of, and their weights. Each has its card beside them."""

from spacy_thematic.pretrained.bundled import BUNDLED, build_bundled, fill_bundled

__all__ = ["BUNDLED", "build_bundled", "fill_bundled"]
