"""Names that go with the next release, in the configs of pipelines that are saved."""

import pytest
import spacy
from spacy.util import registry

from spacy_thematic.pipeline.settings_pipe import name_of
from spacy_thematic.retired import SHORT_NAMES


@pytest.mark.parametrize(
    ("block", "instead"),
    [
        ({"@misc": "AffinityPropagation.v1", "damping": 0.8}, "SilhouetteWithPrior.v1"),
        ({"@misc": "DistanceThreshold.v1", "threshold": 0.3}, "SilhouetteWithPrior.v1"),
        ({"@misc": "EqualLength.v1"}, "KernelChangePoints.v1"),
        ({"@misc": "RandomCuts.v1"}, "KernelChangePoints.v1"),
        ({"@misc": "NoCuts.v1"}, "KernelChangePoints.v1"),
    ],
)
def test_a_retired_name_warns_and_gives_what_takes_its_place(block, instead):
    block["@misc"] = f"spacy-thematic.{block['@misc']}"
    with pytest.warns(FutureWarning, match=f"{block['@misc']} is retired.*{instead}"):
        found = registry.resolve({"made": block})["made"]
    assert name_of(found) == name_of(registry.get("misc", f"spacy-thematic.{instead}")())


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_a_retired_short_name_does_too(name):
    is_chooser = name == "affinity_propagation"
    factory, setting = ("clusterer", "choose_k") if is_chooser else ("segmenter", "algorithm")
    pipes = []
    for value in (name, SHORT_NAMES[name]):
        nlp = spacy.blank("en")
        if value == name:
            with pytest.warns(FutureWarning, match=f"'{name}' is retired"):
                pipe = nlp.add_pipe(f"thematic_{factory}", config={setting: value})
        else:
            pipe = nlp.add_pipe(f"thematic_{factory}", config={setting: value})
        pipes.append(name_of(getattr(pipe, setting)))
    assert pipes[0] == pipes[1]


def test_a_retired_setting_warns():
    with pytest.warns(FutureWarning, match="annealed is retired"):
        registry.get("misc", "spacy-thematic.Iclust.v1")(annealed=True)


@pytest.mark.parametrize("name", ["Distillation", "SectionHeadings", "SkipThoughts"])
def test_an_objective_that_has_moved_is_read_and_says_where_it_is(name, tmp_path):
    block = {"@misc": f"spacy-thematic.{name}.v1", "weight": 2.0}
    nlp = spacy.blank("en")
    nlp.config["objectives"] = {"moved": block}
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).config["objectives"]["moved"] == block
    with pytest.raises(ValueError, match=rf"{name}\.v1 now, in projects/.*: name that"):
        registry.resolve({"moved": block})
