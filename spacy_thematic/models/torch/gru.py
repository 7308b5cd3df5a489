"""Gated recurrent units over sentences of any length, in PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class GRU(nn.Module):
    """Gated recurrent units (Cho et al. 2014), with the bias terms of the gates.

    As in the decoders of Kiros et al. (2015), section 2.1, a condition c enters each gate:

        r_t = sigmoid(W_r x_t + U_r h_{t-1} + C_r c)
        z_t = sigmoid(W_z x_t + U_z h_{t-1} + C_z c)
        g_t = tanh(W x_t + U (r_t * h_{t-1}) + C c)
        h_t = (1 - z_t) * h_{t-1} + z_t * g_t

    Nothing is padded: a sentence leaves the batch at its end.

    Args:
        input_width: of the words x_t.
        hidden_width: of the states h_t.
        condition_width: of c, 0 for units without one.
    """

    def __init__(self, input_width: int, hidden_width: int, condition_width: int = 0):
        super().__init__()
        self.hidden_width = hidden_width
        self.input = nn.Linear(input_width, 3 * hidden_width)
        self.gates = nn.Linear(hidden_width, 2 * hidden_width, bias=False)
        self.candidate = nn.Linear(hidden_width, hidden_width, bias=False)
        if condition_width:
            self.condition = nn.Linear(condition_width, 3 * hidden_width, bias=False)
        for square in (*self.gates.weight.chunk(2), self.candidate.weight):
            nn.init.orthogonal_(square.data)

    def forward(self, words: Tensor, lengths: Tensor, conditions: Tensor | None = None) -> Tensor:
        """The states of all words.

        Args:
            words: (words of all sentences, input_width), one sentence after the other.
            lengths: (sentences,), may be 0.
            conditions: (sentences, condition_width).

        Returns:
            The states, (words of all sentences, hidden_width).
        """
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


class GRUEncoder(nn.Module):
    """Word vectors to one vector a sentence: the last state of gated recurrent units.

    The encoder of Kiros et al. (2015), section 2.1.

    Args:
        input_width: of the word vectors; None to build the layers later, with `build`.
        hidden_width: of the states.
    """

    input_weight = "gru.input.weight"

    def __init__(self, input_width: int | None, hidden_width: int):
        super().__init__()
        self.width = hidden_width
        if input_width is not None:
            self.build(input_width)

    def build(self, input_width: int) -> None:
        """Make the layers whose size depends on the width of the word vectors."""
        self.gru = GRU(input_width, self.width)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Encode sentences.

        Args:
            words: (words of all sentences, input_width), one sentence after the other.
            lengths: (sentences,), may be 0.

        Returns:
            (sentences, hidden_width); zeros without words.
        """
        states = self.gru(words, lengths)
        # A row of zeros, for the sentences without words.
        states = torch.cat([states, states.new_zeros(1, self.width)])
        last = torch.where(lengths > 0, torch.cumsum(lengths, 0) - 1, len(states) - 1)
        return states.index_select(0, last)
