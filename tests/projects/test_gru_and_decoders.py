"""Gated recurrent units, and the loss of the decoders of skip-thoughts."""

import pytest
import torch

from gru_encoder import GRU, GRUEncoder
from skip_thoughts import SkipThoughtsDecoders
from tests.conftest import assert_same_rows

LENGTHS = [3, 1, 4, 2, 4]
FIRSTS = [0, 1, 3]
VOCABULARY = 6


def equations(gru: GRU, words, condition):
    """One sentence, by the equations of Kiros et al. (2015), word by word."""
    weights = {name: value.detach().double() for name, value in gru.state_dict().items()}
    W, b, C = weights["input.weight"], weights["input.bias"], weights["condition.weight"]
    W_r, W_z, W_h = W.chunk(3)
    b_r, b_z, b_h = b.chunk(3)
    C_r, C_z, C_h = C.chunk(3)
    U_r, U_z = weights["gates.weight"].chunk(2)
    state = torch.zeros(gru.hidden_width, dtype=torch.double)
    states = []
    for word in words.double():
        c = condition.double()
        reset = torch.sigmoid(W_r @ word + b_r + U_r @ state + C_r @ c)
        update = torch.sigmoid(W_z @ word + b_z + U_z @ state + C_z @ c)
        new = torch.tanh(W_h @ word + b_h + weights["candidate.weight"] @ (reset * state) + C_h @ c)
        state = (1 - update) * state + update * new
        states.append(state)
    return torch.stack(states)


def test_conditional_units_equal_their_equations():
    torch.manual_seed(0)
    gru = GRU(3, 5, condition_width=4)
    words, conditions = torch.randn(sum(LENGTHS), 3), torch.randn(len(LENGTHS), 4)
    states = gru(words, torch.tensor(LENGTHS), conditions).split(LENGTHS)
    for found, sentence, condition in zip(states, words.split(LENGTHS), conditions):
        assert torch.allclose(found.double(), equations(gru, sentence, condition), atol=1e-5)


def test_units_that_reset_after_the_product_equal_those_of_torch():
    torch.manual_seed(0)
    gru, other = GRU(3, 5, reset_after=True), torch.nn.GRU(3, 5)
    # torch's z weighs the former state, ours the new one; torch has a second bias.
    sign = torch.tensor([1.0, -1.0, 1.0]).repeat_interleave(5)
    hidden = torch.cat([gru.gates.weight, gru.candidate.weight])
    other.weight_ih_l0.data = gru.input.weight * sign[:, None]
    other.weight_hh_l0.data = hidden * sign[:, None]
    other.bias_ih_l0.data = gru.input.bias * sign
    other.bias_hh_l0.data.zero_()
    words = torch.randn(sum(LENGTHS), 3)
    states = gru(words, torch.tensor(LENGTHS)).split(LENGTHS)
    for found, sentence in zip(states, words.split(LENGTHS)):
        assert torch.allclose(found, other(sentence)[0], atol=1e-6)


def test_the_backward_direction_reads_each_sentence_from_its_end():
    torch.manual_seed(0)
    encoder = GRUEncoder(3, 5, bidirectional=True)
    lengths = torch.tensor([0, 4, 1, 0, 3])
    words = torch.randn(8, 3)
    vectors = encoder(words, lengths)
    reversed_words = torch.cat([part.flip(0) for part in words.split(lengths.tolist())])
    last = encoder.backward_gru(reversed_words, lengths)[[3, 4, 7]]
    assert torch.equal(vectors[[1, 2, 4], 5:], last)
    assert torch.equal(vectors[[1, 2, 4], :5], encoder.gru(words, lengths)[[3, 4, 7]])
    assert not vectors[[0, 3]].any()
    assert encoder(words[:0], lengths[[0, 3]]).shape == (2, 10)


def test_the_encoder_gives_the_last_state_and_zeros_without_words():
    torch.manual_seed(0)
    encoder = GRUEncoder(3, 5)
    lengths = torch.tensor([2, 0, 3, 0])
    words = torch.randn(5, 3)
    vectors, states = encoder(words, lengths), encoder.gru(words, lengths)
    assert torch.equal(vectors[[0, 2]], states[[1, 4]])
    assert not vectors[[1, 3]].any()
    assert encoder(words[:0], lengths[[1, 3]]).shape == (2, 5)


