import pytest
import spacy
from spacy.util import registry

from spacy_thematic.pipeline.clusterer import CLUSTERERS, K_CHOOSERS
from spacy_thematic.pipeline.segmenter import SEGMENTERS
from spacy_thematic.pipeline.settings_pipe import name_of


@pytest.mark.parametrize(
    ("factory", "setting", "names"),
    [
        ("thematic_clusterer", "algorithm", CLUSTERERS),
        ("thematic_clusterer", "choose_k", K_CHOOSERS),
        ("thematic_segmenter", "algorithm", SEGMENTERS),
    ],
)
def test_a_short_name_is_that_of_the_registered_function(factory, setting, names, tmp_path):
    for short, name in names.items():
        nlp = spacy.blank("en")
        pipe = nlp.add_pipe(factory, config={setting: short})
        expected = name_of(registry.get("misc", name)())
        assert name_of(getattr(pipe, setting)) == expected
        nlp.to_disk(tmp_path)
        assert name_of(getattr(spacy.load(tmp_path).get_pipe(factory), setting)) == expected
