"""One way to measure: the same number from every command and scorer."""

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import spacy
import srsly

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.clustering.kmeans import create_kmeans, kmeans, kmeans_of_raw_rows
from spacy_thematic.clustering.n_clusters import create_silhouette_with_prior
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.protocols import CENTRED, PROTOCOLS, find_protocol
from spacy_thematic.measures import AGREEMENTS, clustering_agreement
from spacy_thematic.papers.baselines.kmedians import kmedians
from spacy_thematic.papers.protocol import ALGORITHMS, PAPER
from spacy_thematic.triplets.corpus import make_example
from spacy_thematic.triplets.rules import CorpusSettings
from tests.cli.conftest import flat, invoke
from tests.conftest import THEMES as WORDS_OF_THEMES

MODEL = "en_thematic_sm"
# tables.json has five digits.
approx = partial(pytest.approx, abs=5.1e-6)


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


@pytest.mark.parametrize("name", PROTOCOLS)
def test_evaluate_and_benchmark_give_the_same_numbers(name, source, evaluated, tmp_path):
    invoke(
        "benchmark", "--articles", source, "--models", MODEL, "--triplets", 0, "-t", 3, "-t", 4,
        "--protocol", name, "-o", tmp_path,
    )  # fmt: skip
    made = srsly.read_json(tmp_path / "tables.json")
    assert made["protocol"]["name"] == name
    assert PROTOCOLS[name].describe() in (tmp_path / "tables.md").read_text()
    (distance,) = (line for line in made["tables"]["3"] if line["row"] == MODEL)
    assert distance["cosine"]["value"] == approx(evaluated[name]["thematic_accuracy"])
    assert distance["L1"]["value"] == approx(evaluated[name]["thematic_accuracy_l1"])
    lines = {line["algorithm"]: line for line in made["tables"]["4"] if line["row"] == MODEL}
    titles = {algorithm.name: algorithm.title for algorithm in ALGORITHMS}
    assert set(lines) == {titles[algorithm] for algorithm in evaluated[name]["clustering"]}
    for algorithm, values in evaluated[name]["clustering"].items():
        for measure, heading in AGREEMENTS.items():
            found = lines[titles[algorithm]][heading]
            found = found["value"] if isinstance(found, dict) else found
            assert found == approx(values[measure])


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

    assert CENTRED.score_article(vectors, sections, 3) == {"kmeans": agree(kmeans(vectors, 4, 3))}
    assert PAPER.score_article(vectors, sections, 3) == {
        "iclust": agree(iclust(vectors, 4, 3, centre=False)),
        "kmeans": agree(kmeans(vectors, 4, 3, centre=False)),
        "kmeans_raw": agree(kmeans_of_raw_rows(vectors, 4, 3)),
        "kmedians": agree(kmedians(vectors, 4, 3)),
    }
    k = create_silhouette_with_prior()(vectors, create_kmeans(), 12, 3).k
    assert k != 4
    chosen = replace(CENTRED, n_clusters="chosen").score_article(vectors, sections, 3)
    assert chosen == {"kmeans": agree(kmeans(vectors, k, 3))}
    given = PAPER.score_article(
        vectors, sections, 3, {"one": lambda rows, k, seed: [k] * len(rows)}
    )
    assert given == {"one": agree([0] * 40)}


def test_an_unknown_protocol_is_named_with_the_known_ones(source, tmp_path):
    with pytest.raises(ValueError, match='no protocol "ours": choose centred, themes'):
        find_protocol("ours")
    for command in (("evaluate", MODEL, source), ("benchmark", "--articles", source)):
        error = flat(invoke(*command, "--protocol", "ours", "-o", tmp_path / "out", status=1))
        assert 'no protocol "ours"' in error
