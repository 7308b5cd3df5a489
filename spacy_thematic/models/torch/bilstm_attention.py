"""The paper's net in PyTorch: BiLSTM, dropout, attention (Ein Dor et al. 2018, section 4)."""

import torch
from torch import Tensor, nn

BATCH_WORDS = 4096
"""Padded words that are encoded at once."""


class Attention(nn.Module):
    """u_t = tanh(W h_t + b), a_t = softmax_t(u_t . u_w), s = sum_t a_t h_t."""

    def __init__(self, input_width: int, attention_width: int = 200):
        super().__init__()
        self.attention = nn.Linear(input_width, attention_width)
        self.context = nn.Parameter(torch.empty(attention_width))
        nn.init.normal_(self.context, std=attention_width**-0.5)

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """The sum of the states of each sentence, weighted by attention, (sentences, input_width);
        zeros without words. States are those of one sentence after the other, lengths how many each
        has."""
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


class BiLSTMAttention(nn.Module):
    """Word vectors to one vector a sentence: a BiLSTM, dropout and attention over its concatenated
    states. The backward direction is an LSTM over the reversed words, so that padding comes last
    and changes no state of a word. With an `input_width` of None its layers are built later, with
    `build`."""

    input_weight = "forward_lstm.weight_ih_l0"

    def __init__(
        self,
        input_width: int | None,
        hidden_width: int = 300,
        attention_width: int = 200,
        dropout: float = 0.8,
    ):
        super().__init__()
        self.hidden_width = hidden_width
        self.width = 2 * hidden_width
        self.dropout = nn.Dropout(dropout)
        self.attention = Attention(self.width, attention_width)
        if input_width is not None:
            self.build(input_width)

    def build(self, input_width: int) -> None:
        """Make the layers whose size depends on the width of the word vectors."""
        self.forward_lstm = nn.LSTM(input_width, self.hidden_width, batch_first=True)
        self.backward_lstm = nn.LSTM(input_width, self.hidden_width, batch_first=True)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Encode the words of sentences, one sentence after the other, (words, input_width), by
        their lengths, (sentences,): (sentences, 2 * hidden_width), zeros for a sentence without
        words."""
        order = torch.argsort(lengths, stable=True)
        starts = torch.cumsum(lengths, 0) - lengths
        vectors = [words.new_zeros(0, self.width)]
        for batch in self._batches(order, lengths):
            vectors.append(self._encode(words, starts[batch], lengths[batch]))
        return torch.cat(vectors)[torch.argsort(order)]

    def _batches(self, order: Tensor, lengths: Tensor) -> list[Tensor]:
        batches, first = [], 0
        sizes = lengths[order].tolist()
        for end in range(1, len(sizes) + 1):
            if end == len(sizes) or (end + 1 - first) * sizes[end] > BATCH_WORDS:
                batches.append(order[first:end])
                first = end
        return batches

    def _encode(self, words: Tensor, starts: Tensor, lengths: Tensor) -> Tensor:
        n_sentences, longest = len(lengths), int(lengths.max())
        if longest == 0:
            return words.new_zeros(n_sentences, self.width)
        steps = torch.arange(longest, device=words.device)
        mask = steps < lengths[:, None]
        left = torch.where(mask, steps, 0)
        right = torch.where(mask, lengths[:, None] - 1 - steps, 0)
        # A last sentence without words begins after the last word.
        starts = starts.clamp(max=len(words) - 1)[:, None]
        ahead = self.forward_lstm(words[starts + left])[0][mask]
        behind = self.backward_lstm(words[starts + right])[0]
        # State t of the reversed sentence belongs to word length - 1 - t.
        behind = behind.gather(1, right[:, :, None].expand(-1, -1, self.hidden_width))[mask]
        states = self.dropout(torch.cat([ahead, behind], dim=1))
        return self.attention(states, lengths)
