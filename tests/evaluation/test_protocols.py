"""One way to measure: the same number from every command and scorer."""

import random
from dataclasses import replace

import numpy as np
import pytest
import spacy
import srsly

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.kmeans import create_kmeans, kmeans
from spacy_thematic.clustering.n_clusters import create_silhouette_with_prior
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.protocols import CENTRED, PROTOCOLS, find_protocol
from spacy_thematic.measures import AGREEMENTS, clustering_agreement
from spacy_thematic.triplets.corpus import make_example
from spacy_thematic.triplets.rules import CorpusSettings
from tests.cli.conftest import flat, invoke
from tests.conftest import THEMES as WORDS_OF_THEMES

MODEL = "en_thematic_sm"


def make_mixed_article(number: int) -> Article:
    """An article whose sections are hard to find: half of each sentence is of any theme."""
    rng = random.Random(number)
    every = " ".join(WORDS_OF_THEMES.values()).split()
    sections = [
        Section(
            title,
            2,
            [
                f"The {' '.join(rng.sample(words.split(), 3) + rng.sample(every, 3))} are known."
                for _ in range(6)
            ],
        )
        for title, words in sorted(WORDS_OF_THEMES.items())[: 5 + number % 2]
    ]
    return Article(f"Land {number}", "made up", sections)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "articles.jsonl"
    srsly.write_jsonl(path, [make_mixed_article(number).to_dict() for number in range(6)])
    return path


@pytest.fixture(scope="module")
def evaluated(source, tmp_path_factory):
    """The metrics of the bundled model by `thematic evaluate`, for each protocol."""
    folder = tmp_path_factory.mktemp("evaluated")
    found = {}
    for name, protocol in PROTOCOLS.items():
        path = folder / f"{name}.json"
        output = flat(invoke("evaluate", MODEL, source, "--protocol", name, "-o", path))
        assert flat(protocol.describe()) in output
        metrics = srsly.read_json(path)
        assert metrics["protocol"]["name"] == name
        found[name] = metrics["models"]["thematic_embedder"]
    return found


def test_the_scorers_give_the_numbers_of_evaluate(source, evaluated):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    nlp.add_pipe("thematic_clusterer", config={"units": "sentences"})
    triplets, clustering = load_heldout(source, nlp, CorpusSettings(), log=ReadLog())
    themes = evaluated["themes"]
    scores = nlp.evaluate([make_example(doc) for doc in triplets])
    for key in ("thematic_accuracy", "thematic_accuracy_l1", "thematic_spread"):
        assert scores[key] == pytest.approx(themes[key])
    scores = nlp.evaluate([make_example(doc) for doc in clustering])
    for measure in AGREEMENTS:
        assert scores[f"thematic_{measure}"] == pytest.approx(
            themes["clustering"]["diffusion"][measure]
        )


def test_protocols_differ_where_they_say_so(evaluated):
    accuracies = {values["thematic_accuracy"] for values in evaluated.values()}
    assert len(accuracies) == 1
    amis = [
        values["clustering"][algorithm]["ami"]
        for values, algorithm in zip(
            (evaluated["centred"], evaluated["themes"]), ("kmeans", "diffusion")
        )
    ]
    assert len(set(amis)) == 2


def test_a_protocol_centres_or_not_and_takes_k_from_the_sections_or_the_vectors():
    rng = np.random.default_rng(0)
    sections = np.repeat(np.arange(4), 10).tolist()
    vectors = (rng.normal(size=(40, 5)) + rng.normal(size=(4, 5))[sections] + 1).astype("f")

    def agree(labels):
        return clustering_agreement(labels, sections)

    assert CENTRED.score_article(vectors, sections, 3) == agree(kmeans(vectors, 4, 3))
    k = create_silhouette_with_prior()(vectors, create_kmeans(), 12, 3).k
    assert k != 4
    chosen = replace(CENTRED, n_clusters="chosen").score_article(vectors, sections, 3)
    assert chosen == agree(kmeans(vectors, k, 3))


def test_an_unknown_protocol_is_named_with_the_known_ones(source, tmp_path):
    with pytest.raises(ValueError, match='no protocol "ours": choose centred, themes'):
        find_protocol("ours")
    command = ("evaluate", MODEL, source, "--protocol", "ours", "-o", tmp_path / "out")
    assert 'no protocol "ours"' in flat(invoke(*command, status=1))
