"""The model file that the transformer of en_thematic_md or en_thematic_lg starts from: layers of a
BERT.

python scripts/start_transformer.py CONFIG BERT OUT
"""

from pathlib import Path

import numpy as np
import srsly
import torch
import typer
from spacy.cli._util import parse_config_overrides
from spacy.util import load_config
from thinc.api import fix_random_seed
from torch import Tensor

from spacy_thematic.models.torch.transformer_mean import TransformerLayer, TransformerMean
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.models.word_pieces import FIRST, LAST, UNKNOWN, is_ideograph, split_punctuation
from spacy_thematic.packages import resolve_path
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state

NAMES = {
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "norm": "output.LayerNorm",
}
# What MPNet names in another way than BERT.
OF_MPNET = {
    "attention.attn.q": "attention.self.query",
    "attention.attn.k": "attention.self.key",
    "attention.attn.v": "attention.self.value",
    "attention.attn.o": "attention.output.dense",
    "attention.LayerNorm": "attention.output.LayerNorm",
}
PIECES_OF_MPNET = {"<s>": FIRST, "</s>": LAST}
DISTANCES = "encoder.relative_attention_bias.weight"

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def main(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="configs/start_md.cfg or start_lg.cfg"),
    bert: str = typer.Argument(..., help="Folder with config.json, model.safetensors, vocab.txt"),
    out: Path = typer.Argument(..., help="Model file to write"),
    seed: int = typer.Option(0, help="Of the weights that no BERT has"),
):
    """Take the word pieces, their vectors and some layers of an uncased BERT."""
    settings = load_config(config, overrides=parse_config_overrides(ctx.args), interpolate=True)
    fix_random_seed(seed)
    model = build_architecture(settings["model"])
    embed, pool = model.layers
    pieces, vectors = fill_from_bert(
        get_module(pool), resolve_path(bert), settings["start"]["layers"]
    )
    embed.attrs["pieces"] = pieces
    embed.set_param("E", vectors)
    write_model_file(out, "en", settings["model"], take_state(model), exact=True)


def fill_from_bert(
    net: TransformerMean, folder: Path, layers: list[int]
) -> tuple[list[str], np.ndarray]:
    """Give a transformer, as wide, the weights of as many layers, by number, of an uncased BERT or
    MPNet in a folder with config.json, model.safetensors and vocab.txt. The units of the largest
    weights are kept of its feed-forward layers; the perceptron over the mean at first adds nothing.
    Returns the word pieces that are of use, and their vectors, float32 (pieces, width)."""
    from safetensors.torch import load_file

    weights = {
        _name_as_in_bert(name): tensor
        for name, tensor in load_file(folder / "model.safetensors").items()
    }
    pieces = (folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    if DISTANCES in weights:
        pieces = [
            PIECES_OF_MPNET.get(piece, "" if piece in (FIRST, LAST) else piece) for piece in pieces
        ]
    vectors = weights["embeddings.word_embeddings.weight"]
    n_heads = srsly.read_json(folder / "config.json")["num_attention_heads"]
    found = (vectors.shape[1], [layer.n_heads for layer in net.layers])
    expected = (net.positions.shape[1], [n_heads] * len(layers))
    if found != expected:
        raise ValueError(
            f"The BERT in {folder} has width {found[0]} and {n_heads} heads a layer, and "
            f"{len(layers)} layers are named; the config has another net: width {expected[0]}, "
            f"heads {found[1]}."
        )
    with torch.no_grad():
        positions = weights["embeddings.position_embeddings.weight"]
        if DISTANCES in weights:
            # The first two are of padding.
            net.positions.copy_(positions[2 : 2 + len(net.positions)])
            net.distances.copy_(weights[DISTANCES])
        else:
            kinds = weights["embeddings.token_type_embeddings.weight"]
            net.positions.copy_(positions[: len(net.positions)] + kinds[0])
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
    rows = choose_pieces(pieces)
    return [pieces[row] for row in rows], vectors[rows].float().numpy()


def _name_as_in_bert(name: str) -> str:
    name = name.removeprefix("bert.")
    for theirs, ours in OF_MPNET.items():
        name = name.replace(theirs, ours)
    return name


def choose_pieces(pieces: list[str]) -> list[int]:
    """The rows of the word pieces that are of use for English: those that `WordPieces` can cut from
    some word, so not "[unused7]", and no ideographs, of which a BERT for English knows few hundred.
    """
    return [
        row
        for row, piece in enumerate(pieces)
        if piece in (UNKNOWN, FIRST, LAST)
        or (piece and _is_cut(piece) and not any(map(is_ideograph, piece)))
    ]


def _is_cut(piece: str) -> bool:
    """Whether a piece can be one of a word's."""
    is_start = len(piece) <= 2 or not piece.startswith("##")
    part = piece if is_start else f"a{piece[2:]}"
    return split_punctuation(part) == [part]


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


if __name__ == "__main__":
    app()
