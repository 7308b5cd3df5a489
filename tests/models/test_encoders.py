"""What every architecture must do, and the numbers of each."""

import numpy as np
import pytest
import spacy
import torch
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import NumpyOps, fix_random_seed

from gru_encoder import build_gru_encoder
from spacy_thematic.models import tables
from spacy_thematic.models.over_encoders import build_concatenate
from spacy_thematic.models.over_words import build_bilstm_attention, build_transformer_mean
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.tok2vec_attention import build_tok2vec_attention
from spacy_thematic.models.torch.transformer_mean import TransformerMean
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.models.weighted_mean import build_weighted_mean
from spacy_thematic.models.word_pieces import build_word_piece_vectors
from spacy_thematic.models.word_tables import build_learned_vectors
from spacy_thematic.models.word_vectors import build_static_vectors
from tests.conftest import assert_same_rows

TEXTS = [
    "The river runs through a valley. Snow falls. It melts in the warm spring sun.",
    "   ",
    "One bank trades.",
    "",
]


@pytest.fixture
def inputs():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    add_vectors(nlp.vocab)
    docs = list(nlp.pipe(TEXTS))
    return make_doc_spans(NumpyOps(), docs, [list(doc.sents) for doc in docs])


def add_vectors(vocab: Vocab, width: int = 8) -> None:
    vocab.reset_vectors(width=width)
    rng = np.random.default_rng(0)
    words = ["the", "river", "valley", "snow", "bank", "sun", "warm", "spring", "melts", ".", "in"]
    for word in words:
        vocab.set_vector(word, rng.standard_normal(width).astype("f"))


def embeds():
    return {
        "static": build_static_vectors(),
        "learned": build_learned_vectors(width=8, min_count=1, unknown_rows=3),
    }


def make(architecture: str, embed: str):
    if architecture == "tok2vec":
        cnn = {
            "@architectures": "spacy.HashEmbedCNN.v2", "width": 8, "depth": 2, "embed_size": 50,
            "window_size": 1, "maxout_pieces": 2, "subword_features": True,
            "pretrained_vectors": None,
        }  # fmt: skip
        tok2vec = registry.resolve({"tok2vec": cnn})["tok2vec"]
        return build_tok2vec_attention(tok2vec, 4, isolate=embed == "isolated")
    if architecture == "concatenate":
        return build_concatenate(make("mean", embed), make("bilstm", embed), weights=[1.0, 0.5])
    if architecture == "transformer":
        return build_transformer_mean(
            embeds()[embed], n_heads=2, inner_width=6, sentence_width=5, dropout=0.0
        )
    if architecture == "gru":
        return build_gru_encoder(embeds()[embed], hidden_width=6)
    if architecture == "bi-skip":
        return build_gru_encoder(
            embeds()[embed], hidden_width=6, bidirectional=True, reset_after=True
        )
    if architecture == "mean":
        return build_weighted_mean(embeds()[embed], min_count=1)
    return build_bilstm_attention(embeds()[embed], hidden_width=5, attention_width=4, dropout=0.0)


def build(architecture: str, embed: str, inputs):
    fix_random_seed(0)
    model = make(architecture, embed)
    words, counts = np.unique(inputs.words.lower, return_counts=True)
    for node in model.walk():
        if "set_vocabulary" in node.attrs:
            node.attrs["set_vocabulary"](node, inputs.docs[0][0].vocab, words, counts)
    model.initialize(X=inputs)
    return model


INVARIANT = [
    (a, e)
    for a in ("mean", "bilstm", "gru", "bi-skip", "concatenate")
    for e in ("static", "learned")
]
INVARIANT.append(("transformer", "learned"))
ALL = [*INVARIANT, ("tok2vec", "isolated"), ("tok2vec", "whole")]
WIDTHS = {
    "mean": 8,
    "bilstm": 10,
    "gru": 6,
    "bi-skip": 12,
    "concatenate": 18,
    "tok2vec": 8,
    "transformer": 8,
}


