import numpy as np

from spacy_thematic.segmentation.pairs import Shapes, load_shapes, measure_pairs

RNG = np.random.default_rng(0)
VECTORS, LOG_ODDS = RNG.normal(size=(6, 4)), RNG.normal(size=5)
WORDS = [{"sea"}, {"sea", "fish"}, set(), {"tax"}, {"tax", "law"}, {"sea"}]


def measure(**others):
    known = {"vectors": VECTORS, "log_odds": LOG_ODDS, "words": WORDS, **others}
    return dict(measure_pairs(**known))


def test_pairs_are_in_the_order_of_condensed_matrices():
    found = measure()
    assert found["distance"].tolist() == [1, 2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 1, 2, 1]
    assert found["highest"][:5].tolist() == np.maximum.accumulate(LOG_ODDS).tolist()
    assert np.allclose(found["passed"][:5], np.logaddexp(0, LOG_ODDS).cumsum())
    assert np.isnan(found["paragraphs"]).all()
    ends = np.array([0, 1, 0, 0, 1])
    assert measure(ends=ends)["paragraphs"][:5].tolist() == [0, 1, 1, 1, 2]
    assert {*found} == {*load_shapes().limits}


def test_cosines_count_beside_those_of_the_text():
    """So encoders whose vectors are all much alike are read as others are."""
    near = measure()["near"]
    assert np.isclose(near.mean(), 0, atol=1e-6) and np.isclose(near.std(), 1)
    assert np.allclose(near, measure(vectors=3 * VECTORS)["near"], atol=1e-4)
    assert not measure(vectors=np.ones((6, 4)))["near"].any()


def test_words_count_with_those_around_them():
    found = measure(words=[{"sea"}, *[()] * 4, {"sea"}])["words"]
    assert found[4] == 1 and found[0] == 1  # The first with the last, and with the one beside it.
    weights = {"a": np.log(8 / 1.5), "b": np.log(8 / 2.5)}  # Of one sentence, and of two, of seven.
    words = [{"a", "b"}, *[()] * 5, {"b"}]
    found = measure(vectors=np.eye(7), log_odds=np.zeros(6), words=words)["words"]
    assert np.isclose(found[5], weights["b"] / np.hypot(*weights.values()))


def test_shapes_add_up_and_what_is_not_known_has_its_own():
    shapes = Shapes(
        0.5,
        {"near": np.array([0.0, 1.0, np.inf]), "far": np.array([np.inf])},
        {"near": np.array([1.0, 2.0, 3.0, 9.0]), "far": np.array([10.0, 20.0])},
    )
    near = np.array([-5.0, 0.0, 0.5, 7.0, np.nan])
    far = np.array([0.0, np.nan, 0.0, 0.0, 0.0])
    assert shapes(iter([("near", near), ("far", far)])).tolist() == [11.5, 21.5, 12.5, 13.5, 19.5]
