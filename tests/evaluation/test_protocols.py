"""One way to measure: the same number from the command and the scorer."""

import random

import numpy as np
import pytest
import spacy
import srsly

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.evaluation.evaluate import DESCRIPTION, load_heldout, score_article
from spacy_thematic.measures import clustering_agreement
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
    """The metrics of the bundled model by `thematic evaluate`."""
    path = tmp_path_factory.mktemp("evaluated") / "metrics.json"
    assert flat(DESCRIPTION) in flat(invoke("evaluate", MODEL, source, "-o", path))
    metrics = srsly.read_json(path)
    assert metrics["protocol"]["name"] == "centred"
    return metrics["models"]["thematic_embedder"]


def test_the_scorers_give_the_numbers_of_evaluate(source, evaluated):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    triplets, _ = load_heldout(source, nlp, CorpusSettings(), log=ReadLog())
    scores = nlp.evaluate([make_example(doc) for doc in triplets])
    for key in ("thematic_accuracy", "thematic_accuracy_l1", "thematic_spread"):
        assert scores[key] == pytest.approx(evaluated[key])


def test_vectors_are_centred_and_k_is_that_of_the_sections():
    rng = np.random.default_rng(0)
    sections = np.repeat(np.arange(4), 10).tolist()
    vectors = (rng.normal(size=(40, 5)) + rng.normal(size=(4, 5))[sections] + 1).astype("f")
    expected = clustering_agreement(kmeans(vectors - vectors.mean(axis=0), 4, 3), sections)
    assert score_article(vectors, sections, 3) == pytest.approx(expected)
