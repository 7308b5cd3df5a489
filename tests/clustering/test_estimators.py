import numpy as np
import pytest
import spacy
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from spacy.language import Language

from spacy_thematic.clustering.estimators import IclustClustering, ThematicVectorizer
from spacy_thematic.clustering.iclust import iclust


class LetterCounts:
    """Stands in for the embedder."""

    def __call__(self, doc):
        return doc

    def encode(self, docs, spans):
        return [
            np.array([[span.text.count(c) for c in "abc"] for span in group], dtype=np.float32)
            for group in spans
        ]


@pytest.fixture
def nlp(monkeypatch):
    nlp = spacy.blank("en")
    Language.component("letter_counts", func=LetterCounts())
    nlp.add_pipe("letter_counts")
    meta = nlp.get_pipe_meta("letter_counts")
    monkeypatch.setattr(meta, "factory", "thematic_embedder")
    monkeypatch.setattr(nlp, "get_pipe_meta", lambda name: meta)
    return nlp


@parametrize_with_checks([IclustClustering(n_clusters=3, random_state=0), ThematicVectorizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_labels_are_those_of_iclust(blobs):
    model = IclustClustering(3, random_state=np.random.RandomState(0)).fit(blobs[0])
    assert model.labels_.tolist() == iclust(blobs[0], 3).tolist()
    assert model.cluster_centers_.shape == (3, 20)


def test_strings_become_rows_in_order(nlp):
    model = ThematicVectorizer(nlp, batch_size=2)
    rows = model.fit_transform(["aab", "c c", "b"])
    assert rows.tolist() == [[2, 1, 0], [0, 0, 2], [0, 1, 0]]


def test_works_in_a_pipeline_and_its_clone(nlp):
    pipeline = make_pipeline(ThematicVectorizer(nlp), LogisticRegression())
    texts = ["aa", "a a a", "bb", "b b b"]
    fitted = clone(pipeline).fit(texts, [0, 0, 1, 1])
    assert fitted.predict(["aaaa", "bbbb"]).tolist() == [0, 1]
    assert fitted[0].nlp is nlp


def test_bad_input_is_an_error(nlp):
    with pytest.raises(ValueError, match="in a list"):
        ThematicVectorizer(nlp).transform("one text")
    with pytest.raises(ValueError, match="found int"):
        ThematicVectorizer(nlp).transform(["a", 3])
    with pytest.raises(ValueError, match='no "thematic_embedder"'):
        ThematicVectorizer(spacy.blank("en")).transform(["a"])