@pytest.mark.parametrize(("architecture", "embed"), ALL)
def test_output_has_a_row_for_each_span_and_zeros_without_words(architecture, embed, inputs):
    model = build(architecture, embed, inputs)
    vectors = model.predict(inputs)
    assert vectors.shape == (5, WIDTHS[architecture])
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    if architecture != "tok2vec":  # for which white space is a token
        assert not vectors[3].any()
    assert vectors[[0, 1, 2, 4]].any(axis=1).all()


def predict_one_by_one(model, docs) -> np.ndarray:
    spans = [(doc, sentence) for doc in docs for sentence in doc.sents]
    return np.concatenate(
        [model.predict(make_doc_spans(NumpyOps(), [doc], [[sent]])) for doc, sent in spans]
    )


@pytest.mark.parametrize(("architecture", "embed"), INVARIANT)
def test_a_vector_does_not_depend_on_the_batch(architecture, embed, inputs):
    model = build(architecture, embed, inputs)
    assert_same_rows(predict_one_by_one(model, inputs.docs[0]), model.predict(inputs))


@pytest.mark.parametrize("embed", ["static", "learned"])
def test_a_weighted_mean_does_not_depend_on_the_batch_to_the_bit(embed, inputs):
    model = build("mean", embed, inputs)
    assert np.array_equal(predict_one_by_one(model, inputs.docs[0]), model.predict(inputs))


@pytest.mark.parametrize(("architecture", "embed"), ALL)
def test_gradients_of_the_parameters_agree_with_finite_differences(architecture, embed, inputs):
    model = build(architecture, embed, inputs)
    dY = np.random.default_rng(1).standard_normal((5, model.get_dim("nO"))).astype("f")
    _, backprop = model.begin_update(inputs)
    backprop(dY)
    checked = 0
    for values, gradient in iter_parameters(model):
        flat, flat_gradient = values.reshape(-1), gradient.reshape(-1)
        for index in np.argsort(-np.abs(flat_gradient))[:3]:
            before = flat[index]
            losses = []
            for step in (4e-3, -4e-3):
                flat[index] = before + step
                losses.append(float((model.predict(inputs).astype("d") * dY).sum()))
            flat[index] = before
            numeric = (losses[0] - losses[1]) / 8e-3
            assert numeric == pytest.approx(flat_gradient[index], rel=0.03, abs=3e-3)
            checked += 1
    assert checked >= 3


def iter_parameters(model):
    for node in model.walk():
        for name in node.param_names:
            if node.has_grad(name):
                yield node.get_param(name), node.get_grad(name)
        for shim in node.shims:
            for parameter in shim._model.parameters():
                yield parameter.detach().numpy(), parameter.grad.numpy()


@pytest.mark.parametrize(("architecture", "embed"), ALL)
def test_bytes_restore_an_uninitialized_model(architecture, embed, inputs):
    model = build(architecture, embed, inputs)
    fresh = make(architecture, embed)
    if architecture != "tok2vec":
        with pytest.raises(ValueError, match="has not been trained"):
            fresh.predict(inputs)
    fresh.from_bytes(model.to_bytes())
    assert fresh.to_bytes() == model.to_bytes()
    assert_same_rows(fresh.predict(inputs), model.predict(inputs))


def test_frozen_layers_and_what_is_below_them_are_not_trained(inputs):
    embed = build_word_piece_vectors(width=8)
    embed.attrs["pieces"] = ["[UNK]", "river", "bank", "##s"]
    embed.set_param("E", np.random.default_rng(0).standard_normal((4, 8)).astype("f"))
    model = build_transformer_mean(
        embed, n_layers=3, n_heads=2, inner_width=4, sentence_width=4, frozen_layers=2
    )
    model.initialize(X=inputs)
    net = get_module(model.layers[1])
    _, backprop = model.begin_update(inputs)
    backprop(np.ones((len(inputs.words.lengths), 8), "f"))
    trained = {name for name, parameter in net.named_parameters() if parameter.grad is not None}
    frozen = {name for name, parameter in net.named_parameters() if parameter.grad is None}
    assert any(name.startswith("layers.2.") for name in trained)
    below = {"positions", "norm.weight", "norm.bias"}
    assert below < frozen
    assert {name[:9] for name in frozen - below} == {"layers.0.", "layers.1."}
    assert not embed.has_grad("E")


