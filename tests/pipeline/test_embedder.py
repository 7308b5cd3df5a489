import pickle
import time
import warnings
from itertools import islice

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from thinc.api import Adam, fix_random_seed

import spacy_thematic
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.corpus import make_example
from tests.conftest import THEMES, article_doc, assert_same_rows, encoder_bytes, make_article
from tests.models.test_encoders import add_vectors

MEAN = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "min_count": 1,
    "embed": {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 32, "min_count": 1},
}
MEAN_STATIC = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "min_count": 1,
    "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
}
BILSTM = {
    "@architectures": "spacy-thematic.BiLSTMAttention.v1",
    "hidden_width": 16,
    "attention_width": 8,
    "dropout": 0.0,
    "embed": {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 16, "min_count": 1},
}
BILSTM_STATIC = {**BILSTM, "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"}}
ARCHITECTURES = {
    "mean": MEAN,
    "mean-static": MEAN_STATIC,
    "bilstm": BILSTM,
    "bilstm-static": BILSTM_STATIC,
}
TEXT = "The river meets the coast. A bank pays tax. The island has a lake!"


def make_pipeline(model: dict, loss: str = "spacy-thematic.SectionContrastive.v1"):
    fix_random_seed(0)
    nlp = spacy.blank("en")
    add_vectors(nlp.vocab, 32)
    rng = np.random.default_rng(1)
    for word in " ".join(THEMES.values()).split():
        nlp.vocab.set_vector(word, rng.standard_normal(32).astype("f"))
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder", config={"model": model, "loss": {"@losses": loss}})
    return nlp


def train(nlp, examples, steps: int = 15, rate: float = 0.01):
    nlp.initialize(lambda: examples)
    optimizer = Adam(rate, grad_clip=0.0)
    for _ in range(steps):
        nlp.update(examples, sgd=optimizer)
    return nlp


def examples_for(nlp):
    splitter = make_sentence_splitter(vocab=nlp.vocab)
    return [make_example(article_doc(make_article(number), splitter)) for number in range(4)]


@pytest.fixture(scope="module", params=ARCHITECTURES)
def trained(request):
    nlp = make_pipeline(ARCHITECTURES[request.param])
    return train(nlp, examples_for(nlp))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    "loss", ["spacy-thematic.SoftmaxRatio.v1", "spacy-thematic.SectionContrastive.v1"]
)
def test_twenty_triplets_are_learned_to_accuracy_1(architecture, loss):
    nlp = make_pipeline(ARCHITECTURES[architecture], loss)
    doc = article_doc(make_article(5), make_sentence_splitter(vocab=nlp.vocab))
    attrs = doc.spans["triplets"].attrs
    attrs["triplets"] = attrs["triplets"][:20]
    examples = [make_example(doc)]
    rate = 0.1 if architecture == "mean-static" else 0.02
    train(nlp, examples, 80, rate)
    scores = nlp.get_pipe("thematic_embedder").score(examples)
    key = "thematic_accuracy_l1" if "Softmax" in loss else "thematic_accuracy"
    assert scores[key] == 1.0


def test_vectors_and_sentences_are_set(trained):
    doc = trained(TEXT)
    vectors = doc._.thematic_vectors
    assert vectors.dtype == np.float32
    assert len(vectors) == 3
    assert [s.text for s in doc.spans["thematic_sentences"]] == [s.text for s in doc.sents]
    for row, sentence in enumerate(doc.sents):
        assert np.array_equal(sentence._.thematic_vector, vectors[row])
        assert np.array_equal(sentence[1:2]._.thematic_vector, vectors[row])
    assert np.allclose(doc[0:8]._.thematic_vector, vectors[:2].mean(axis=0))


def test_similarity_is_the_cosine_across_docs_too(trained):
    first, second = trained("The river meets the coast."), trained("A bank pays tax.")
    a, b = first._.thematic_vectors[0], second._.thematic_vectors[0]
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert first[:]._.thematic_similarity(second[:]) == pytest.approx(cosine, abs=1e-6)
    assert first[:]._.thematic_similarity(first[:]) == pytest.approx(1.0, abs=1e-6)


