import warnings

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from spacy_thematic.clustering import diffusion
from spacy_thematic.clustering.diffusion import diffuse
from spacy_thematic.clustering.diffusion_iclust import cluster_rows
from spacy_thematic.rows import unit_rows


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(diffusion, "SAMPLE", 20)


def test_finds_well_separated_clusters_from_a_sample(blobs, small_sample):
    rows, truth = blobs
    assert adjusted_rand_score(truth, cluster_rows(unit_rows(rows), 3, 0)) == 1.0


def test_rings_that_no_mean_tells_apart_are_found():
    """Each theme is a long chain in which only neighbours are alike."""
    angles = np.linspace(0, 1.5, 150)
    rng = np.random.default_rng(0)
    chains = []
    for first in (0, 2):
        rows = np.zeros((150, 6))
        rows[:, first], rows[:, first + 1] = np.cos(angles), np.sin(angles)
        chains.append(rows + 0.02 * rng.normal(size=rows.shape))
    rows = unit_rows(np.concatenate(chains), centre=False)
    rows[:, 4] += 1.0  # What all have in common.
    truth = np.repeat([0, 1], 150)
    assert adjusted_rand_score(truth, cluster_rows(unit_rows(rows), 2, 0)) == 1.0


def test_diffusion_brings_together_what_small_steps_join():
    rows = unit_rows(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1.0]]), centre=False)
    moved = diffuse(rows.astype("f"))
    assert moved.dtype == np.float32 and np.allclose(np.linalg.norm(moved, axis=1), 1)
    assert rows[0] @ rows[2] == 0 and moved[0] @ moved[2] > 0.7
    assert moved[3].tolist() == [0, 0, 1]
    assert not diffuse(np.zeros((3, 4), "f")).any()


@pytest.mark.parametrize("rows", [np.zeros((50, 4)), np.repeat(np.eye(4)[:1], 50, axis=0)])
def test_equal_rows_are_one_cluster_without_a_warning(small_sample, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cluster_rows(rows.astype("f"), 3, 0).tolist() == [0] * 50