def test_isolated_sentences_do_not_see_their_neighbours(inputs):
    doc = inputs.docs[0][0]
    first = next(iter(doc.sents))
    alone = make_doc_spans(NumpyOps(), [first.as_doc()], [[first.as_doc()[:]]])
    together = make_doc_spans(NumpyOps(), [doc], [[first]])
    isolated = build("tok2vec", "isolated", inputs)
    assert np.allclose(isolated.predict(alone), isolated.predict(together), atol=1e-6)
    whole = build("tok2vec", "whole", inputs)
    assert not np.allclose(whole.predict(alone), whole.predict(together), atol=1e-4)


def test_concatenated_encoders_have_the_say_of_their_weights(inputs):
    model = build("concatenate", "static", inputs)
    vectors = model.predict(inputs)
    first = model.layers[0].predict(inputs)
    assert np.allclose(np.linalg.norm(vectors[0, :8]), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(vectors[0, 8:]), 0.5, atol=1e-5)
    assert np.allclose(vectors[0, :8], first[0] / np.linalg.norm(first[0]), atol=1e-6)


def test_the_weighted_mean_by_hand(inputs):
    model = build("mean", "learned", inputs)
    embed, weights = model.layers
    rng = np.random.default_rng(2)
    embed.set_param("E", rng.standard_normal(embed.get_param("E").shape).astype("f"))
    weights.set_param("E", rng.standard_normal(weights.get_param("E").shape).astype("f"))
    doc = inputs.docs[0][2]
    rows = [int(np.searchsorted(embed.attrs["keys"], np.uint64(token.lower))) for token in doc]
    weight = np.exp(weights.get_param("E")[rows])
    expected = (embed.get_param("E")[rows] * weight).sum(axis=0) / weight.sum()
    assert np.allclose(model.predict(inputs)[4], expected, atol=1e-6)


@pytest.mark.parametrize("block_rows", [4, 1024])
def test_the_weighted_mean_predicts_what_it_is_trained_on(block_rows, inputs, monkeypatch):
    monkeypatch.setattr(tables, "BLOCK_ROWS", block_rows)
    model = build("mean", "learned", inputs)
    for table in model.layers:
        table.attrs["keys"] = table.attrs["keys"][::2]  # so that the other words are unknown
    trained, _ = model.begin_update(inputs)
    assert np.allclose(model.predict(inputs), trained, atol=1e-6)
    table = model.layers[0]
    rows, table.attrs["scales"] = tables.quantize_rows(table.get_param("E"))
    table.set_param("E", rows)
    assert np.allclose(model.predict(inputs), trained, atol=0.02)
    assert not np.array_equal(model.predict(inputs), trained)


def test_the_transformer_predicts_by_onednn_what_it_is_trained_on():
    torch.manual_seed(0)
    net = TransformerMean(24, 2, 4, 48, 32, max_length=16, dropout=0.1).eval()
    torch.nn.init.normal_(net.outer.weight)
    words, lengths = torch.randn(21, 24), torch.tensor([7, 0, 1, 13])
    trained = net(words, lengths).detach()
    with torch.no_grad():
        predicted = net(words, lengths)
    assert torch.allclose(predicted, trained, atol=1e-5)


def test_the_net_equals_its_equations(inputs):
    """Against a plain bidirectional torch.nn.LSTM and the attention of the paper, sentence by
    sentence."""
    model = build("bilstm", "static", inputs)
    net = get_module(model.layers[1])
    reference = torch.nn.LSTM(8, 5, batch_first=True, bidirectional=True)
    state = {
        name + suffix: value
        for lstm, suffix in ((net.forward_lstm, ""), (net.backward_lstm, "_reverse"))
        for name, value in lstm.state_dict().items()
    }
    reference.load_state_dict(state)
    words = model.layers[0].predict(inputs)
    vectors = model.predict(inputs)
    ends = np.cumsum(words.lengths)
    for row, (end, length) in enumerate(zip(ends, words.lengths)):
        if length:
            with torch.no_grad():
                states = reference(torch.tensor(words.dataXd[end - length : end])[None])[0][0]
                scores = torch.tanh(net.attention.attention(states)) @ net.attention.context
                expected = (torch.softmax(scores, 0)[:, None] * states).sum(0)
            assert np.allclose(vectors[row], expected.numpy(), atol=1e-6)


