"""Gated recurrent units over sentences of any length, the encoder of skip-thoughts.

Pipelines that have it load where this module is imported.
"""

import torch
from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged
from torch import Tensor, nn

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import build_over_words, make_module

_AT_ONCE = 256  # sentences


class GRU(nn.Module):
    """Gated recurrent units (Cho et al. 2014), with the bias terms of the gates, from words x_t to
    states h_t.

    As in the decoders of Kiros et al. (2015), section 2.1, a condition c, if it has a width, enters
    each gate:

        r_t = sigmoid(W_r x_t + U_r h_{t-1} + C_r c)
        z_t = sigmoid(W_z x_t + U_z h_{t-1} + C_z c)
        g_t = tanh(W x_t + U (r_t * h_{t-1}) + C c)
        h_t = (1 - z_t) * h_{t-1} + z_t * g_t

    With `reset_after` the reset gate follows the product, as in the code of Kiros et al. and in
    `torch.nn.GRU`: g_t = tanh(W x_t + r_t * (U h_{t-1}) + C c).

    Nothing is padded: a sentence leaves the batch at its end.
    """

    def __init__(
        self,
        input_width: int,
        hidden_width: int,
        condition_width: int = 0,
        reset_after: bool = False,
    ):
        super().__init__()
        self.hidden_width = hidden_width
        self.reset_after = reset_after
        self.input = nn.Linear(input_width, 3 * hidden_width)
        self.gates = nn.Linear(hidden_width, 2 * hidden_width, bias=False)
        self.candidate = nn.Linear(hidden_width, hidden_width, bias=False)
        if condition_width:
            self.condition = nn.Linear(condition_width, 3 * hidden_width, bias=False)
        for square in (*self.gates.weight.chunk(2), self.candidate.weight):
            nn.init.orthogonal_(square.data)

    def forward(self, words: Tensor, lengths: Tensor, conditions: Tensor | None = None) -> Tensor:
        """The states of all words, (words, hidden_width), of words, (words, input_width), one
        sentence after the other; lengths, (sentences,), may be 0, and conditions are (sentences,
        condition_width)."""
        if not len(words):
            return words.new_zeros(0, self.hidden_width)
        inputs = self.input(words)
        if conditions is not None:
            inputs = inputs + self.condition(conditions).repeat_interleave(lengths, dim=0)
        by_step, sizes = _order_by_step(lengths)
        state = words.new_zeros(sizes[0], self.hidden_width)
        states = []
        for rows in inputs.index_select(0, by_step).split(sizes):
            state = self._step(rows, state[: len(rows)])
            states.append(state)
        return torch.cat(states).index_select(0, torch.argsort(by_step))

    def _step(self, inputs: Tensor, state: Tensor) -> Tensor:
        width = self.hidden_width
        of_gates, of_candidate = inputs.split([2 * width, width], dim=1)
        reset, update = torch.sigmoid(of_gates + self.gates(state)).chunk(2, dim=1)
        if self.reset_after:
            candidate = reset * self.candidate(state)
        else:
            candidate = self.candidate(reset * state)
        return state + update * (torch.tanh(of_candidate + candidate) - state)


def _order_by_step(lengths: Tensor) -> tuple[Tensor, list[int]]:
    """The rows of the words of all sentences, first the first words, then the second ones, each
    time the longest sentence first; and how many sentences have so many words."""
    order = torch.argsort(lengths, descending=True, stable=True)
    starts = (torch.cumsum(lengths, 0) - lengths)[order]
    steps = torch.arange(int(lengths.max()), device=lengths.device)
    present = steps[:, None] < lengths[order]
    return (starts + steps[:, None])[present], present.sum(dim=1).tolist()


def _reverse(lengths: Tensor) -> Tensor:
    """The rows of the words of all sentences, those of each from its last word to its first."""
    ends = torch.cumsum(lengths, 0)
    # First and last row of a sentence, added up.
    sums = (ends - lengths + ends - 1).repeat_interleave(lengths)
    return sums - torch.arange(len(sums), device=sums.device)


class GRUEncoder(nn.Module):
    """Word vectors to one vector a sentence: the last state of gated recurrent units, the encoder
    of Kiros et al. (2015), section 2.1; with `bidirectional` their bi-skip, whose second half is
    the last state over the reversed sentence. With an `input_width` of None its layers are built
    later, with `build`."""

    input_weight = "gru.input.weight"

    def __init__(
        self,
        input_width: int | None,
        hidden_width: int,
        bidirectional: bool = False,
        reset_after: bool = False,
    ):
        super().__init__()
        self.hidden_width = hidden_width
        self.bidirectional = bidirectional
        self.reset_after = reset_after
        self.width = (1 + bidirectional) * hidden_width
        if input_width is not None:
            self.build(input_width)

    def build(self, input_width: int) -> None:
        """Make the layers whose size depends on the width of the word vectors."""
        self.gru = GRU(input_width, self.hidden_width, reset_after=self.reset_after)
        if self.bidirectional:
            self.backward_gru = GRU(input_width, self.hidden_width, reset_after=self.reset_after)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Encode the words of sentences, one sentence after the other, (words, input_width), by
        their lengths, (sentences,): (sentences, width), zeros for a sentence without words."""
        if torch.is_grad_enabled() or len(lengths) <= _AT_ONCE:
            return self._encode(words, lengths)
        parts = lengths.split(_AT_ONCE)
        of_parts = words.split([int(part.sum()) for part in parts])
        return torch.cat([self._encode(*part) for part in zip(of_parts, parts)])

    def _encode(self, words: Tensor, lengths: Tensor) -> Tensor:
        last = _last_states(self.gru, words, lengths)
        if not self.bidirectional:
            return last
        reversed_words = words.index_select(0, _reverse(lengths))
        return torch.cat([last, _last_states(self.backward_gru, reversed_words, lengths)], dim=1)


def _last_states(gru: GRU, words: Tensor, lengths: Tensor) -> Tensor:
    """The state after the last word of each sentence, (sentences, hidden_width)."""
    states = gru(words, lengths)
    # A row of zeros, for the sentences without words.
    states = torch.cat([states, states.new_zeros(1, gru.hidden_width)])
    last = torch.where(lengths > 0, torch.cumsum(lengths, 0) - 1, len(states) - 1)
    return states.index_select(0, last)


@registry.architectures("papers.GRUEncoder.v1")
def build_gru_encoder(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    bidirectional: bool = False,
    reset_after: bool = False,
) -> Model[DocSpans, Floats2d]:
    """The last state of gated recurrent units over the words: the encoder of skip-thoughts (Kiros
    et al. 2015, section 2.1). Returns a model with the output Floats2d (spans, hidden_width), twice
    as wide if bidirectional; zeros for a span without words.

    Args:
        embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` or `.LearnedVectors.v1`.
        hidden_width: of the states of one direction.
        bidirectional, reset_after: see `GRUEncoder`, `GRU`.
    """
    module = make_module(GRUEncoder, None, hidden_width, bidirectional, reset_after)
    return build_over_words("gru_encoder", embed, module)
