"""Layers of a BERT as the package's own small transformer."""

from __future__ import annotations

from pathlib import Path

import srsly
import torch
from torch import Tensor

from spacy_thematic.models.torch.transformer_mean import TransformerLayer, TransformerMean

MAX_LENGTH = 256
NAMES = {
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "norm": "output.LayerNorm",
}


def read_bert(
    folder: Path, layers: list[int], inner_width: int, sentence_width: int
) -> tuple[list[str], Tensor, TransformerMean]:
    """The pieces of an uncased BERT, their vectors, and some of its layers under a mean.

    folder: with config.json, model.safetensors, vocab.txt. layers: by number, from 0. inner_width:
    of the feed-forward layers; the units of the largest weights are kept. sentence_width: of the
    perceptron over the mean, which at first adds nothing.
    """
    from safetensors.torch import load_file

    config = srsly.read_json(folder / "config.json")
    weights = {
        name.removeprefix("bert."): tensor
        for name, tensor in load_file(folder / "model.safetensors").items()
    }
    pieces = (folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    vectors = weights["embeddings.word_embeddings.weight"]
    net = TransformerMean(
        vectors.shape[1],
        len(layers),
        config["num_attention_heads"],
        inner_width,
        sentence_width,
        MAX_LENGTH,
        dropout=0.0,
    )
    with torch.no_grad():
        positions = weights["embeddings.position_embeddings.weight"][:MAX_LENGTH]
        net.positions.copy_(positions + weights["embeddings.token_type_embeddings.weight"][0])
        net.norm.weight.copy_(weights["embeddings.LayerNorm.weight"])
        net.norm.bias.copy_(weights["embeddings.LayerNorm.bias"])
        for layer, number in zip(net.layers, layers):
            prefix = f"encoder.layer.{number}."
            _fill_layer(
                layer,
                {
                    name.removeprefix(prefix): tensor
                    for name, tensor in weights.items()
                    if name.startswith(prefix)
                },
            )
    return pieces, vectors, net


def _fill_layer(layer: TransformerLayer, weights: dict[str, Tensor]) -> None:
    inner, outer = weights["intermediate.dense.weight"], weights["output.dense.weight"]
    importance = inner.norm(dim=1) * outer.norm(dim=0)
    kept = importance.topk(layer.inner.out_features).indices.sort().values
    state = {
        "inner.weight": inner[kept],
        "inner.bias": weights["intermediate.dense.bias"][kept],
        "outer.weight": outer[:, kept],
        "outer.bias": weights["output.dense.bias"],
    }
    for kind in ("weight", "bias"):
        state[f"query_key_value.{kind}"] = torch.cat(
            [weights[f"attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
        )
        for ours, theirs in NAMES.items():
            state[f"{ours}.{kind}"] = weights[f"{theirs}.{kind}"]
    layer.load_state_dict(state)