def test_predict_changes_nothing(trained):
    doc = trained.make_doc(TEXT)
    trained.get_pipe("sentencizer")(doc)
    trained.get_pipe("thematic_embedder").predict([doc])
    assert doc._.thematic_vectors is None
    assert not list(doc.spans)


def test_the_vectors_are_the_same_through_disk_bytes_and_pickle(trained, tmp_path):
    expected = trained(TEXT)._.thematic_vectors
    trained.to_disk(tmp_path / "pipeline")
    from_bytes = spacy.blank("en").from_config(trained.config).from_bytes(trained.to_bytes())
    for other in (
        spacy.load(tmp_path / "pipeline"),
        from_bytes,
        pickle.loads(pickle.dumps(trained)),
    ):
        assert encoder_bytes(other) == encoder_bytes(trained)
        assert_same_rows(other(TEXT)._.thematic_vectors, expected)


def test_pipe_gives_what_single_calls_give(trained):
    texts = [TEXT, "", "   ", "One sentence", TEXT * 5, "Tax. Coast."]
    single = [trained(text)._.thematic_vectors for text in texts]
    for batch_size in (1, 4, 100):
        for doc, expected in zip(trained.pipe(texts, batch_size=batch_size), single):
            assert_same_rows(doc._.thematic_vectors, expected)


def test_two_processes_after_torch_has_run_with_threads_on_a_large_batch(trained):
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        square = torch.randn(600, 600, requires_grad=True)
        (square @ square).tanh().sum().backward()
        texts = [f"{TEXT} Football is played in {number}." for number in range(200)]
        expected = [doc._.thematic_vectors for doc in trained.pipe(texts)]
        found = [doc._.thematic_vectors for doc in trained.pipe(texts, n_process=2)]
    finally:
        torch.set_num_threads(threads)
    for alone, together in zip(expected, found):
        assert_same_rows(together, alone)


@pytest.mark.parametrize(("text", "n_sentences"), [("", 0), ("   \n ", 0), ("Tax", 1)])
def test_empty_and_whitespace_texts(trained, text, n_sentences):
    vectors = trained(text)._.thematic_vectors
    assert len(vectors) == n_sentences
    assert np.isfinite(vectors).all()
    if not text.strip():
        assert not vectors.any()


def test_vectors_survive_docbin_with_user_data(trained):
    doc = trained(TEXT)
    data = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (read,) = DocBin(store_user_data=True).from_bytes(data).get_docs(trained.vocab)
    assert np.array_equal(read._.thematic_vectors, doc._.thematic_vectors)
    assert [s.text for s in read.spans["thematic_sentences"]] == [s.text for s in doc.sents]
    (bare,) = DocBin().from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(trained.vocab)
    with pytest.raises(ValueError, match="store_user_data=True"):
        _ = bare[0:2]._.thematic_vector


def test_no_sentence_boundaries_is_an_error_with_advice(trained):
    doc = Doc(trained.vocab, words=["No", "boundaries", "here"])
    with pytest.raises(ValueError, match='add "thematic_sentencizer", "senter" or "parser" before'):
        trained.get_pipe("thematic_embedder")(doc)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_untrained_encoder_says_so(architecture):
    with pytest.raises(ValueError, match="has not been trained"):
        make_pipeline(ARCHITECTURES[architecture])(TEXT)


def test_static_vectors_are_asked_for_at_initialize():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder", config={"model": BILSTM_STATIC})
    with pytest.raises(ValueError, match="has no word vectors"):
        nlp.initialize(lambda: examples_for(nlp))


