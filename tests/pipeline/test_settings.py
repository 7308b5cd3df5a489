"""The settings of components are the same from each door, and are checked at each."""

import pickle
from dataclasses import fields, replace

import numpy as np
import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import SpanGroup

from spacy_thematic.pipeline.clusterer import CLUSTERERS, K_CHOOSERS
from spacy_thematic.pipeline.segmenter import SEGMENTERS
from spacy_thematic.pipeline.settings_pipe import name_of

TEXT = "Bees make wax.\nShips cross seas! Bees dance.\n\nShips sink, Kings rule. Kings fall"
COMPONENTS = "thematic_layout", "thematic_sentencizer", "thematic_segmenter", "thematic_clusterer"


@Language.component("letter_vectors")
def letter_vectors(doc):
    """Stands in for the embedder: one direction for each first letter."""
    sentences = list(doc.sents)
    letters = [ord(sentence.text[0].lower()) % 32 for sentence in sentences]
    doc._.thematic_vectors = np.eye(32, dtype=np.float32)[letters] + np.float32(0.01)
    doc.spans["thematic_sentences"] = SpanGroup(doc, name="thematic_sentences", spans=sentences)
    return doc


def make_nlp(factory="", config=None):
    nlp = spacy.blank("en")
    for name in COMPONENTS:
        nlp.add_pipe(name, config=config if name == factory and config else {})
        if name == "thematic_sentencizer":
            nlp.add_pipe("letter_vectors")
    return nlp


def describe(nlp, with_output=True):
    """The settings of all components, and what they do."""
    found = []
    for name in COMPONENTS:
        pipe = nlp.get_pipe(name)
        for field in fields(pipe.settings):
            value = getattr(pipe, field.name)
            found.append((name, field.name, name_of(value) if callable(value) else value))
    if with_output:
        doc = nlp(TEXT)
        for key in ("thematic_sentences", "thematic_segments", "thematic_clusters"):
            found.append([(span.start, span.end, span.label_, span.id) for span in doc.spans[key]])
    return found


# Names that a config file reads as comments, as values, as variables or as functions.
NAMES = st.sampled_from(
    ["sea", "#1", "a:b", "a=b", "${x}", "$x", "@misc", " a", "[b]", "a.b\nc", "a: $5"]
)
COUNTS = st.sampled_from([0, 1, 2, np.int64(3), -1, 2**32, 1.5, np.float64(2), True, "2", None])
FLAGS = st.sampled_from([True, False, np.False_, 1, "yes", None])
SETTINGS = {
    ("thematic_layout", "lines"): st.sampled_from(["auto", "yes", "no", "sometimes", 1]),
    ("thematic_sentencizer", "punct_chars"): st.sampled_from([None, ["!"], [".", ","], "!", [1]]),
    ("thematic_sentencizer", "overwrite"): FLAGS,
    ("thematic_segmenter", "algorithm"): st.sampled_from([*SEGMENTERS, "texttiling", 1]),
    ("thematic_segmenter", "n"): COUNTS | st.just("auto"),
    ("thematic_segmenter", "max_size"): COUNTS,
    ("thematic_segmenter", "unit"): st.sampled_from(["sentences", "tokens", "characters", "lines"]),
    ("thematic_segmenter", "embedder"): st.sampled_from(["thematic_embedder", "", None]),
    **{("thematic_segmenter", name): COUNTS for name in ("min_size", "levels", "seed")},
    **{("thematic_segmenter", name): COUNTS for name in ("n_keywords",)},
    ("thematic_segmenter", "headings"): FLAGS,
    ("thematic_clusterer", "algorithm"): st.sampled_from([*CLUSTERERS, "k-means", 1]),
    ("thematic_clusterer", "choose_k"): st.sampled_from([*K_CHOOSERS, "elbow", None]),
    ("thematic_clusterer", "units"): st.sampled_from(["segments", "sentences", "words", 3]),
    ("thematic_clusterer", "embedder"): st.sampled_from(["thematic_embedder", "", 3]),
    **{("thematic_clusterer", name): COUNTS | st.just("auto") for name in ("k", "max_k")},
    **{("thematic_clusterer", name): COUNTS for name in ("seed", "n_keywords", "n_broader")},
    ("thematic_clusterer", "outlier_threshold"): st.sampled_from(
        [None, 0.5, np.float32(0.5), 1, 2, -0.1, True, "0.5"]
    ),
    ("thematic_clusterer", "set_aside"): FLAGS,
    ("thematic_clusterer", "headings"): FLAGS,
    ("thematic_clusterer", "seed_themes"): st.dictionaries(
        NAMES, st.lists(st.sampled_from(["bee", "${y}"]), max_size=2).map(tuple), max_size=3
    )
    | st.sampled_from([{"": ["a"]}, {"a": "b"}, [], "sea", None]),
}
CHOICES = st.sampled_from(sorted(SETTINGS)).flatmap(
    lambda key: st.tuples(st.just(key), SETTINGS[key])
)