@pytest.mark.parametrize("size", [1, 2, 7, 33])
def test_a_vector_does_not_depend_on_the_batch_at_a_real_size(size):
    torch.manual_seed(0)
    encoder = GRUEncoder(100, 300).eval()
    lengths = torch.randint(0, 40, (80,))
    words = torch.randn(int(lengths.sum()), 100)
    with torch.no_grad():
        together = encoder(words, lengths)
        for first in (0, 19, 41):
            some = lengths[first : first + size]
            start = int(lengths[:first].sum())
            alone = encoder(words[start : start + int(some.sum())], some)
            assert_same_rows(alone, together[first : first + size])


def make_module() -> SkipThoughtsDecoders:
    torch.manual_seed(1)
    frequencies = torch.rand(VOCABULARY + 1) + 0.1
    module = SkipThoughtsDecoders(3, 5, frequencies / frequencies.sum())
    for decoder in (module.next, module.previous):
        torch.nn.init.normal_(decoder.start)
    return module


def make_batch():
    """What the decoders read; one word is not in the vocabulary."""
    torch.manual_seed(2)
    numbers = torch.randint(0, VOCABULARY - 1, (sum(LENGTHS),))
    numbers[5] = -1
    vectors = torch.randn(len(LENGTHS), 5, requires_grad=True)
    words = torch.randn(sum(LENGTHS), 3)
    return vectors, words, torch.tensor(LENGTHS), numbers, torch.tensor(FIRSTS)


@pytest.mark.parametrize("in_training", [False, True])
def test_the_loss_equals_its_formula_sentence_by_sentence(in_training):
    module = make_module().train(in_training)
    vectors, words, lengths, numbers, firsts = make_batch()
    total, n_words = module(vectors, words, lengths, numbers, firsts)
    sentences, targets = words.split(LENGTHS), numbers.split(LENGTHS)
    end = VOCABULARY
    predicted = [(module.next, i, i + 1) for i in FIRSTS]
    predicted += [(module.previous, i + 1, i) for i in FIRSTS]
    goals = [[*targets[other].tolist(), end] for _, _, other in predicted]
    counted = [goal for goals_of_one in goals for goal in goals_of_one if goal >= 0]
    expected = 0.0
    for (decoder, this, other), wanted in zip(predicted, goals):
        read = torch.cat([decoder.start, sentences[other]])
        states = equations(decoder.gru, read, vectors[this]).float()
        logits = module.output(states)
        if in_training:
            absent = torch.ones(VOCABULARY + 1, dtype=bool)
            absent[counted] = False
            presence = 1 - (1 - module.frequencies) ** len(counted)
            logits = (logits - presence.log()).masked_fill(absent, -torch.inf)
        for row, goal in zip(torch.log_softmax(logits, dim=1), wanted):
            expected -= row[goal].item() if goal >= 0 else 0.0
    assert n_words == len(counted) == sum(LENGTHS[i] + LENGTHS[i + 1] + 2 for i in FIRSTS) - 1
    assert total.item() == pytest.approx(expected, rel=1e-4)


def test_the_gradient_reaches_all_weights_and_the_vectors_that_are_read():
    module = make_module()
    vectors, *batch = make_batch()
    total, _ = module(vectors, *batch)
    total.backward()
    assert vectors.grad.any(dim=1).all()
    for name, weight in module.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.any(), name


def test_many_sentences_are_encoded_in_parts_where_nothing_is_learned():
    """The states of all words of a long text would take gigabytes."""
    torch.manual_seed(0)
    encoder = GRUEncoder(3, 5, bidirectional=True)
    lengths = torch.arange(600) % 4
    words = torch.randn(int(lengths.sum()), 3)
    largest = []
    encoder.gru.input.register_forward_hook(lambda _, inputs, out: largest.append(len(inputs[0])))
    expected = encoder(words, lengths)
    assert largest == [len(words)]
    with torch.no_grad():
        vectors = encoder(words, lengths)
    assert sum(largest[1:]) == len(words)
    assert max(largest[1:]) < len(words) / 2
    assert torch.allclose(vectors, expected, atol=1e-6)
