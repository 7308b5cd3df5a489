"""The package's small transformer on padded batches of sentences, which a GPU likes better than
sentences of equal length, and the net of boundaries in PyTorch, so that both can learn together."""

from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np
import torch
import torch.nn.functional as F
from thinc.api import Model
from torch import Tensor, nn

from bare_encoder import Built
from spacy_thematic.models.section_boundaries import WINDOWS
from spacy_thematic.models.torch.transformer_mean import (
    TransformerLayer,
    TransformerMean,
    bucket_distances,
)
from spacy_thematic.pretrained.architecture import build_architecture

MULTIPLE = 8
"""Lengths are padded to a multiple of this."""


class PaddedEncoder(nn.Module):
    """A transformer and its table of word pieces, (pieces, width), with the same weights.

    Args:
        frozen: How many layers do not learn, nor does the table.
    """

    def __init__(self, net: TransformerMean, table: np.ndarray, frozen: int = 0):
        super().__init__()
        self.net, self.frozen = net, frozen
        self.table = nn.Parameter(torch.tensor(table))
        if frozen:
            for part in (self.table, net.positions, net.distances):
                if part is not None:
                    part.requires_grad_(False)
            for module in (net.norm, *net.layers[:frozen]):
                module.requires_grad_(False)

    def forward(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """The vectors, (sentences, width), of pieces, int64 (sentences, length), and where they
        are, bool."""
        net, length = self.net, pieces.shape[1]
        states = net.norm(F.embedding(pieces, self.table) + net.positions[:length])
        hidden = torch.zeros_like(mask, dtype=states.dtype).masked_fill(~mask, -1e4)
        bias = hidden[:, None, None, :].expand(-1, 1, length, -1)
        if net.distances is not None:
            buckets = bucket_distances(length, len(net.distances)).to(pieces.device)
            bias = bias + net.distances[buckets].permute(2, 0, 1)
        for number, layer in enumerate(net.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= self.frozen):
                states = _run_layer(layer, states, bias)
        weights = torch.exp((states * net.weight).sum(dim=-1).float().clamp(-4, 4)) * mask
        shares = (weights / weights.sum(dim=1, keepdim=True)).to(states.dtype)
        means = (states * shares[..., None]).sum(dim=1)
        return means + net.outer(F.gelu(net.inner(net.sentence_norm(means))))

    def encode(
        self, pieces: Tensor, starts: np.ndarray, lengths: np.ndarray, at_once: int = 24_576
    ) -> Tensor:
        """The vectors of sentences, which lie in a tensor of pieces from their starts on, so many
        pieces at once, sentences of about the same length together."""
        order = np.argsort(-lengths, kind="stable")
        found, begin = [], 0
        while begin < len(order):
            longest = -(-int(lengths[order[begin]]) // MULTIPLE) * MULTIPLE
            rows = order[begin : begin + max(1, at_once // longest)]
            begin += len(rows)
            first, size = (
                torch.from_numpy(column[rows].astype("int64")).to(pieces.device)[:, None]
                for column in (starts, lengths)
            )
            place = torch.arange(longest, device=pieces.device)
            mask = place < size
            own = pieces[(first + place).clamp(max=len(pieces) - 1)].long()
            found.append(self(own.masked_fill(~mask, 0), mask))
        return torch.cat(found)[torch.from_numpy(np.argsort(order)).to(pieces.device)]


def _run_layer(layer: TransformerLayer, states: Tensor, bias: Tensor) -> Tensor:
    n, length, width = states.shape
    parts = layer.query_key_value(states).view(n, length, 3, layer.n_heads, -1)
    context = F.scaled_dot_product_attention(*parts.permute(2, 0, 3, 1, 4), attn_mask=bias)
    context = context.transpose(1, 2).reshape(n, length, width)
    states = layer.attention_norm(layer.output(context) + states)
    return layer.norm(layer.outer(F.gelu(layer.inner(states))) + states)


def unit(rows: Tensor) -> Tensor:
    return F.normalize(rows.float(), dim=-1, eps=1e-4)


class Boundaries(nn.Module):
    """`spacy-thematic.SectionBoundaries.v1` on padded texts."""

    def __init__(self, width: int, hidden: int = 96, dropout: float = 0.1):
        super().__init__()
        self.dropout = dropout
        self.content, self.likeness = nn.Linear(width + 1, hidden), nn.Linear(len(WINDOWS), hidden)
        self.pair = nn.Linear(3 * hidden, hidden)
        self.out_norm, self.out = nn.LayerNorm(hidden), nn.Linear(hidden, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        self.dilations = (1, 2, 4, 8), (1, 2, 4)
        n = sum(map(len, self.dilations))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(n))
        self.first = nn.ModuleList(nn.Linear(3 * hidden, hidden) for _ in range(n))
        self.second = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(n))

    def forward(self, vectors: Tensor, characters: Tensor, mask: Tensor) -> Tensor:
        """The log odds, (texts, sentences), from unit rows, (texts, sentences, width), characters
        and mask, (texts, sentences)."""
        there = mask[..., None].float()
        features = torch.cat([vectors * 8, (torch.log1p(characters) - 4.5)[..., None]], dim=-1)
        states = self.content(F.dropout(features, self.dropout, self.training))
        states = self._convolve(states, there, 0)
        before = F.pad(states, (0, 0, 1, 0))[:, :-1]
        gaps = self.pair(torch.cat([before, states, before * states], dim=-1))
        gaps = gaps + self.likeness(compare_sides(vectors, mask) * 4)
        return self.out(self.out_norm(self._convolve(gaps, there, 1)))[..., 0]

    def _convolve(self, states: Tensor, there: Tensor, which: int) -> Tensor:
        start = which * len(self.dilations[0])
        for number, far in enumerate(self.dilations[which], start):
            own = self.norms[number](states) * there
            left, right = F.pad(own, (0, 0, far, 0)), F.pad(own, (0, 0, 0, far))
            window = torch.cat([left[:, : own.shape[1]], own, right[:, far:]], dim=-1)
            change = F.dropout(F.gelu(self.first[number](window)), self.dropout, self.training)
            states = states + self.second[number](change)
        return states

    def build(self, width: int) -> Built:
        """The architecture, and a Thinc net of it, for vectors of a width, with these weights."""
        block = {"@architectures": "spacy-thematic.SectionBoundaries.v1"}
        net = build_architecture(block)
        net.set_dim("nI", width)
        net.initialize()
        for layer, module, names in self._pair(net):
            layer.set_param(names[0], module.weight.detach().cpu().float().numpy())
            layer.set_param(names[1], module.bias.detach().cpu().float().numpy())
        return block, net

    @torch.no_grad()
    def read(self, net: Model, scale: float = 1.0) -> None:
        """Take the weights of a Thinc net. It may know the first columns of the vectors alone.
        These are shorter by a scale then, for others stand beside them."""
        for layer, module, names in self._pair(net):
            weights = torch.tensor(layer.get_param(names[0]))
            if module is self.content:
                module.weight.zero_()
                known = weights.shape[1] - 1
                is_narrow = known < module.weight.shape[1] - 1
                module.weight[:, :known] = weights[:, :known] * (scale if is_narrow else 1.0)
                module.weight[:, -1] = weights[:, -1]
            else:
                module.weight.copy_(weights)
            module.bias.copy_(torch.tensor(layer.get_param(names[1])))

    def _pair(self, net: Model) -> Iterator[tuple[Model, nn.Linear | nn.LayerNorm, str]]:
        """The layers of a Thinc net, ours, and how Thinc calls their weights."""
        content, likeness, pair, out, *others = net.layers
        norms, blocks = others[: len(self.norms)], others[len(self.norms) :]
        linear = [content.layers[1], likeness, pair, out.layers[1]]
        linear += [layer for block in blocks for layer in (block.layers[0], block.layers[2])]
        own = [self.content, self.likeness, self.pair, self.out]
        own += [layer for two in zip(self.first, self.second) for layer in two]
        yield from zip(linear, own, repeat("Wb"))
        yield from zip([out.layers[0], *norms], [self.out_norm, *self.norms], repeat("Gb"))


def compare_sides(vectors: Tensor, mask: Tensor, windows: Sequence[int] = WINDOWS) -> Tensor:
    """`section_boundaries.compare_sides` of padded texts."""
    n_texts, n, width = vectors.shape
    there = mask[..., None].float()
    mean = (vectors * there).sum(dim=1, keepdim=True) / there.sum(dim=1, keepdim=True).clamp(min=1)
    sums = F.pad(torch.cumsum(unit((vectors - mean) * there) * there, dim=1), (0, 0, 1, 0))
    place = torch.arange(n, device=vectors.device)
    ends = mask.sum(dim=1, keepdim=True)
    is_gap = mask & (place > 0)
    columns = []
    for window in windows:
        before = sums[:, place] - sums[:, (place - window).clamp(min=0)]
        last = torch.minimum((place + window).expand(n_texts, n), ends)
        after = torch.gather(sums, 1, last[..., None].expand(-1, -1, width)) - sums[:, place]
        lengths = before.norm(dim=-1) * after.norm(dim=-1)
        cosines = (before * after).sum(dim=-1) / lengths.clamp(min=1e-4) * is_gap
        usual = cosines.sum(dim=1, keepdim=True) / is_gap.sum(dim=1, keepdim=True).clamp(min=1)
        columns.append((cosines - usual) * is_gap)
    return torch.stack(columns, dim=-1)
