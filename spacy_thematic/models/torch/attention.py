"""Attention over the words of a sentence (Yang et al. 2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Attention(nn.Module):
    """u_t = tanh(W h_t + b), a_t = softmax_t(u_t . u_w), s = sum_t a_t h_t.

    Args:
        input_width: of the states h_t.
        attention_width: rows of W.
    """

    def __init__(self, input_width: int, attention_width: int = 200):
        super().__init__()
        self.attention = nn.Linear(input_width, attention_width)
        self.context = nn.Parameter(torch.empty(attention_width))
        nn.init.normal_(self.context, std=attention_width**-0.5)

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """The sum of the states of each sentence, weighted by attention.

        Args:
            states: (words of all sentences, input_width), one sentence after the other.
            lengths: (sentences,), may be 0.

        Returns:
            (sentences, input_width); zeros without words.
        """
        n_sentences = len(lengths)
        sentence = torch.arange(n_sentences, device=states.device).repeat_interleave(lengths)
        hidden = torch.tanh(self.attention(states))
        scores = (hidden * self.context).sum(dim=1)
        highest = scores.new_full((n_sentences,), -torch.inf)
        highest = highest.scatter_reduce(0, sentence, scores.detach(), "amax")
        weights = torch.exp(scores - highest[sentence])
        totals = torch.zeros_like(highest).index_add(0, sentence, weights)
        shares = weights / totals[sentence]
        weighted = states * shares[:, None]
        sums = weighted.new_zeros(n_sentences, states.shape[1])
        return sums.index_add(0, sentence, weighted)
