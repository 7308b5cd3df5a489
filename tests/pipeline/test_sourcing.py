"""Components use the encoder that made the vectors, whichever pipeline they came from."""

import pickle

import pytest
import spacy
from spacy.tokens import DocBin

import spacy_thematic
from spacy_thematic.pipeline.vectorizer import ThematicVectorizer

TEXT = (
    "She was born in Leeds to a baker. As a child she went to school there. Her parents moved to "
    "York. The drug may cause nausea and headache. Severe adverse reactions are rare. Side effects "
    "include dizziness and a rash."
)
READERS = "thematic_segmenter", "thematic_clusterer"


def make_nlp(model, *readers):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    nlp.add_pipe("thematic_embedder", config={"pretrained": model})
    for name in readers:
        nlp.add_pipe(name, config={"n": 2} if name == "thematic_segmenter" else {})
    return nlp


def describe(doc):
    return [
        [(one.heading, one.label) for one in getattr(doc._, key)]
        for key in ("thematic_segments", "thematic_clusters")
    ]


@pytest.fixture(scope="module")
def expected():
    return describe(make_nlp("en_thematic_md", *READERS)(TEXT))


def source_readers(source):
    target = make_nlp("en_thematic_md")
    for name in READERS:
        target.add_pipe(name, source=source)
    return target


@pytest.mark.filterwarnings("ignore:.*W113")
def test_sourced_components_use_the_encoder_of_the_pipeline_that_runs_them(expected):
    source = make_nlp("en_thematic_sm", *READERS)
    before = describe(source(TEXT))
    target = source_readers(source)
    assert describe(target(TEXT)) == expected
    assert describe(source(TEXT)) == before
    source.remove_pipe("thematic_embedder")
    assert describe(target(TEXT)) == expected
    assert describe(pickle.loads(pickle.dumps(target))(TEXT)) == expected


@pytest.mark.filterwarnings("ignore:.*W113")
def test_seed_themes_of_a_sourced_component_are_encoded_as_the_sentences(expected):
    target = source_readers(make_nlp("en_thematic_sm", *READERS))
    target.get_pipe("thematic_clusterer").seed_themes = {"health": ["nausea", "drug"]}
    for doc in target.pipe([TEXT, TEXT]):
        assert "health" in [theme.name for theme in doc._.thematic_clusters]


def test_components_of_a_source_block(expected, tmp_path):
    make_nlp("en_thematic_sm", *READERS).to_disk(tmp_path / "source")
    config = make_nlp("en_thematic_md").config.copy()
    for name in READERS:
        config["components"][name] = {"source": str(tmp_path / "source")}
        config["nlp"]["pipeline"].append(name)
    target = spacy.blank("en").from_config(config)
    assert describe(target(TEXT)) == expected
    target.to_disk(tmp_path / "target")
    assert describe(spacy.load(tmp_path / "target")(TEXT)) == expected


def test_an_embedder_may_have_another_name_and_be_disabled(expected):
    nlp = make_nlp("en_thematic_md", *READERS)
    nlp.rename_pipe("thematic_embedder", "encoder")
    assert describe(nlp(TEXT)) == expected
    kept = DocBin(docs=[nlp(TEXT)], store_user_data=True)
    (doc,) = kept.get_docs(nlp.vocab)
    with nlp.select_pipes(enable=READERS):
        assert describe(nlp(doc)) == expected


def test_of_two_embedders_the_one_that_made_the_vectors_is_used(expected):
    nlp = make_nlp("en_thematic_sm")
    nlp.add_pipe("thematic_embedder", "second", config={"pretrained": "en_thematic_md"})
    for name in READERS:
        nlp.add_pipe(name, config={"n": 2} if name == "thematic_segmenter" else {})
    assert describe(nlp(TEXT)) == expected
    (doc,) = DocBin(docs=[nlp(TEXT)], store_user_data=True).get_docs(nlp.vocab)
    with nlp.select_pipes(enable=READERS):
        assert describe(nlp(doc)) == expected
    nlp.get_pipe("thematic_clusterer").embedder = "first"
    with pytest.raises(ValueError, match='vectors of "first", .* found those of "second"'):
        nlp(TEXT)


def test_vectors_that_no_embedder_made_are_told_where_seed_themes_are_encoded():
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.get_pipe("thematic_clusterer").seed_themes = {"river": ["river"]}
    doc = make_nlp("en_thematic_md")(TEXT)
    doc._.thematic_vectors = doc._.thematic_vectors[:, :64].copy()
    with pytest.raises(ValueError, match="found some of width"):
        nlp.get_pipe("thematic_clusterer")(doc)


def test_a_listener_hears_what_it_listens_to(examples):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("tok2vec", config={"model": {"width": 16, "depth": 1, "embed_size": 200}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16}
    model = {"@architectures": "spacy-thematic.Tok2VecAttention.v1", "tok2vec": listener}
    nlp.add_pipe("thematic_embedder", config={"model": {**model, "attention_width": 4}})
    nlp.initialize(lambda: examples)
    text = "The river floods the valley."
    expected = nlp(text)._.thematic_vectors
    assert expected.any()
    assert ThematicVectorizer(nlp).transform([text]) == pytest.approx(expected, abs=1e-5)
    with nlp.select_pipes(disable=["tok2vec"]), pytest.raises(ValueError, match="encoder listens"):
        nlp(text)
