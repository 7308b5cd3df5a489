from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.clustering_benchmark import score_clustering, score_clusters
from spacy_thematic.evaluation.evaluate import evaluate_encoders
from spacy_thematic.measures import is_ordered, mean_pairwise_distance
from spacy_thematic.triplets.article_docs import make_clustering_doc
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tests.conftest import article_doc, make_article
from tests.models.test_encoders import add_vectors


def test_distance_comparison_by_hand():
    vectors = np.array([[1, 0], [2, 0.1], [0, 3], [1, 0]], "f")
    triplets = np.array([[0, 1, 2], [0, 2, 1], [0, 3, 3]])
    assert is_ordered(vectors, triplets, "cosine").tolist() == [True, False, False]
    assert is_ordered(vectors, triplets, "L1").tolist() == [True, False, False]
    far = np.array([[1, 0], [9, 0], [1, 1]], "f")
    assert is_ordered(far, np.array([[0, 1, 2]]), "cosine").all()
    assert not is_ordered(far, np.array([[0, 1, 2]]), "L1").any()


def test_ties_and_vectors_that_are_not_finite_count_as_wrong():
    same = np.ones((3, 4), "f")
    assert not is_ordered(same, np.array([[0, 1, 2]])).any()
    broken = np.array([[1, 0], [np.nan, 0], [0, 1]], "f")
    assert not is_ordered(broken, np.array([[0, 1, 2]])).any()


def test_spread_vanishes_when_all_point_one_way():
    assert mean_pairwise_distance(np.outer(np.arange(1, 9), [1.0, 2.0])) == pytest.approx(
        0, abs=1e-6
    )
    assert mean_pairwise_distance(np.eye(4, dtype="f")) == pytest.approx(2**0.5, rel=1e-5)


def test_cluster_measures_of_perfect_random_and_single_clusters():
    sections = np.repeat(np.arange(4), 50)
    perfect = score_clusters(sections, (sections + 1) % 4)
    assert perfect["ami"] == perfect["ari"] == perfect["ri"] == pytest.approx(1)
    assert perfect["mi"] == pytest.approx(np.log(4))
    chance = score_clusters(sections, np.random.default_rng(0).integers(0, 4, 200))
    assert abs(chance["ami"]) < 0.05
    assert abs(chance["ari"]) < 0.05
    single = score_clusters(sections, np.zeros(200, int))
    assert single["ami"] == single["mi"] == single["ari"] == pytest.approx(0)
    assert single["ri"] == pytest.approx((200 / 4 - 1) / 199)


def test_mutual_information_and_rand_index_by_hand():
    values = score_clusters(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    table = np.array([[1, 1], [0, 2]]) / 4
    outer = table.sum(1, keepdims=True) @ table.sum(0, keepdims=True)
    mi = (table[table > 0] * np.log(table[table > 0] / outer[table > 0])).sum()
    assert values["mi"] == pytest.approx(mi)
    assert values["ri"] == pytest.approx(3 / 6)


def by_definition(sections, labels):
    """The measures from their definitions (Vinh, Epps & Bailey 2010; Hubert & Arabie 1985), with
    the expectation over all permutations of the labels."""
    pairs = list(combinations(range(len(sections)), 2))
    same = np.array([sections[i] == sections[j] for i, j in pairs])

    def agreement(some):
        together = np.array([some[i] == some[j] for i, j in pairs])
        both, rand = (same & together).sum(), (same == together).mean()
        return information(sections, some), rand, both, together.sum()

    mi, rand, both, together = agreement(labels)
    permuted = [agreement(some)[::2] for some in permutations(labels)]
    expected_mi, expected_both = np.mean(permuted, axis=0)
    entropies = information(sections, sections), information(labels, labels)
    bound = (same.sum() + together) / 2
    return {
        "mi": mi,
        "ami": (mi - expected_mi) / (np.mean(entropies) - expected_mi),
        "ami_max": (mi - expected_mi) / (max(entropies) - expected_mi),
        "ri": rand,
        "ari": (both - expected_both) / (bound - expected_both),
    }


def information(first, second):
    n = len(first)
    joint, a, b = Counter(zip(first, second)), Counter(first), Counter(second)
    return sum(c / n * np.log(c * n / (a[x] * b[y])) for (x, y), c in joint.items())


@pytest.mark.parametrize(
    "labels",
    [
        [0, 0, 0, 1, 1, 2, 2],  # perfect
        [0, 0, 0, 1, 1, 1, 2],  # near
        [0, 1, 2, 0, 1, 2, 0],  # across
        [0, 0, 0, 0, 0, 0, 0],  # one cluster
        [0, 1, 2, 3, 4, 5, 6],  # singletons
        [0, 0, 1, 1, 2, 2, 3],  # more clusters than sections
    ],
)
def test_all_measures_agree_with_their_definitions(labels):
    sections = [0, 0, 0, 1, 1, 2, 2]
    found = score_clusters(np.array(sections), np.array(labels))
    expected = by_definition(sections, labels)
    assert found == pytest.approx(expected, abs=1e-9)


def clustering_docs(nlp, n: int = 3):
    docs = []
    for number in range(n):
        article = apply_rules(make_article(number), CorpusSettings())
        docs.append(make_clustering_doc(article, nlp))
    return docs


def test_clustering_finds_sections_from_vectors_that_tell_them_apart(nlp):
    def oracle(doc, spans):
        return np.eye(20, dtype="f")[[span.id for span in spans]]

    values = score_clustering(clustering_docs(nlp), oracle, create_kmeans())
    assert values["ami"] == pytest.approx([1, 1, 1])
    chance = score_clustering(clustering_docs(nlp), random_vectors(0), create_kmeans())
    assert abs(np.mean(chance["ami"])) < 0.25


def test_mean_vectors_by_hand(nlp):
    add_vectors(nlp.vocab)
    doc = nlp("The river xyzzy. Qwerty uiop")
    vectors = mean_vectors(nlp.vocab)(doc, list(doc.sents))
    expected = np.mean([nlp.vocab[w].vector for w in ("the", "river", ".")], axis=0)
    assert np.allclose(vectors[0], expected, atol=1e-6)
    assert not vectors[1].any()
    nlp.vocab.reset_vectors(width=0)


def test_evaluate_gives_every_measure_for_every_encoder(nlp):
    def oracle(doc, spans):
        return np.eye(20, dtype="f")[[span.id for span in spans]]

    docs = [article_doc(make_article(number), nlp) for number in range(3)]
    scores = evaluate_encoders(
        {"oracle": oracle, "random": random_vectors(0)},
        docs,
        clustering_docs(nlp),
        {"kmeans": create_kmeans()},
        progress=False,
    )
    assert scores["data"] == {"articles": 3, "triplets": 144, "clustering_articles": 3}
    assert scores["models"]["oracle"]["thematic_accuracy"] == 1
    assert scores["models"]["oracle"]["clustering"]["kmeans"]["ari"] == pytest.approx(1)
    assert 0.3 < scores["models"]["random"]["thematic_accuracy"] < 0.7
    empty = evaluate_encoders({"r": random_vectors(0)}, [], [], {}, progress=False)
    assert empty["models"]["r"]["thematic_accuracy"] is None


def test_random_vectors_depend_on_text_and_seed_alone(nlp):
    doc, again = nlp("One thing. Two things."), nlp("Two things.")
    first = random_vectors(0)(doc, list(doc.sents))
    assert np.array_equal(first[1], random_vectors(0)(again, list(again.sents))[0])
    assert not np.array_equal(first, random_vectors(1)(doc, list(doc.sents)))
    assert SENTENCES not in doc.spans
