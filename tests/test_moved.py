"""Public names that have moved are still found, with a warning."""

from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "old, name, new",
    [
        ("clustering", "CorpusThemes", "pipeline.corpus_themes"),
        ("clustering", "Theme", "pipeline.themes"),
        ("clustering.corpus", "CorpusThemes", "pipeline.corpus_themes"),
        ("clustering.themes", "Theme", "pipeline.themes"),
    ],
)
def test_a_name_that_has_moved_is_found_with_a_warning(old, name, new):
    module = import_module(f"spacy_thematic.{old}")
    with pytest.warns(DeprecationWarning, match=f"{new}.{name} now"):
        found = getattr(module, name)
    assert found is getattr(import_module(f"spacy_thematic.{new}"), name)
    with pytest.raises(AttributeError, match="nothing"):
        module.nothing