def to_json(value):
    """What of Python a config can be given."""
    if isinstance(value, np.generic):
        return value.item()
    return {k: list(v) for k, v in value.items()} if isinstance(value, dict) else value


def attempt(make):
    try:
        return make()
    except ValueError as error:
        return str(error)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved")
    make_nlp().to_disk(path / "plain")
    return path


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(CHOICES)
def test_each_door_gives_the_same_settings_or_the_same_error(saved, choice):
    (factory, name), value = choice

    def by_attribute():
        nlp = make_nlp()
        setattr(nlp.get_pipe(factory), name, value)
        return nlp

    def by_override():
        override = {"components": {factory: {name: to_json(value)}}}
        return spacy.load(saved / "plain", config=override)

    nlp = attempt(by_attribute)
    config = {name: to_json(value)}
    # spaCy takes names in a config with an "@" for functions.
    is_block = isinstance(value, dict) and any(key.startswith("@") for key in value)
    other_doors = [] if is_block else [lambda: make_nlp(factory, config)]
    # spaCy reads an override as what it writes into a config file, with its variables.
    if not isinstance(value, dict):
        other_doors.append(by_override)
    others = list(map(attempt, other_doors))
    if isinstance(nlp, str):
        # A config has numbers of Python.
        assert others == [nlp.replace(repr(value), repr(to_json(value)))] * len(others)
        return
    nlp.to_disk(saved / "model")
    loaded = spacy.load(saved / "model")
    others += [
        spacy.blank("en").from_config(nlp.config),
        make_nlp().from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(nlp)),
    ]
    for other in [loaded, *others]:
        assert describe(other, with_output=False) == describe(nlp, with_output=False)
        assert other.config["components"] == nlp.config["components"]
    # Without an embedder no seed theme is encoded.
    if not (name == "seed_themes" and value):
        assert describe(loaded) == describe(nlp)


@pytest.mark.parametrize("value", ["auto", 2])
def test_an_override_wins_over_what_was_changed(value, tmp_path):
    nlp = make_nlp("thematic_clusterer", {"max_k": 9})
    nlp.get_pipe("thematic_clusterer").k = 3
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path, config={"components.thematic_clusterer.k": value})
    assert loaded.get_pipe("thematic_clusterer").k == value
    assert loaded.get_pipe("thematic_clusterer").max_k == 9
    loaded.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe("thematic_clusterer").k == value


def test_a_pipeline_is_reset_to_what_was_saved(tmp_path):
    saved = make_nlp("thematic_clusterer", {"k": 3, "algorithm": "kmeans"})
    saved.to_disk(tmp_path)
    for made in (make_nlp(), make_nlp("thematic_clusterer", {"k": 2, "max_k": 9})):
        made.get_pipe("thematic_clusterer").seed = 5
        assert describe(made.from_disk(tmp_path)) == describe(saved)


@pytest.mark.parametrize(
    "factory, config",
    [
        ("thematic_layout", {"lines": "yes"}),
        ("thematic_sentencizer", {"punct_chars": ["!"]}),
        ("thematic_clusterer", {"k": 3}),
    ],
)
def test_a_component_by_itself_is_saved_whole(factory, config, tmp_path):
    nlp, other = make_nlp(factory, config), make_nlp()
    (tmp_path / "config.cfg").write_text("[nlp]\n")
    nlp.get_pipe(factory).to_disk(tmp_path / "pipe")
    other.get_pipe(factory).from_disk(tmp_path / "pipe")
    assert describe(other) == describe(nlp)


