"""Names that go with the next release, in the configs of pipelines that are saved."""

import pytest
from spacy.util import registry

from spacy_thematic.pipeline.settings_pipe import name_of


@pytest.mark.parametrize(
    ("block", "instead"),
    [
        ({"@misc": "AffinityPropagation.v1", "damping": 0.8}, "SilhouetteWithPrior.v1"),
        ({"@misc": "DistanceThreshold.v1", "threshold": 0.3}, "SilhouetteWithPrior.v1"),
        ({"@misc": "Length.v1"}, "SilhouetteWithPrior.v1"),
        ({"@misc": "Silhouette.v1", "centre": False}, "SilhouetteWithPrior.v1"),
        ({"@misc": "Agglomerative.v1", "linkage": "average"}, "DiffusionIclust.v1"),
        ({"@misc": "TextTiling.v1", "window": 3}, "KernelChangePoints.v1"),
    ],
)
def test_a_retired_name_warns_and_gives_what_takes_its_place(block, instead):
    block["@misc"] = f"spacy-thematic.{block['@misc']}"
    with pytest.warns(FutureWarning, match=f"{block['@misc']} is retired.*{instead}"):
        found = registry.resolve({"made": block})["made"]
    assert name_of(found) == name_of(registry.get("misc", f"spacy-thematic.{instead}")())


def test_a_retired_setting_warns():
    with pytest.warns(FutureWarning, match="annealed is retired"):
        registry.get("misc", "spacy-thematic.Iclust.v1")(annealed=True)


@pytest.mark.parametrize("name", ["BiGANEncoder", "GRUEncoder"])
def test_an_architecture_that_has_left_says_where_it_is(name):
    block = {"@architectures": f"spacy-thematic.{name}.v1", "hidden_width": 3}
    with pytest.raises(ValueError, match=f"Write papers.{name}.v1 in its place.*--code"):
        registry.resolve({"model": block})
