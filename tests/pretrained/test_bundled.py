import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import numpy as np
import pytest
import spacy

from spacy_thematic.pretrained import BUNDLED, find_path, find_pretrained
from tests.conftest import assert_same_rows

TEXT = (
    "The glacier melts and feeds the river in the valley. Heavy rain floods the banks of the "
    "river each spring. The central bank raised its interest rates. Investors sold their shares, "
    "and prices on the stock market fell."
)
NAMES = sorted(BUNDLED)


def make(name="en_thematic_sm", lang="en"):
    nlp = spacy.blank(lang)
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder", config={"pretrained": name})
    return nlp


def cosines(doc):
    vectors = doc._.thematic_vectors
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.mark.parametrize("name", NAMES)
def test_themes_are_close_without_training(name):
    similar = cosines(make(name)(TEXT))
    assert similar[0, 1] > similar[0, 2:].max() + 0.05
    assert similar[2, 3] > similar[:2, 3].max() + 0.05


def test_the_small_one_is_the_default():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    assert np.array_equal(nlp(TEXT)._.thematic_vectors, make()(TEXT)._.thematic_vectors)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "sentence",
    ["Zxqvvy", "1984", "A", "ÉCOLE", "日本語", "🙂 x", "a" * 5000, "!!!", "don't", "ﬁ", "й"],
)
def test_every_sentence_has_a_vector(name, sentence):
    vectors = make(name)(sentence)._.thematic_vectors
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1).min() > 0


@pytest.mark.parametrize("name", NAMES)
def test_vectors_do_not_depend_on_the_batch(name):
    nlp = make(name)
    texts = [TEXT, "Snow.", "", "Alone in the valley.", TEXT * 30]
    together = [doc._.thematic_vectors for doc in nlp.pipe(texts, batch_size=5)]
    for text, vectors in zip(texts, together):
        assert_same_rows(nlp(text)._.thematic_vectors, vectors)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_pipeline_loads_without_the_bundled_file(name, tmp_path, monkeypatch):
    nlp = make(name)
    nlp.to_disk(tmp_path / "model")
    vectors = nlp(TEXT)._.thematic_vectors
    monkeypatch.setattr("spacy_thematic.pretrained.paths.BUNDLED", ())
    assert np.array_equal(spacy.load(tmp_path / "model")(TEXT)._.thematic_vectors, vectors)
    data = nlp.to_bytes()
    assert np.array_equal(make(None).from_bytes(data)(TEXT)._.thematic_vectors, vectors)


@pytest.mark.parametrize(("name", "megabytes"), [("en_thematic_sm", 21), ("en_thematic_md", 32)])
def test_a_saved_pipeline_is_about_as_small_as_the_bundled_file(name, megabytes):
    assert len(make(name).get_pipe("thematic_embedder").to_bytes()) < megabytes * 1e6


def test_weights_are_read_once_and_shared():
    tables = [make().get_pipe("thematic_embedder") for _ in range(2)]
    for pipe in tables:
        pipe.encode([], [])
    shared = [
        node.get_param("E")
        for pipe in tables
        for node in pipe.model.walk()
        if node.name == "learned_word_vectors"
    ]
    first, second = np.array_split(np.arange(len(shared)), 2)
    assert all(np.shares_memory(shared[i], shared[j]) for i, j in zip(first, second))
    assert shared[0].dtype == np.int8


@pytest.mark.parametrize("name", NAMES)
def test_threads_may_share_a_pipeline(name):
    nlp = make(name)
    texts = [TEXT * 10, TEXT, "Snow fell on the mountain."]
    expected = [nlp(text)._.thematic_vectors for text in texts]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda text: nlp(text)._.thematic_vectors, texts * 12))
    assert all(np.array_equal(a, b) for a, b in zip(found, expected * 12))


@pytest.mark.parametrize("name", NAMES)
def test_threads_may_share_a_pipeline_that_has_read_no_weights_yet(name):
    expected = make(name)(TEXT)._.thematic_vectors
    for _ in range(3):
        with ThreadPoolExecutor(8) as pool:
            found = pool.map(partial(encode_together, make(name), Barrier(8)), [TEXT] * 8)
            assert all(np.array_equal(vectors, expected) for vectors in found)


def encode_together(nlp, start, text):
    start.wait()
    return nlp(text)._.thematic_vectors


def test_white_space_is_no_sentence():
    doc = make()("\n\n" + TEXT + "\n")
    assert len(doc._.thematic_vectors) == 4
    assert (np.linalg.norm(doc._.thematic_vectors, axis=1) > 0).all()


def test_vectors_of_two_models_are_not_compared():
    small, other = (make(name)(TEXT)[:5] for name in ("en_thematic_md", "en_thematic_sm"))
    with pytest.raises(ValueError, match="640 and 256 wide"):
        small._.thematic_similarity(other)


def test_initialize_keeps_the_weights():
    nlp = make()
    before = nlp(TEXT)._.thematic_vectors
    nlp.initialize()
    assert np.array_equal(nlp(TEXT)._.thematic_vectors, before)


@pytest.mark.parametrize("name", NAMES)
def test_training_starts_from_the_weights(name, examples):
    nlp, other = make(name), make(name)
    nlp.initialize(lambda: examples)
    optimizer = nlp.create_optimizer()
    first = nlp.update(examples, sgd=optimizer)["thematic_embedder"]
    for _ in range(2):
        last = nlp.update(examples, sgd=optimizer)["thematic_embedder"]
    assert last < first
    changed = nlp(TEXT)._.thematic_vectors
    untouched = other(TEXT)._.thematic_vectors
    assert not np.array_equal(changed, untouched)
    assert np.array_equal(make(name)(TEXT)._.thematic_vectors, untouched)


def test_null_is_a_blank_model():
    nlp = make(None)
    with pytest.raises(ValueError, match="has not been trained"):
        nlp(TEXT)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match='"en_big".*en_thematic_md, en_thematic_sm'):
        make("en_big")


def test_another_language_is_warned_of_once():
    with pytest.warns(UserWarning, match='for the language "en".*"de"') as found:
        nlp = make(lang="de")
    assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp("Der Fluss steigt.")
        list(nlp.pipe(["Das Tal.", "Der Fluss."], n_process=2))


def test_a_saved_pipeline_of_another_language_is_warned_of_unless_it_was_trained(tmp_path):
    with pytest.warns(UserWarning):
        nlp = make(lang="de")
    nlp.to_disk(tmp_path)
    with pytest.warns(UserWarning, match='for the language "en".*"de"') as found:
        spacy.load(tmp_path)
    assert len(found) == 1
    nlp.initialize()
    nlp.to_disk(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spacy.load(tmp_path)("Der Fluss steigt.")


def test_sizes_are_those_promised():
    for name, limit in (("en_thematic_sm", 19e6), ("en_thematic_md", 29.8e6)):
        path = find_path(name)
        assert path.stat().st_size <= limit
        assert path.with_suffix(".md").read_text(encoding="utf8").count(f"\n# {name}\n") == 1


@pytest.mark.parametrize("name", NAMES)
def test_words_are_in_the_order_of_their_keys(name):
    arrays = find_pretrained(name).state.arrays
    for keys in (array for array_name, array in arrays.items() if array_name.endswith(".keys")):
        assert (np.diff(keys) > 0).all()
