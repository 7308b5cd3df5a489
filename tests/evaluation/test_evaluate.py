import numpy as np
import pytest

from spacy_thematic import adapt, evaluate, load
from spacy_thematic.evaluation.encoders import random_vectors
from spacy_thematic.evaluation.evaluate import evaluate_encoders
from spacy_thematic.triplets.article_docs import make_clustering_doc
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tests.conftest import article_doc, make_article


def clustering_docs(nlp, n: int = 3):
    docs = []
    for number in range(n):
        article = apply_rules(make_article(number), CorpusSettings())
        docs.append(make_clustering_doc(article, nlp))
    return docs


def test_clustering_finds_sections_from_vectors_that_tell_them_apart(nlp):
    def oracle(doc, spans):
        return np.eye(20, dtype="f")[[span.id for span in spans]]

    found = evaluate_encoders(
        {"oracle": oracle, "chance": random_vectors(0)}, [], clustering_docs(nlp)
    )[0]["models"]
    values = found["oracle"]["clustering"]["kmeans"]
    assert values["ami"] == values["ami_max"] == pytest.approx(1)
    assert abs(found["chance"]["clustering"]["kmeans"]["ami"]) < 0.25


def test_evaluate_gives_every_measure_for_every_encoder(nlp):
    def oracle(doc, spans):
        return np.eye(20, dtype="f")[[span.id for span in spans]]

    docs = [article_doc(make_article(number), nlp) for number in range(3)]
    scores = evaluate_encoders(
        {"oracle": oracle, "random": random_vectors(0)},
        docs,
        clustering_docs(nlp),
        progress=False,
    )[0]
    assert scores["protocol"]["name"] == "centred"
    assert scores["data"] == {"articles": 3, "triplets": 144, "clustering_articles": 3}
    assert scores["models"]["oracle"]["thematic_accuracy"] == 1
    assert scores["models"]["oracle"]["clustering"]["kmeans"]["ari"] == pytest.approx(1)
    assert 0.3 < scores["models"]["random"]["thematic_accuracy"] < 0.7
    for values in scores["models"].values():
        low, high = values["intervals"]["thematic_accuracy"]
        assert low <= values["thematic_accuracy"] <= high
        low, high = values["intervals"]["clustering"]["kmeans"]["ami"]
        assert low <= values["clustering"]["kmeans"]["ami"] <= high + 1e-9
    empty = evaluate_encoders({"r": random_vectors(0)}, [], [], progress=False)[0]
    assert empty["models"]["r"]["thematic_accuracy"] is None
    assert empty["models"]["r"]["clustering"]["kmeans"]["ami"] is None
    assert empty["models"]["r"]["intervals"]["thematic_accuracy"] is None


@pytest.mark.parametrize("name", [load("en_thematic_sm"), None])
@pytest.mark.parametrize("measure", [evaluate, lambda name, path: adapt(path, start=name)])
def test_a_model_is_named(measure, name, tmp_path):
    with pytest.raises(TypeError, match="Expected the name or path of a model, .* found"):
        measure(name, tmp_path)


@pytest.mark.parametrize(
    ("setting", "bad"), [("min_sections", (0, -1, "x")), ("seed", (-1,)), ("limit", (-1,))]
)
def test_numbers_out_of_their_range_are_named(setting, bad, tmp_path):
    measure = adapt if setting == "limit" else lambda path, **one: evaluate("sm", path, **one)
    for value in bad:
        expected = f"{setting} to be a whole number of at least ., found {value!r}"
        with pytest.raises(ValueError, match=expected):
            measure(tmp_path, **{setting: value})
