import numpy as np
import pytest
import spacy
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted
from spacy.language import Language

from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.pipeline.vectorizer import ThematicVectorizer


class LetterCounts(ThematicEmbedder):
    """An embedder that counts letters, and has no model."""

    def __init__(self):
        pass

    def encode(self, docs, spans):
        return [
            np.array([[span.text.count(c) for c in "abc"] for span in group], dtype=np.float32)
            for group in spans
        ]


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    Language.component("letter_counts", func=LetterCounts())
    nlp.add_pipe("letter_counts")
    return nlp


@parametrize_with_checks([ThematicVectorizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


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
    with pytest.raises(ValueError, match="one text or more to encode, found none"):
        ThematicVectorizer(nlp).fit_transform([])
    for size in (0, -1, "x"):
        with pytest.raises(
            ValueError, match=f"batch_size to be a whole number .* 1, found {size!r}"
        ):
            ThematicVectorizer(nlp, batch_size=size).transform(["a"])
    with pytest.raises(ValueError, match="no thematic_embedder"):
        ThematicVectorizer(spacy.blank("en")).transform(["a"])


def test_a_column_is_encoded_and_a_table_is_refused(nlp):
    pandas = pytest.importorskip("pandas")
    texts = ["aab", "b"]
    table = pandas.DataFrame({"text": texts}, index=[3, 1])
    model = ThematicVectorizer(nlp)
    for column in (texts, table["text"], np.array(texts), np.array(texts, object), iter(texts)):
        assert model.transform(column).tolist() == [[2, 1, 0], [0, 1, 0]]
    for bad in (table, {"text": texts}, np.array([texts])):
        with pytest.raises(ValueError, match="Expected a column of strings, found a"):
            model.transform(bad)


def test_a_saved_pipeline_by_its_folder_is_the_default_by_itself(tmp_path):
    saved = spacy.blank("en")
    saved.add_pipe("thematic_embedder")
    saved.to_disk(tmp_path / "saved")
    texts = ["The river floods the valley.", "The king fought two wars."]
    rows = ThematicVectorizer().fit_transform(texts)
    assert rows.shape[0] == 2 and rows.any()
    assert rows.tolist() == ThematicVectorizer(tmp_path / "saved").fit_transform(texts).tolist()


def test_columns_have_names(nlp):
    model = ThematicVectorizer(nlp)
    names = [f"thematicvectorizer{number}" for number in range(3)]
    assert model.get_feature_names_out().tolist() == names
    pytest.importorskip("pandas")
    assert list(model.set_output(transform="pandas").transform(["aab"]).columns) == names


def test_bertopic_protocol(nlp):
    """BERTopic wraps a scikit-learn Pipeline: if that is fitted, it calls `transform` with a list
    of strings, else `fit_transform`; a topic's keywords are encoded so too."""
    model = make_pipeline(ThematicVectorizer(nlp))
    check_is_fitted(model)
    assert model.transform(["aab", "b"]).tolist() == [[2, 1, 0], [0, 1, 0]]
    assert model.fit_transform(np.array(["aab", "b"])).shape == (2, 3)


def test_bertopic(nlp):
    bertopic = pytest.importorskip("bertopic")
    texts = [f"{word} {word} text" for word in ("aa", "aaa", "aaaa", "bb", "bbb", "bbbb")] * 3
    model = bertopic.BERTopic(
        embedding_model=make_pipeline(ThematicVectorizer(nlp)),
        umap_model=PCA(2),
        hdbscan_model=KMeans(2, random_state=0),
        min_topic_size=2,
    )
    topics, _ = model.fit_transform(texts)
    assert topics in ([0, 0, 0, 1, 1, 1] * 3, [1, 1, 1, 0, 0, 0] * 3)
    pytest.importorskip("hdbscan", reason="BERTopic 0.17 cannot transform without it")
    assert list(model.transform(["aaaaa aa", "bb bb"])[0]) == [topics[0], topics[3]]
