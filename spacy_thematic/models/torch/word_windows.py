"""A transformer over windows of consecutive sentences, in PyTorch."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from spacy_thematic.models.torch.transformer_mean import EPSILON, TransformerLayer


SIDES = (1, 2, 3, 5, 8)
"""How many sentences on each side of a gap are compared."""

GROUPS = 8
"""Parts of a state that are compared, besides the whole."""


class WordWindows(nn.Module):
    """Reads the words of windows of sentences, and says where a section begins.

    A word's position is that in its sentence, as in `TransformerMean`; to it is added which
    sentence of the window it stands in. Words attend to all words of the window. A gap is judged by
    the means of the states of the sentences on both sides, and by how alike these sides are.

    Args:
        width: of the words.
        n_layers: of the transformer.
        n_heads: of its attention.
        inner_width: of its feed-forward layers.
        hidden_width: of the layer that reads the two sentences.
        max_length: words of a sentence.
        max_sentences: of a window.
    """

    def __init__(
        self,
        width: int,
        n_layers: int,
        n_heads: int,
        inner_width: int,
        hidden_width: int,
        max_length: int,
        max_sentences: int,
    ):
        super().__init__()
        self.positions = nn.Parameter(torch.randn(max_length, width) * 0.02)
        self.order = nn.Parameter(torch.randn(max_sentences, width) * 0.02)
        self.norm = nn.LayerNorm(width, eps=EPSILON)
        self.layers = nn.ModuleList(
            TransformerLayer(width, n_heads, inner_width) for _ in range(n_layers)
        )
        self.compared = nn.Linear(width, width, bias=False)
        nn.init.eye_(self.compared.weight)
        self.alike = nn.Linear(len(SIDES) * (GROUPS + 1), hidden_width)
        self.pair = nn.Linear(3 * width, hidden_width)
        self.out = nn.Linear(hidden_width, 1)

    def forward(self, words: Tensor, lengths: Tensor, windows: Tensor) -> Tensor:
        """The log odds that a section begins at each sentence, (sentences,). Of the first of a
        window they mean nothing.

        Args:
            words: of all sentences, one after the other, (words, width).
            lengths: the number of words of each sentence, (sentences,).
            windows: the number of sentences of each window, (windows,).
        """
        n = len(lengths)
        sentence = torch.arange(n).repeat_interleave(lengths)
        place = torch.arange(len(words)) - (torch.cumsum(lengths, 0) - lengths)[sentence]
        number = torch.arange(n) - (torch.cumsum(windows, 0) - windows).repeat_interleave(windows)
        states = self.norm(words + self.positions[place] + self.order[number[sentence]])
        window = torch.arange(len(windows)).repeat_interleave(windows)
        sizes = torch.zeros(len(windows), dtype=lengths.dtype).index_add(0, window, lengths)
        groups = [(1, size) for size in sizes.tolist()]
        for layer in self.layers:
            states = layer(states, groups)
        states = states.float()
        sums = states.new_zeros(n, states.shape[1]).index_add(0, sentence, states)
        means = sums / lengths.clamp(min=1)[:, None]
        before = means.roll(1, 0)
        features = torch.cat([before, means, before * means], dim=1)
        sides = self._compare_sides(self.compared(means).float(), window, number, len(windows))
        return self.out(F.gelu(self.pair(features) + self.alike(sides)))[:, 0]

    def _compare_sides(self, means: Tensor, window: Tensor, number: Tensor, n: int) -> Tensor:
        """Cosines of the sums of the sentences before and from each one on, of the whole states and
        of parts of them, less their mean over the window, (sentences, sides * (parts + 1))."""
        longest = int(number.max()) + 1
        padded = means.new_zeros(n, longest, means.shape[1])
        mask = means.new_zeros(n, longest, 1)
        mask[window, number] = 1
        counts = mask.sum(dim=1, keepdim=True)
        padded = padded.index_put((window, number), means)
        padded = F.normalize(padded - padded.sum(dim=1, keepdim=True) / counts, dim=2) * mask
        sums = F.pad(torch.cumsum(padded, dim=1), (0, 0, 1, 0))
        place = torch.arange(longest)
        cosines = []
        for side in SIDES:
            before = sums[:, place] - sums[:, (place - side).clamp(min=0)]
            after = sums[:, (place + side).clamp(max=longest)] - sums[:, place]
            parts = [one.unflatten(2, (GROUPS, -1)) for one in (before, after)]
            cosines.append(F.cosine_similarity(before, after, dim=2, eps=1e-4)[:, :, None])
            cosines.append(F.cosine_similarity(*parts, dim=3, eps=1e-4))
        found = torch.cat(cosines, dim=2) * mask
        return 4 * (found - found.sum(dim=1, keepdim=True) / counts)[window, number]
