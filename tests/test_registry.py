"""Every declared entry point exists, under the name it is declared by."""

import inspect
from importlib.metadata import entry_points

import pytest
from spacy.util import registry

GROUPS = {
    "spacy_architectures": "architectures",
    "spacy_callbacks": "callbacks",
    "spacy_readers": "readers",
    "spacy_scorers": "scorers",
    "spacy_misc": "misc",
    "thinc_losses": "losses",
}
OURS = [
    (group, point)
    for group in (*GROUPS, "spacy_factories", "spacy_cli")
    for point in entry_points(group=group)
    if point.value.startswith("spacy_thematic")
]


@pytest.mark.parametrize(("group", "point"), OURS, ids=lambda value: getattr(value, "name", value))
def test_entry_points_load_and_are_registered_under_their_name(group, point):
    loaded = point.load()
    if group in GROUPS:
        assert registry.get(GROUPS[group], point.name) is loaded
    else:
        assert loaded is not None


def test_every_registered_function_is_declared():
    declared = {(group, point.name) for group, point in OURS}
    for _, point in OURS:
        point.load()
    for group, name in GROUPS.items():
        for key in getattr(registry, name).get_all():
            if key.startswith("spacy-thematic."):
                assert (group, key) in declared


@pytest.mark.parametrize(
    "point",
    [point for group, point in OURS if group != "spacy_cli"],
    ids=lambda point: point.name,
)
def test_older_versions_of_confection_can_read_the_signature(point):
    """Up to 0.1.5, which thinc up to 8.3.10 comes with, it resolves no names but those of
    builtins, and asks of each argument whether it is an instance of its type."""
    for name, parameter in inspect.signature(point.load()).parameters.items():
        annotation = parameter.annotation
        if isinstance(annotation, str):
            eval(annotation, {})
        elif getattr(annotation, "_is_protocol", False):
            assert not isinstance(None, annotation), name
