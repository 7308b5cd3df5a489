import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.clustering.seeds import cluster_around_seeds, encode_seeds, find_embedder


def test_rows_go_to_the_nearest_seed(blobs):
    rows, truth = blobs
    seeds = np.eye(3, 20)[[2, 0, 1]]
    labels = cluster_around_seeds(rows, seeds, iclust, 3, 0)
    assert np.array([2, 0, 1])[labels].tolist() == truth.tolist()


def test_rows_like_no_seed_are_clustered_among_themselves(blobs):
    rows, truth = blobs
    labels = cluster_around_seeds(rows, np.eye(1, 20), iclust, 3, 0)
    assert ((labels == 0) == (truth == 0)).all()
    assert len({(label, kind) for label, kind in zip(labels, truth)}) == 3


def test_the_length_of_a_seed_makes_no_difference(blobs):
    rows, _ = blobs
    seeds = np.eye(2, 20)
    expected = cluster_around_seeds(rows, seeds, iclust, 3, 0).tolist()
    assert cluster_around_seeds(100 * rows, seeds, iclust, 3, 0).tolist() == expected


def test_a_single_row_has_its_seed():
    seeds = np.eye(2, 3)
    assert cluster_around_seeds(np.array([[0.1, 0.9, 0]]), seeds, iclust, 2, 0).tolist() == [1]


def test_rows_of_zeros_are_no_error():
    labels = cluster_around_seeds(np.zeros((3, 4)), np.eye(2, 4), iclust, 4, 0)
    assert labels.shape == (3,)


class Lengths:
    """Stands in for the embedder: the direction is the first letter, the length that of the text.
    Texts that start with x are unknown."""

    def encode(self, docs, spans):
        return [
            np.array([[len(s.text) * (s.text[0] == letter) for letter in "ab"] for s in group], "f")
            for group in spans
        ]


def test_examples_of_a_seed_count_alike(monkeypatch):
    monkeypatch.setattr("spacy_thematic.clustering.seeds.find_embedder", lambda nlp: Lengths())
    rows = encode_seeds(spacy.blank("en"), {"one": ["a", "bbbbbb", "x"], "two": ["bb"]})
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5], [0, 1]])


@pytest.mark.parametrize("examples", [[], ["x", "xx"]])
def test_a_seed_without_known_words_is_named(monkeypatch, examples):
    monkeypatch.setattr("spacy_thematic.clustering.seeds.find_embedder", lambda nlp: Lengths())
    with pytest.raises(ValueError, match="'two' has no example"):
        encode_seeds(spacy.blank("en"), {"one": ["a"], "two": examples})


def test_a_pipeline_without_embedder_is_an_error():
    with pytest.raises(ValueError, match='no "thematic_embedder", only'):
        find_embedder(spacy.blank("en"))
