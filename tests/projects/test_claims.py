"""The papers' figures and claims in `claims.py`, against the numbers as they are printed."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import torch
from thinc.api import Config, NumpyOps

import claims
from paper_nets import CONFIG
from spacy_thematic.losses.targets import Targets
from spacy_thematic.losses.triplet import SoftmaxRatio
from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

# Ein Dor et al. (2018). Table 3, then tables 4 and 5 by rows: mean-vectors, skip-thoughts,
# rand-article, sen, titles, sen-titles.
TABLE_3 = "0.65 0.615 0.547 0.74"
ICLUST = """
0.811 0.222 0.774 0.154
0.656 0.125 0.747 0.087
0.885 0.266 0.787 0.192
0.935 0.296 0.801 0.224
0.904 0.273 0.799 0.206
0.945 0.303 0.803 0.230
"""
KMEANS = """
0.706 0.153 0.7760 0.103
0.624 0.099 0.745 0.067
0.793 0.205 0.775 0.145
0.873 0.257 0.791 0.195
0.836 0.231 0.786 0.172
0.873 0.258 0.791 0.194
"""
TABLE_5 = """
0.757 0.673 0.4557
0.858 0.791 0.287
0.797 0.704 0.372
0.786 0.685 0.393
0.818 0.724 0.339
"""
TABLE_6 = "4.5 4.2 4.5 3.4 4.1 3.8"
# Zamorski & Zieba (2019), tables 1 to 8: Triplet, BiGAN, Triplet BiGAN.
IMAGES = """
16 32 64 128 | 44.42 45.56 52.32 46.15 | 41.30 43.81 48.50 49.13 | 61.08 62.40 63.14 53.92
16 32 64 256 | 66.12 69.96 71.11 71.54 | 44.65 53.80 62.35 17.48 | 71.43 75.65 79.12 78.86
100 200 400 500 | 28.80 34.81 40.12 52.32 | 42.73 45.06 47.67 41.30 | 53.15 52.02 57.45 63.14
100 200 400 | 66.48 71.11 73.76 | 61.16 62.35 58.94 | 72.40 79.12 82.21
16 32 64 128 | .4993 .5134 .5235 .5197 | .1458 .1433 .1634 .1620 | .6292 .6457 .6528 .3748
16 32 64 256 | .6855 .7224 .7474 .6989 | .1492 .1582 .1748 .1633 | .7201 .7633 .8002 .7931
100 200 400 500 | .3732 .4027 .4778 .5235 | .1681 .1666 .1645 .1634 | .5628 .5487 .5966 .6528
100 200 400 | .6323 .7474 .7490 | .1737 .1748 .1655 | .7300 .8002 .8198
"""


def read(text):
    return [[float(cell) for cell in line.split()] for line in text.strip().splitlines()]


# What the text paper says, or shows: rows, section, number of measures.
CLAIMS = """
sen | mean-vectors | 5.1, tables 3 and 4 | 6
sen | skip-thoughts | 5.1, tables 3 and 4 | 6
titles | skip-thoughts | 5.1, table 4 | 5
sen-titles-plain | skip-thoughts | 5.1, table 4 | 5
rand-article | skip-thoughts | 5.1, table 4 | 5
mean-vectors | skip-thoughts | 5.1, tables 3 and 4 | 6
skip-thoughts | skip-thoughts | 5.1, table 3 | 2
titles | mean-vectors | 5.1, table 4 | 5
sen | titles | 5.1, table 4 | 5
sen-titles-plain | mean-vectors | 5.1, table 4 | 5
sen-titles-plain | sen | 5.1, table 4 | 5
sen-titles-plain | titles | 5.1, table 4 | 5
rand-article | mean-vectors | table 4 | 5
sen | rand-article | 5.1, table 4 | 5
titles | rand-article | table 4, not said | 5
sen-titles-plain | rand-article | table 4, not said | 5
sen | rand-section | 5.1 | 2
sen | sen | table 4, not said | 2
mean-vectors | mean-vectors | table 4, not said | 2
sen | sen | footnote 4 | 1
sen | L2 | 4 | 2
sen | cosine | 4 | 2
sen | margin-cosine | 4 | 2
sen | siamese | 2, of Hoffer & Ailon | 2
sen | mean-vectors | 5.2, table 5 | 3
titles | mean-vectors | 5.2, table 5 | 3
sen-titles-plain | mean-vectors | 5.2 | 3
sen | titles | 5.2, table 5 | 3
sen-titles-plain | sen | 5.2, table 5 | 3
sen-titles-plain | titles | 5.2, table 5 | 3
skip-thoughts | mean-vectors | table 5, not said | 3
skip-thoughts | sen-titles-plain | 5.2, table 5 | 3
"""


def test_the_claims_of_the_text_paper():
    found = Counter((e.first, e.second, e.section) for e in claims.CLAIMS)
    lines = [" | ".join([*key, str(number)]) for key, number in found.items()]
    assert lines == CLAIMS.strip().splitlines()
    # Every two rows of table 4.
    both = ("AMI max, Iclust",) * 2
    pairs = {frozenset((e.first, e.second)) for e in claims.CLAIMS if e.measures == both}
    assert {frozenset(pair) for pair in combinations(claims.CLUSTERING, 2)} <= pairs


def test_the_claims_of_the_image_paper():
    found = [(c.first, c.second, c.section, c.measures) for c in claims.IMAGE_CLAIMS]
    triplet, bigan, both = claims.MODELS
    assert found == [
        (both, triplet, "4.1, tables 1 to 8", ("accuracy", "mAP")),
        (both, bigan, "4.1, tables 1 to 8", ("accuracy", "mAP")),
        (triplet, bigan, "4.1, tables 5 to 8", ("mAP",)),
        (triplet, bigan, "tables 1 to 4, not said", ("accuracy",)),
    ]
    assert (claims.GAIN, claims.NEAR_CHANCE) == ((0.05, 0.15), 0.2)
    for measure in ("accuracy", "mAP"):
        by_m, by_n = (claims.compare_ends(measure, kind) for kind in "mn")
        assert by_m["SVHN"] > 0 > by_m["CIFAR10"]  # On SVHN only, as the claim says.
        assert min(by_n.values()) > 0
    assert "on SVHN only" in claims.IMAGE_ENDS["m"][0] and set(claims.IMAGE_ENDS) == {"m", "n"}


def test_the_figures_of_the_text_paper():
    assert claims.ARTICLES == 809_000
    assert claims.BENCHMARK == (692, 67)
    assert claims.SENTENCE_TRIPLETS == (1_780_000, 220_000, 223_000)
    assert claims.TITLE_TRIPLETS == (1_380_000, 172_000, 173_000)
    found = [value for row in claims.DISTANCE.values() for value in row.values()]
    assert found == read(TABLE_3)[0]
    for algorithm, printed in ((claims.ICLUST, ICLUST), (claims.KMEANS, KMEANS)):
        assert [list(row[algorithm]) for row in claims.CLUSTERING.values()] == read(printed)
    assert list(map(list, claims.RELATEDNESS.values())) == read(TABLE_5)
    assert [value for pair in claims.EXAMPLES.values() for value in pair] == read(TABLE_6)[0]


def test_the_figures_of_the_image_paper():
    printed = [line.split(" | ") for line in IMAGES.strip().splitlines()]
    assert len(printed) == len(claims.IMAGES)
    for (keys, *models), ((_, measure, _), table) in zip(printed, claims.IMAGES.items()):
        assert list(table) == [int(key) for key in keys.split()]
        scale = 100 if measure == claims.ACCURACY else 1
        columns = [[float(value) / scale for value in values.split()] for values in models]
        assert np.allclose(list(zip(*columns)), list(table.values()), atol=1e-9)


@pytest.mark.parametrize("effect", claims.CLAIMS, ids=lambda e: f"{e.claim}, {e.measures[0]}")
def test_a_claim_of_the_text_paper_is_true_of_its_own_tables(effect):
    found = effect.find_in_paper()
    if found is None:  # Said, but in no table.
        assert effect.section[0] in "245f" and effect.first in ("sen", "skip-thoughts")
    else:
        assert found * effect.sign > 0
    # No row of ours is in them, and of joined vectors the plain ones, as in the paper.
    rows = {"sif", "sen-drop-0.8", "titles-drop-0.8", "sen-titles"}
    assert not rows & {effect.first, effect.second}


def test_effects_are_differences_of_the_papers_figures():
    found = {
        (e.first, e.second, e.measures[e.first != e.second]): e.find_in_paper()
        for e in claims.CLAIMS
    }
    assert found["sen", "mean-vectors", "accuracy, cosine"] == pytest.approx(0.09)
    assert found["sen", "mean-vectors", "AMI max, Iclust"] == pytest.approx(0.074)
    assert found["rand-article", "mean-vectors", "AMI max, Iclust"] == pytest.approx(0.044)
    assert found["sen", "rand-article", "AMI max, Iclust"] == pytest.approx(0.030)
    assert found[claims.PLAIN, "sen", "AMI max, Iclust"] == pytest.approx(0.007)
    assert found["sen", "mean-vectors", "Pearson"] == pytest.approx(0.040)
    assert found["sen", "mean-vectors", "MSE"] == pytest.approx(-0.0837)
    assert found["sen", "sen", "AMI max, Iclust"] == pytest.approx(0.039)


def test_the_image_claims_are_true_of_the_papers_tables_but_where_they_say_so():
    for claim in claims.IMAGE_CLAIMS:
        a, b = (claims.MODELS.index(name) for name in (claim.first, claim.second))
        false = [
            (images, measure, key)
            for (images, measure, _), table in claims.IMAGES.items()
            for key, row in table.items()
            if measure in claim.measures and row[a] <= row[b]
        ]
        if "on CIFAR10 only" in claim.claim:
            assert {images for images, _, _ in false} == {"CIFAR10"}
            assert sorted(key for _, _, key in false) == [100, 128, 200, 400]
        elif claim.claim == "Triplet BiGAN is above Triplet":
            assert false == [("CIFAR10", claims.MAP, 128)]
        else:
            assert not false


def test_the_contradictions_are_in_the_numbers():
    text = "\n".join(claims.list_contradictions())
    assert "(0.194) is below that of sentences (0.195)" in text
    assert "has 0.4130, the value of m = 16 in table 1, which has 0.4850" in text
    assert "by every measure but k-means RI (0.775, 0.776)" in text
    foreign, mean = (np.array([v for some in claims.CLUSTERING[row].values() for v in some])
                     for row in ("rand-article", "mean-vectors"))  # fmt: skip
    assert (foreign < mean).tolist() == [False] * 6 + [True, False]
    assert "0.035 to 0.190, 3 of 13 outside besides the one (-0.145)" in text
    plain, sen = (claims.CLUSTERING[row][claims.KMEANS] for row in (claims.PLAIN, "sen"))
    assert plain[0] == sen[0] and plain[2] == sen[2] and plain[3] < sen[3]
    # One variable explains the other: MI in nats, which chance does not have at 0.
    rows = np.array([v for row in claims.CLUSTERING.values() for v in row.values()])
    slope, start = np.polyfit(rows[:, 1], rows[:, 0], 1)
    assert (slope, start) == (pytest.approx(1.60, abs=0.01), pytest.approx(0.46, abs=0.01))


def test_the_net_is_that_of_the_text_paper():
    config = Config().from_disk(CONFIG, interpolate=False)
    model = config["components"]["thematic_embedder"]["model"]
    assert model["hidden_width"] == claims.NET["hidden width"] == 300
    assert model["attention_width"] == claims.NET["attention width"] == 200
    assert claims.NET["dropout"] == 0.8  # Read as the share that is kept.
    assert model["dropout"] == pytest.approx(1 - claims.NET["dropout"])
    assert config["training"]["optimizer"]["learn_rate"] == claims.NET["learn rate"] == 0.001
    assert config["components"]["thematic_embedder"]["loss"]["distance"] == "L1"
    net = BiLSTMAttention(300, model["hidden_width"], model["attention_width"], 0.2)
    lstms = [layer for layer in net.modules() if isinstance(layer, torch.nn.LSTM)]
    assert [(lstm.num_layers, lstm.hidden_size) for lstm in lstms] == [(1, 300)] * 2
    vectors = net(torch.randn(5, 300), torch.tensor([2, 3]))
    assert vectors.shape == (2, claims.NET["embedding width"])


def test_the_loss_is_that_of_the_text_paper():
    """|p(d+)| + |1 - p(d-)| of the softmax of two L1 distances, with a hand's numbers."""
    codes = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 3.0]], "f")
    targets = Targets(np.array([[0, 1, 2]]), np.zeros(3, "i"), np.zeros(3, "i"), NumpyOps())
    near, far = np.exp(2.0), np.exp(3.0)
    expected = near / (near + far) + 1 - far / (near + far)
    _, value = SoftmaxRatio(distance="L1", scale=1.0, normalize=False)(codes, targets)
    assert value == pytest.approx(expected, rel=1e-5)
