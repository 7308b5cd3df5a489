"""The decoders of skip-thoughts in PyTorch (Kiros et al. 2015)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from spacy_thematic.papers.skip_thoughts.gru import GRU


class Decoder(nn.Module):
    """Conditional gated recurrent units that read a sentence one word late, after a learned vector.

    Args:
        word_width: Width of the word vectors.
        width: Width of the states.
    """

    def __init__(self, word_width: int, width: int):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, word_width))
        self.gru = GRU(word_width, width, condition_width=width)


class SkipThoughtsDecoders(nn.Module):
    """Two decoders: from the vector of a sentence, one predicts the words of the next sentence,
    the other those of the previous one. What is minimised is

        - sum_t log p(w_t of the next | words before it, vector)
        - sum_t log p(w_t of the previous | words before it, vector)

    Kiros et al. (2015), section 2.1. As there, the decoders share the matrix of the words' output
    vectors. In training the softmax is over the words of the batch, each with its logit lowered by
    the logarithm of the probability that it is in one (Jean et al. 2015, section 3); in evaluation
    it is over the whole vocabulary.

    Args:
        word_width: Width of the word vectors, which are not learned.
        width: Width of the sentence vectors.
        frequencies: Share of each word of the vocabulary among what is predicted, and last that of
            the end of a sentence, (vocabulary + 1,).
    """

    frequencies: Tensor

    def __init__(self, word_width: int, width: int, frequencies: Tensor):
        super().__init__()
        self.next = Decoder(word_width, width)
        self.previous = Decoder(word_width, width)
        self.output = nn.Linear(width, len(frequencies))
        self.register_buffer("frequencies", frequencies, persistent=False)

    def forward(
        self, vectors: Tensor, words: Tensor, lengths: Tensor, numbers: Tensor, firsts: Tensor
    ) -> tuple[Tensor, int]:
        """Compute the loss of a batch.

        Args:
            vectors: Vectors of the sentences, (sentences, width).
            words: Vectors of the words, one sentence after the other, (words, word_width).
            lengths: Number of words of each sentence, (sentences,).
            numbers: Number of each word in the vocabulary, (words,); -1 for one that is not in it,
                which is read but not predicted.
            firsts: Sentences that are followed by the next sentence of the batch, (pairs,).

        Returns:
            The sum of -log p, (), and the number of words that it is over.
        """
        decoded = [
            self._decode(self.next, vectors[firsts], firsts + 1, words, lengths, numbers),
            self._decode(self.previous, vectors[firsts + 1], firsts, words, lengths, numbers),
        ]
        states, targets = (torch.cat(parts) for parts in zip(*decoded))
        states, targets = states[targets >= 0], targets[targets >= 0]
        logits, rows = self._score(states, targets)
        return F.cross_entropy(logits, rows, reduction="sum"), len(targets)

    def _score(self, states: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of each state's next word, (n, candidates), and which candidate is the target,
        (n,)."""
        if not self.training:
            return self.output(states), targets
        candidates, rows = torch.unique(targets, return_inverse=True)
        weight = self.output.weight.index_select(0, candidates)
        bias = self.output.bias.index_select(0, candidates)
        # 1 - (1 - f)^n, the probability of being among n words.
        presence = -torch.expm1(len(targets) * torch.log1p(-self.frequencies[candidates]))
        return F.linear(states, weight, bias - presence.log()), rows

    def _decode(
        self,
        decoder: Decoder,
        vectors: Tensor,
        sentences: Tensor,
        words: Tensor,
        lengths: Tensor,
        numbers: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """The decoder's states before each word and before the end of some sentences, (n, width),
        and the numbers of what comes next, (n,)."""
        steps = lengths[sentences] + 1
        row = torch.arange(len(sentences), device=steps.device).repeat_interleave(steps)
        position = (
            torch.arange(len(row), device=steps.device) - (torch.cumsum(steps, 0) - steps)[row]
        )
        word = (torch.cumsum(lengths, 0) - lengths)[sentences][row] + position
        before = torch.where(position > 0, word - 1, len(words))
        then = torch.where(position < steps[row] - 1, word, len(words))
        inputs = torch.cat([words, decoder.start]).index_select(0, before)
        end = numbers.new_full((1,), len(self.frequencies) - 1)
        return decoder.gru(inputs, steps, vectors), torch.cat([numbers, end])[then]
