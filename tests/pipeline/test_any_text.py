"""Whatever the text: no error, nothing lost, and the same by whichever way it goes through the
components: alone, in a stream in any order, in threads, in other processes, in a memory zone."""

import multiprocessing
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import spacy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.conftest import assert_same_rows

COMPONENTS = (
    "thematic_layout",
    "sentencizer",
    "thematic_embedder",
    "thematic_segmenter",
    "thematic_clusterer",
)
SENTENCES = (
    "The river rises in the mountains. ",
    "His army lost the battle! ",
    "ירושלים היא עיר עתיקה. ",
    "النهر يفيض في الربيع. ",
    "東京は日本の首都です。河は海に流れる。",
    "Ça gèle\u202e, dit-elle ; 💧🏔️\u200d. ",
    "> quoted line\n",
    "From: a@b.org\n",
    "\n\n",
    "\x00\x07\x1b[2J",
    "\ud7ff\ufeff\ufffe\U0010ffff ",
    "a\u0301" * 20,
)
MIXED = st.lists(st.one_of(st.sampled_from(SENTENCES), st.text(max_size=12)), max_size=12)
TEXTS = st.one_of(st.text(max_size=200), MIXED.map("".join))
ODD = ["", " ", ".", *SENTENCES, "".join(SENTENCES) * 3, "x" * 9_000, "!?" * 1_000]
quick = settings(max_examples=20, deadline=None)


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    for name in COMPONENTS:
        nlp.add_pipe(name)
    return nlp


@pytest.fixture(scope="module")
def alone(nlp):
    return [nlp(text) for text in ODD]


@pytest.mark.parametrize("text", ["\u200b", "\x00 \x00", " \ufeff\n\x07"])
def test_a_text_that_shows_nothing_has_no_theme(nlp, text):
    assert not nlp(text)._.thematic_clusters
    assert len(nlp(f"{text}\n\nThe river rises.")._.thematic_clusters) == 1


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def outline(doc):
    """The bounds and names of segments and themes."""
    segments = [(one.span.start, one.span.end, one.name) for one in doc._.thematic_segments]
    themes = [
        (one.name, [(part.start, part.end) for part in one.sentences])
        for one in doc._.thematic_clusters
    ]
    return segments, themes


def assert_same(found, expected):
    assert found.text == expected.text
    assert_same_rows(found._.thematic_vectors, expected._.thematic_vectors)
    assert outline(found) == outline(expected)


def check(doc, text):
    assert doc.text == text
    sentences = doc.spans["thematic_sentences"]
    assert doc._.thematic_vectors.shape == (len(sentences), 256)
    assert np.isfinite(doc._.thematic_vectors).all()
    assert "".join(one.span.text_with_ws for one in doc._.thematic_segments) == text
    clustered = [part.start for one in doc._.thematic_clusters for part in one.sentences]
    starts = [sentence.start for sentence in sentences]
    assert len(clustered) == len(set(clustered))
    assert set(clustered) <= set(starts)
    assert all(one.name and one.sentences for one in doc._.thematic_clusters)


@given(TEXTS)
@example("&")
@quick
@example("".join(SENTENCES) * 20)
def test_nothing_is_lost_whatever_the_text(nlp, text):
    check(nlp(text), text)


@pytest.mark.parametrize("unit", ["x", "\u0301", "."])
def test_a_token_of_a_megabyte(nlp, unit):
    text = unit * nlp.max_length
    check(nlp(text), text)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.randoms(use_true_random=False))
@quick
def test_a_stream_in_any_order_gives_what_each_text_gives_alone(nlp, texts, random):
    order = random.sample(texts, len(texts))
    for text, doc in zip(order, nlp.pipe(order, batch_size=2)):
        assert_same(doc, nlp(text))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_give_the_same(nlp, alone, monkeypatch, method):
    monkeypatch.setattr("spacy.language.mp", multiprocessing.get_context(method))
    with warnings.catch_warnings():
        # Newer versions of Python warn of a fork beside threads; there are none that hold locks.
        warnings.simplefilter("ignore", DeprecationWarning)
        docs = list(nlp.pipe(ODD, n_process=2, batch_size=4))
    for doc, expected in zip(docs, alone, strict=True):
        assert_same(doc, expected)


def test_threads_give_the_same(nlp, alone):
    with ThreadPoolExecutor(6) as pool:
        for doc, expected in zip(pool.map(nlp, ODD * 2), alone * 2):
            assert_same(doc, expected)


def test_a_memory_zone_gives_the_same_and_leaves_no_word(nlp):
    text = "Quibbleries rise in zorbled mountains. The king fought wars. Quibbleries flood."
    with nlp.memory_zone():
        inside = outline(nlp(text))
    assert "Quibbleries" not in nlp.vocab.strings
    assert outline(nlp(text)) == inside


def test_cycles_of_adding_saving_and_removing_change_nothing(nlp, tmp_path):
    text = "".join(SENTENCES)
    expected = nlp(text)
    cycled = spacy.blank("en")
    for cycle in range(2):
        for name in COMPONENTS:
            cycled.add_pipe(name)
        assert_same(cycled(text), expected)
        cycled.to_disk(tmp_path / "saved")
        cycled = spacy.load(tmp_path / "saved")
        assert cycled.pipe_names == list(COMPONENTS)
        assert_same(cycled(text), expected)
        cycled = spacy.blank("en").from_bytes(cycled.to_bytes()) if cycle % 2 else cycled
        for name in cycled.pipe_names:
            cycled.remove_pipe(name)
        assert not cycled(text).spans
