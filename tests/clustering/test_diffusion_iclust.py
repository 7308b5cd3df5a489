import numpy as np
import pytest
from spacy.util import registry

from spacy_thematic.clustering import diffusion
from spacy_thematic.clustering import diffusion_iclust as module
from spacy_thematic.clustering.diffusion_iclust import DiffusionIclust
from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.measures import clustering_agreement


def make_chains(seed):
    """Three themes of 30 sentences, each of which shares a word with the one before and after, in
    random order."""
    truth = np.repeat(range(3), 30)
    rows = np.zeros((90, 93), "f")
    for number, theme in enumerate(truth):
        rows[number, [number + theme, number + theme + 1]] = 1
    order = np.random.default_rng(seed).permutation(90)
    return rows[order], truth[order]


def agree(truth, labels):
    return clustering_agreement(truth, labels)["ami"]


def test_what_small_steps_lead_to_comes_together():
    # Many cosines are equal, so that the last bit of a sum may decide a single case.
    chains = [make_chains(seed) for seed in range(6)]
    diffused = [agree(truth, DiffusionIclust(weight=0)(rows, 3)) for rows, truth in chains]
    plain = [agree(truth, iclust(rows, 3)) for rows, truth in chains]
    assert np.mean(diffused) > np.mean(plain) + 0.1


def test_neighbours_attract_each_other_where_the_text_is_in_order(blobs):
    rows, truth = blobs
    noisy = rows + np.random.default_rng(1).normal(0, 0.6, rows.shape)
    in_order = np.argsort(truth, kind="stable")
    runs = DiffusionIclust()(noisy[in_order], 3)
    alone = DiffusionIclust(weight=0)(noisy[in_order], 3)
    assert agree(truth[in_order], runs) > agree(truth[in_order], alone) + 0.2
    shuffled = np.random.default_rng(1).permutation(60)
    assert module.show_order(module.unit_rows(noisy[shuffled])) == 0
    found = DiffusionIclust()(noisy[shuffled], 3)
    assert found.tolist() == DiffusionIclust(weight=0)(noisy[shuffled], 3).tolist()


def test_equal_sentences_are_not_divided():
    rows = np.repeat(np.eye(3, 8), 4, axis=0)
    assert DiffusionIclust()(rows, 6).tolist() == np.repeat(range(3), 4).tolist()


def test_of_many_sentences_a_sample_is_clustered(blobs, monkeypatch):
    rows, truth = blobs
    monkeypatch.setattr(diffusion, "SAMPLE", 20)
    monkeypatch.setattr(module, "SAMPLE", 20)
    assert agree(truth, DiffusionIclust()(rows, 3)) == 1


@pytest.mark.parametrize("options", [{"weight": -1}, {"window": 0}])
def test_settings_are_checked(options):
    with pytest.raises(ValueError, match="at least"):
        registry.misc.get("spacy-thematic.DiffusionIclust.v1")(**options)(np.eye(3), 2, 0)


def test_a_list_is_clustered_as_a_collection(blobs):
    rows, truth = blobs
    assert agree(truth, module.DiffusionIclust().cluster_list(rows, 3, 0)) == 1
