"""A small transformer and a mean over it, in PyTorch."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

EPSILON = 1e-12
BATCH_WORDS = 4096


class Linear(nn.Linear):
    """A linear layer, which may be followed by GELU. It predicts on a processor by oneDNN, which
    needs half the time of PyTorch's own product of matrices on those of AMD."""

    def forward(self, states: Tensor, gelu: bool = False) -> Tensor:
        if torch.is_grad_enabled() or states.dtype != torch.float32 or not _is_by_onednn(states):
            states = super().forward(states)
            return F.gelu(states) if gelu else states
        activation = "gelu" if gelu else "none"
        weights = self.weight, self.bias
        return torch.ops.mkldnn._linear_pointwise(states, *weights, activation, [], "none")


def _is_by_onednn(states: Tensor) -> bool:
    return states.device.type == "cpu" and torch.backends.mkldnn.is_available()


class TransformerLayer(nn.Module):
    """Self-attention and a feed-forward layer, each followed by layer normalisation, as in BERT."""

    def __init__(self, width: int, n_heads: int, inner_width: int):
        super().__init__()
        self.n_heads = n_heads
        self.query_key_value = Linear(width, 3 * width)
        self.output = Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=EPSILON)
        self.inner = Linear(width, inner_width)
        self.outer = Linear(inner_width, width)
        self.norm = nn.LayerNorm(width, eps=EPSILON)

    def forward(
        self, states: Tensor, groups: list[tuple[int, int]], bias: Tensor | None = None
    ) -> Tensor:
        """The states after this layer, (words of all sentences, width). Groups are of sentences
        that follow one another and have the same length: how many, and their length. The bias,
        (heads, longest, longest), is added to the scores of attention."""
        projected = self.query_key_value(states)
        contexts, start = [], 0
        for n_sentences, length in groups:
            end = start + n_sentences * length
            contexts.append(self._attend(projected[start:end], n_sentences, length, bias))
            start = end
        # In place, for these tensors are large.
        states = self.attention_norm(self.output(torch.cat(contexts)).add_(states))
        return self.norm(self.outer(self.inner(states, gelu=True)).add_(states))

    def _attend(
        self, projected: Tensor, n_sentences: int, length: int, bias: Tensor | None
    ) -> Tensor:
        heads = projected.view(n_sentences, length, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = heads.reshape(3, n_sentences * self.n_heads, length, -1)
        scale = query.shape[-1] ** -0.5
        scores = torch.baddbmm(query.new_zeros(()), query, key.transpose(1, 2), beta=0, alpha=scale)
        if bias is not None:
            by_head = scores.view(n_sentences, self.n_heads, length, length)
            scores = by_head.add_(bias[:, :length, :length]).view_as(scores)
        context = torch.bmm(torch.softmax(scores, dim=-1), value)
        context = context.view(n_sentences, self.n_heads, length, -1)
        return context.transpose(1, 2).reshape(n_sentences * length, -1)


class TransformerMean(nn.Module):
    """Transformer layers, a weighted mean of their states, and a residual perceptron over it.

    Sentences of the same length are encoded together, so that nothing is padded, and about
    `BATCH_WORDS` words at once, so that they stay in the processor's cache.
    Parameters as in `build_transformer_mean`.
    """

    def __init__(
        self,
        width: int,
        n_layers: int,
        n_heads: int,
        inner_width: int,
        sentence_width: int,
        max_length: int,
        dropout: float,
        frozen_layers: int = 0,
        distance_buckets: int = 0,
    ):
        super().__init__()
        self.width = width
        self.distances = None
        if distance_buckets:
            self.distances = nn.Parameter(torch.zeros(distance_buckets, n_heads))
        self.positions = nn.Parameter(torch.randn(max_length, width) * 0.02)
        self.norm = nn.LayerNorm(width, eps=EPSILON)
        self.layers = nn.ModuleList(
            TransformerLayer(width, n_heads, inner_width) for _ in range(n_layers)
        )
        self.weight = nn.Parameter(torch.zeros(width))
        self.sentence_norm = nn.LayerNorm(width)
        self.inner = Linear(width, sentence_width)
        self.dropout = nn.Dropout(dropout)
        self.outer = Linear(sentence_width, width, bias=False)
        nn.init.zeros_(self.outer.weight)
        if frozen_layers:
            for part in (self.norm, *self.layers[:frozen_layers]):
                part.requires_grad_(False)
            for weight in (self.positions, self.distances):
                if weight is not None:
                    weight.requires_grad_(False)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Encode the words of sentences, one sentence after the other, (words, width), by their
        lengths, (sentences,): (sentences, width), zeros for a sentence without words."""
        starts = torch.cumsum(lengths, 0) - lengths
        lengths = lengths.clamp(max=len(self.positions))
        order = torch.argsort(lengths, stable=True)
        order = order[(lengths[order] > 0).nonzero().squeeze(1)]
        batch = torch.cumsum(lengths[order], 0) // BATCH_WORDS
        sizes = torch.unique_consecutive(batch, return_counts=True)[1].tolist()
        vectors = [words.new_zeros(0, words.shape[1])]
        for sentences in torch.split(order, sizes):
            vectors.append(self._encode(words, starts[sentences], lengths[sentences]))
        empty = words.new_zeros(len(lengths), words.shape[1])
        return empty.index_copy(0, order, torch.cat(vectors))

    def _encode(self, words: Tensor, starts: Tensor, lengths: Tensor) -> Tensor:
        """The vectors of sentences in the order of their lengths, all with words."""
        sentence = torch.arange(len(lengths), device=words.device).repeat_interleave(lengths)
        firsts = torch.cumsum(lengths, 0) - lengths
        position = torch.arange(len(sentence), device=words.device) - firsts[sentence]
        embedded = words[starts[sentence] + position] + self.positions[position]
        states = self.norm(embedded)
        distinct, counts = torch.unique_consecutive(lengths, return_counts=True)
        groups = list(zip(counts.tolist(), distinct.tolist()))
        bias = None
        if self.distances is not None:
            bias = self.distances[bucket_distances(max(distinct.tolist()), len(self.distances))]
            bias = bias.permute(2, 0, 1)
        for layer in self.layers:
            states = layer(states, groups, bias)

        weights = torch.exp((states * self.weight).sum(dim=1).clamp(-4, 4))
        totals = words.new_zeros(len(lengths)).index_add(0, sentence, weights)
        shares = weights / totals[sentence]
        means = words.new_zeros(len(lengths), words.shape[1])
        means = means.index_add(0, sentence, states * shares[:, None])
        hidden = self.inner(self.sentence_norm(means), gelu=True)
        return means + self.outer(self.dropout(hidden))


def bucket_distances(length: int, n_buckets: int, furthest: int = 128) -> Tensor:
    """The bucket of the distance from each place to each other, (length, length), as in T5 (Raffel
    et al. 2020): half of the buckets for what stands before, half of each half for one distance
    each, the others wider and wider, up to `furthest`."""
    places = torch.arange(length)
    distance = places[:, None] - places[None, :]
    half = n_buckets // 2
    single = half // 2
    far = distance.abs()
    share = torch.log(far.float().clamp(min=1) / single) / math.log(furthest / single)
    wide = single + (share * (half - single)).long()
    within = torch.where(far < single, far, wide.clamp(max=half - 1))
    return within + half * (distance < 0)