def test_many_sentences_are_encoded_in_batches_of_bounded_size(monkeypatch):
    from spacy_thematic.models.torch import bilstm_attention

    fix_random_seed(0)
    net = bilstm_attention.BiLSTMAttention(4, 3, 2, 0.0).eval()
    lengths = torch.tensor([3, 0, 7, 1, 40, 3, 5, 0])
    words = torch.randn(int(lengths.sum()), 4)
    with torch.no_grad():
        at_once = net(words, lengths)
        monkeypatch.setattr(bilstm_attention, "BATCH_WORDS", 16)
        assert_same_rows(net(words, lengths), at_once)
    batches = net._batches(torch.argsort(lengths, stable=True), lengths)
    assert len(batches) > 2
    assert all(len(b) * int(lengths[b].max()) <= 16 or len(b) == 1 for b in batches)


def test_words_without_a_vector_take_that_of_their_lower_case_form(inputs):
    nlp = spacy.blank("en")
    add_vectors(nlp.vocab)
    doc = nlp("RIVER river xyzzy")
    words = build_static_vectors(normalize=False).predict(
        make_doc_spans(NumpyOps(), [doc], [[doc[:]]])
    )
    assert np.array_equal(words.dataXd[0], nlp.vocab["river"].vector)
    assert np.array_equal(words.dataXd[0], words.dataXd[1])
    assert not words.dataXd[2].any()


def test_words_without_a_vector_take_that_of_the_unknown_word(inputs):
    vocab = inputs.vocab
    model = build_static_vectors(normalize=False, unknown="snow")
    words = model.predict(inputs).dataXd
    assert np.array_equal(words[0], vocab.get_vector("snow"))  # "The", though "the" has one
    assert np.array_equal(words[1], vocab.get_vector("river"))
    with pytest.raises(ValueError, match="no word vector of 'UNK', .* set \"unknown\""):
        build_static_vectors(unknown="UNK").predict(inputs)


def test_static_vectors_need_a_pipeline_with_vectors():
    nlp = spacy.blank("en")
    doc = nlp("No vectors here")
    with pytest.raises(ValueError, match=r"no word vectors.*\[initialize\].*LearnedVectors"):
        build_static_vectors().predict(make_doc_spans(NumpyOps(), [doc], [[doc[:]]]))


def test_the_learned_table_starts_from_the_vectors_of_the_pipeline(inputs):
    model = build("mean", "learned", inputs)
    embed = model.layers[0]
    vocab = inputs.docs[0][0].vocab
    row = int(np.searchsorted(embed.attrs["keys"], np.uint64(vocab.strings["river"])))
    vector = vocab["river"].vector
    assert np.allclose(embed.get_param("E")[row], vector / np.linalg.norm(vector), atol=1e-6)


def test_tokens_are_those_of_the_spans_without_white_space():
    nlp = spacy.blank("en")
    doc, other = nlp("A b  c d"), nlp("e F")
    spans = make_doc_spans(NumpyOps(), [doc, other], [[doc[1:5], doc[0:1]], [other[1:2]]])
    orth, lower, lengths = spans.words
    strings = [nlp.vocab.strings[int(key)] for key in orth]
    assert strings == ["b", "c", "d", "A", "F"]
    assert [nlp.vocab.strings[int(key)] for key in lower] == ["b", "c", "d", "a", "f"]
    assert lengths.tolist() == [3, 1, 1]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, 33])
def test_at_the_papers_size_too_a_vector_does_not_depend_on_the_batch(size):
    from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

    fix_random_seed(0)
    net = BiLSTMAttention(300, 300).eval()
    lengths = torch.randint(0, 60, (120,))
    words = torch.randn(int(lengths.sum()), 300)
    with torch.no_grad():
        together = net(words, lengths)
        for first in range(0, 60, 19):
            some = lengths[first : first + size]
            start = int(lengths[:first].sum())
            alone = net(words[start : start + int(some.sum())], some)
            assert_same_rows(alone, together[first : first + size])