def test_bytes_hold_the_settings_that_the_config_gave():
    data = make_nlp("thematic_clusterer", {"k": 1, "seed_themes": {}}).to_bytes()
    other = make_nlp("thematic_clusterer", {"k": 3, "max_k": 9}).from_bytes(data)
    assert other.get_pipe("thematic_clusterer").k == 1
    assert other.get_pipe("thematic_clusterer").max_k == "auto"


@pytest.mark.parametrize("is_attribute", [False, True])
def test_a_seed_theme_whose_name_has_a_dollar_is_saved(is_attribute, tmp_path):
    seed_themes = {"Price: $5": ["cost"]}
    nlp = make_nlp("thematic_clusterer", {} if is_attribute else {"seed_themes": seed_themes})
    if is_attribute:
        nlp.get_pipe("thematic_clusterer").seed_themes = seed_themes
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe("thematic_clusterer").seed_themes == seed_themes


@pytest.mark.parametrize("seed_themes", [{"\ud800": ["river"]}, {"war": ["\udfff"]}])
def test_half_a_surrogate_pair_is_refused(seed_themes):
    with pytest.raises(ValueError, match="Expected seed_themes"):
        make_nlp().get_pipe("thematic_clusterer").seed_themes = seed_themes


def test_what_was_saved_before_loads_as_it_did(tmp_path):
    """Versions to 0.1 saved changes beside a config that did not have them."""
    nlp = make_nlp()
    nlp.to_disk(tmp_path)
    (tmp_path / "thematic_clusterer" / "settings.json").write_text('{"k": 3}')
    for key, expected in ((3, 3), (4, 4)):
        override = {} if key == 3 else {"components.thematic_clusterer.k": key}
        assert spacy.load(tmp_path, config=override).get_pipe("thematic_clusterer").k == expected
    (tmp_path / "thematic_layout" / "settings.json").unlink()
    (tmp_path / "thematic_layout").rmdir()
    (tmp_path / "thematic_sentencizer" / "settings.json").unlink()
    (tmp_path / "thematic_sentencizer").rmdir()
    former = tmp_path / "thematic_sentencizer.json"
    former.write_text('{"punct_chars": ["!"], "overwrite": false}')
    assert spacy.load(tmp_path).get_pipe("thematic_sentencizer").punct_chars == {"!"}


def test_what_was_changed_after_sourcing_is_saved(tmp_path):
    source, target = make_nlp(), spacy.blank("en")
    target.add_pipe("thematic_clusterer", source=source)
    target.get_pipe("thematic_clusterer").k = 3
    target.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe("thematic_clusterer").k == 3


@pytest.mark.parametrize("name", COMPONENTS)
def test_there_are_no_other_attributes(name):
    with pytest.raises(AttributeError, match="Expected a setting of thematic_.*, found 'kk'"):
        make_nlp().get_pipe(name).kk = 3


def test_a_block_may_be_set_too(tmp_path):
    nlp = make_nlp()
    nlp.get_pipe("thematic_clusterer").algorithm = {
        "@misc": "spacy-thematic.KMeans.v1",
        "n_init": 2,
    }
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe("thematic_clusterer").algorithm.keywords["n_init"] == 2


def one_theme(vectors, k, seed):
    return np.zeros(len(vectors), int)


def test_a_function_of_the_user_is_pickled_and_is_not_saved(tmp_path):
    nlp = make_nlp()
    clusterer = nlp.get_pipe("thematic_clusterer")
    clusterer.settings = replace(clusterer.settings, algorithm=one_theme)
    copy = pickle.loads(pickle.dumps(nlp))
    assert copy.get_pipe("thematic_clusterer").algorithm is one_theme
    for save in (nlp.to_bytes, lambda: nlp.to_disk(tmp_path)):
        with pytest.raises(ValueError, match="algorithm of thematic_clusterer is <function one_th"):
            save()
