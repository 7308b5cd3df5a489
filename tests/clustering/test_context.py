import numpy as np
import pytest

from spacy_thematic.clustering.units import put_in_context
from spacy_thematic.rows import unit_rows


@pytest.fixture
def text():
    """Four runs of ten sentences."""
    rng = np.random.default_rng(0)
    return (np.repeat(np.eye(4, 16), 10, axis=0) + rng.normal(0, 0.3, (40, 16))).astype("f")


def test_in_order_neighbours_count_a_quarter_a_sixth_and_a_twelfth(text):
    found = put_in_context(text)
    weights = [1 / 12, 1 / 6, 1 / 4, 1, 1 / 4, 1 / 6, 1 / 12]
    np.testing.assert_allclose(found[20], np.average(text[17:24], axis=0, weights=weights), 1e-5)
    np.testing.assert_allclose(found[0], np.average(text[:4], axis=0, weights=weights[3:]), 1e-5)


def test_in_no_order_vectors_stay_as_they_are(text):
    shuffled = text[np.arange(40).reshape(4, 10).T.ravel()]
    assert put_in_context(shuffled).tolist() == shuffled.tolist()


def test_each_text_is_a_context_of_its_own(text):
    both = put_in_context(np.concatenate([text, text]), np.array([40]))
    assert both[:40].tolist() == both[40:].tolist()
    assert both[:40].tolist() == put_in_context(text).tolist()
    ends = np.arange(1, 40)
    assert put_in_context(text, ends).tolist() == text.tolist()


def test_sentences_come_nearer_to_the_theme_of_their_run(text):
    themes = np.repeat(np.eye(4, 16), 10, axis=0)
    alone = unit_rows(text, centre=False)
    within = unit_rows(put_in_context(text), centre=False)
    assert (within * themes).sum() > (alone * themes).sum() + 2


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_sentences(n):
    rows = np.eye(3, dtype="f")[:n]
    assert put_in_context(rows).tolist() == rows.tolist()
