"""Regression trees."""

import numpy as np

from spacy_thematic.segmentation.gaps import load_trees


def test_items_are_asked_in_pieces(monkeypatch):
    trees = load_trees()
    rng = np.random.default_rng(0)
    known = {name: rng.normal(size=50) for name in trees.names}
    whole = trees(known)
    monkeypatch.setattr("spacy_thematic.trees._PIECE", 7)
    assert np.ptp(whole) > 0
    assert trees(known).tolist() == whole.tolist()
    assert trees({name: values[:0] for name, values in known.items()}).shape == (0,)