def examples_of_cats(nlp):
    texts = ["The river meets the coast. It floods.", "A bank pays tax."]
    return [
        Example.from_dict(nlp.make_doc(text), {"cats": {"A": float(number), "B": 1.0 - number}})
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize("annotates", [[], ["sentencizer", "thematic_embedder"]])
@pytest.mark.parametrize("exclude", [[], ["thematic_embedder"]])
def test_examples_of_other_components_teach_nothing(annotates, exclude):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    embedder = nlp.add_pipe("thematic_embedder")
    nlp.add_pipe("thematic_clusterer")
    nlp.add_pipe("textcat")
    examples = examples_of_cats(nlp)
    nlp.initialize(lambda: examples)
    before = embedder.to_bytes()
    losses = nlp.update(examples, annotates=annotates, exclude=exclude)
    assert losses["textcat"] > 0
    assert losses.get("thematic_embedder", 0.0) == 0.0
    assert embedder.to_bytes() == before
    scores = nlp.evaluate(examples)
    assert scores["cats_score"] is not None
    assert not {"thematic_accuracy", "thematic_accuracy_l1", "thematic_spread"} & set(scores)


def test_articles_are_learned_among_other_examples():
    nlp = make_pipeline(MEAN)
    articles = examples_for(nlp)
    mixed = [*examples_of_cats(nlp), *articles]
    nlp.initialize(lambda: mixed)
    embedder = nlp.get_pipe("thematic_embedder")
    assert embedder.update(mixed) == embedder.update(articles)
    assert nlp.evaluate(mixed)["thematic_accuracy"] == nlp.evaluate(articles)["thematic_accuracy"]


def test_without_articles_a_blank_encoder_stays_untrained_with_a_warning():
    nlp = make_pipeline(MEAN)
    with pytest.warns(UserWarning, match="no article of a triplet corpus.*stays untrained"):
        nlp.initialize(lambda: examples_of_cats(nlp))
    with pytest.raises(ValueError, match="has not been trained"):
        nlp(TEXT)


def test_without_articles_a_trained_encoder_keeps_its_weights():
    nlp = train(make_pipeline(MEAN), examples_for(make_pipeline(MEAN)), 1)
    before = nlp(TEXT)._.thematic_vectors
    with pytest.warns(UserWarning, match="weights stay as they are"):
        nlp.initialize(lambda: examples_of_cats(nlp))
    assert np.array_equal(nlp(TEXT)._.thematic_vectors, before)


def test_update_of_no_tokens_and_without_optimizer():
    nlp = make_pipeline(BILSTM)
    nlp.initialize(lambda: examples_for(nlp))
    embedder = nlp.get_pipe("thematic_embedder")
    empty = make_example(Doc(nlp.vocab))
    assert embedder.update([empty]) == {"thematic_embedder": 0.0}
    before = embedder.model.to_bytes()
    losses = embedder.update(examples_for(nlp), losses={"thematic_embedder": 1.0})
    assert losses["thematic_embedder"] > 1.0
    assert embedder.model.to_bytes() == before


def test_a_loss_that_is_not_finite_stops_training():
    nlp = make_pipeline(MEAN)
    nlp.initialize(lambda: examples_for(nlp))
    embed = nlp.get_pipe("thematic_embedder").model.layers[0]
    embed.set_param("E", np.full_like(embed.get_param("E"), np.nan))
    with pytest.raises(ValueError, match="loss of 'thematic_embedder' is nan"):
        nlp.update(examples_for(nlp), sgd=Adam(0.01))


def test_evaluate_reports_the_scores(trained):
    scores = trained.evaluate(examples_for(trained))
    assert scores["thematic_accuracy"] > 0.8
    assert scores["thematic_accuracy_l1"] is not None
    assert scores["thematic_spread"] > 0


def test_sentences_can_be_another_span_group():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    getter = {"@misc": "spacy-thematic.SpanGroup.v1", "key": "clauses"}
    nlp.add_pipe("thematic_embedder", config={"model": MEAN, "get_sentences": getter})
    train(nlp, examples_for(nlp), 1)
    doc = nlp.make_doc("The river rises and the bank pays")
    doc.spans["clauses"] = [doc[0:3], doc[4:7]]
    assert len(nlp(doc)._.thematic_vectors) == 2
    empty = nlp.make_doc("no clauses")
    empty.spans["clauses"] = []
    assert len(nlp(empty)._.thematic_vectors) == 0
    other = nlp.make_doc("no clauses")
    other.spans["parts"] = []
    with pytest.raises(ValueError, match="no span group \"clauses\".*its groups: 'parts'"):
        nlp(other)


def test_an_attribute_of_someone_else_is_left_alone_with_a_warning():
    from spacy_thematic.pipeline import extensions

    former = Span.remove_extension("thematic_similarity")
    Span.set_extension("thematic_similarity", default=7)
    try:
        with pytest.warns(UserWarning, match=r"Span\._\.thematic_similarity was already set"):
            extensions.install()
        assert Span.get_extension("thematic_similarity")[0] == 7
    finally:
        Span.remove_extension("thematic_similarity")
        Span.set_extension("thematic_similarity", method=former[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        extensions.install()


@pytest.mark.parametrize("name", ["pretrained", "loss", "get_sentences", "scorer"])
def test_what_an_embedder_is_made_with_does_not_change(name):
    embedder = spacy.blank("en").add_pipe("thematic_embedder", config={"pretrained": None})
    with pytest.raises(AttributeError, match=f"{name} of thematic_embedder is set when it is made"):
        setattr(embedder, name, None)


def test_a_vector_is_found_without_reading_all_sentences():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")

    def measure(n):
        doc = nlp("The river rises. " * n)
        start = time.process_time()
        for sentence in islice(doc.sents, 200):
            sentence._.thematic_vector
        return time.process_time() - start

    assert min(measure(3_000) for _ in range(3)) < 3 * min(measure(500) for _ in range(3))


@pytest.mark.parametrize("in_order", [True, False])
def test_a_span_has_the_mean_vector_of_the_sentences_it_overlaps(in_order):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    doc = nlp("The river rises. It floods. The king fought. His army lost.")
    assert doc.spans["thematic_sentences"].attrs["in_order"]
    doc.spans["thematic_sentences"].attrs["in_order"] = in_order
    sentences = list(doc.spans["thematic_sentences"])
    span = doc[sentences[1].end - 1 : sentences[2].start + 1]
    assert (span._.thematic_vector == doc._.thematic_vectors[1:3].mean(axis=0)).all()


@pytest.mark.parametrize("model", ["en_thematic_sm", "en_thematic_md", "en_thematic_lg"])
def test_addresses_and_redactions_say_nothing(model):
    nlp = spacy_thematic.load(model)
    texts = (
        "The river rises.",
        "The river rises https://example.org/boats/12.",
        "The river rises ann@example.org.",
        "The XXXX XXXX river [NAME] rises XX/XX/2023.",
        "Booking.com rises.",
    )
    plain, page, mail, redacted, name = (nlp(text)._.thematic_vectors[0] for text in texts)
    assert plain @ page > 0.9 * (plain @ plain) ** 0.5 * (page @ page) ** 0.5
    assert plain @ mail > 0.9 * (plain @ plain) ** 0.5 * (mail @ mail) ** 0.5
    assert plain @ redacted > 0.8 * (plain @ plain) ** 0.5 * (redacted @ redacted) ** 0.5
    assert name @ name > 0 and not nlp("https://example.org/boats")._.thematic_vectors.any()


def test_of_a_batch_only_the_doc_that_fails_goes_to_the_error_handler():
    nlp = spacy.blank("en")
    embedder = nlp.add_pipe("thematic_embedder")
    failed = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.extend(docs))
    docs = [*map(spacy_thematic.load("en_thematic_sm"), ["Bees hum.", "", "Ships sail."])]
    broken = nlp.make_doc("Who knows where. This ends.")
    assert list(embedder.pipe([docs[0], broken, *docs[1:]])) == docs
    assert failed == [broken]


@spacy.registry.misc("sentences_one_by_one.v1")
def make_generator():
    return lambda doc: doc.sents


def test_sentences_may_come_one_by_one():
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    getter = {"@misc": "sentences_one_by_one.v1"}
    nlp.add_pipe("thematic_embedder", config={"get_sentences": getter})
    assert len(nlp("Bees hum. Ships sail.")._.thematic_vectors) == 2


def test_weights_of_version_0_1_0_say_what_to_do(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_embedder")
    nlp.to_disk(tmp_path)
    folder = tmp_path / "thematic_embedder"
    other = spacy.blank("en").add_pipe("thematic_embedder", config={"pretrained": "en_thematic_md"})
    other.to_disk(tmp_path / "other")
    (folder / "model").write_bytes((tmp_path / "other" / "model").read_bytes())
    (folder / "cfg").write_text("{}")
    with pytest.raises(
        ValueError, match="version 0.1.0 saved them. Load the pipeline with exclude"
    ):
        spacy.load(tmp_path)
    spacy.load(tmp_path, exclude=["thematic_embedder"])
