"""Packages of the bundled models, as spaCy makes and loads them."""

import pytest
import spacy
import srsly

import spacy_thematic
from scripts.package_pipelines import make_package
from spacy_thematic.about import __version__

TEXT = "The river floods the valley. Its water rises in spring. The king fought two wars."


def test_a_package_is_the_model_with_its_card_and_what_it_needs(tmp_path):
    package = make_package("en_thematic_sm", tmp_path, "none")
    data = package / "en_thematic_sm" / f"en_thematic_sm-{__version__}"
    nlp = spacy.load(data)
    assert nlp.pipe_names == [
        "thematic_layout",
        "thematic_sentencizer",
        "thematic_embedder",
        "thematic_segmenter",
        "thematic_clusterer",
    ]
    expected = spacy_thematic.load("en_thematic_sm")(TEXT)
    assert (nlp(TEXT)._.thematic_vectors == expected._.thematic_vectors).all()
    meta = srsly.read_json(package / "meta.json")
    assert meta["license"] == "MIT"
    assert any(needed.startswith("spacy-thematic>=") for needed in meta["requirements"])
    assert "# en_thematic_sm" in (package / "README.md").read_text()
    assert (package / "LICENSE").is_file()
    (package / "setup.py").unlink()
    with pytest.raises(FileExistsError, match="name a new folder"):
        make_package("en_thematic_sm", tmp_path, "none")
