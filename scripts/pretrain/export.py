"""Trained weights as the files of a bundled model: int8 tables, float16 layers.

python -m scripts.pretrain.export TRAINED NAME
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer
from safetensors.numpy import load_file, save
from spacy.strings import get_string_id

import spacy_thematic.pretrained
from scripts.pretrain.train import VOCABULARY, WEIGHTS
from spacy_thematic.files import write_bytes
from spacy_thematic.models.quantized import quantize_rows
from spacy_thematic.models.subwords import FEATURES

Arrays = dict[str, np.ndarray]
NET = "net."


def main(
    trained: Path = typer.Argument(..., help="Folder of train.py"),
    name: str = typer.Argument(..., help="en_thematic_sm or en_thematic_md"),
    folder: Path = typer.Option(
        Path(spacy_thematic.pretrained.__file__).parent, help="Folder for the two files"
    ),
):
    """Write NAME.safetensors and NAME.txt."""
    weights = load_file(trained / WEIGHTS)
    words = (trained / VOCABULARY).read_text(encoding="utf8").splitlines()
    if "log_weights.weight" in weights:
        arrays, words = export_static(weights, words)
    else:
        arrays = export_transformer(weights)
    write_bytes(folder / f"{name}.safetensors", save(arrays))
    write_bytes(folder / f"{name}.txt", "".join(word + "\n" for word in words).encode())


def export_static(weights: Arrays, words: list[str]) -> tuple[Arrays, list[str]]:
    """The arrays of a static model and its words, in the order of their hashes.

    The package takes the mean of the rows of an unknown word's parts, with weight 1; here each had
    a weight of its own, and they were summed.
    """
    vectors, log_weights = weights["vectors.weight"], weights["log_weights.weight"]
    n_words = len(words)
    order = np.argsort(np.array([get_string_id(word) for word in words], dtype="uint64"))
    subwords = vectors[n_words:] * np.exp(log_weights[n_words:]) * FEATURES
    rows, scales = quantize_rows(np.concatenate([vectors[:n_words][order], subwords]))
    arrays = {
        "vectors": rows,
        "scales": _to_half(scales),
        "log_weights": np.append(log_weights[:n_words][order], [[0]], axis=0).astype("float16"),
        "ranks": order.astype("uint16"),
    }
    return arrays, [words[rank] for rank in order]


def export_transformer(weights: Arrays) -> Arrays:
    """The arrays of a transformer over word pieces."""
    rows, scales = quantize_rows(weights["vectors.weight"])
    net = {
        name: tensor.astype("float16") for name, tensor in weights.items() if name.startswith(NET)
    }
    return {"vectors": rows, "scales": _to_half(scales), **net}


def _to_half(scales: np.ndarray) -> np.ndarray:
    """Scales as float16, unless one is too small for it."""
    half = scales.astype("float16")
    return half if half.min() > np.finfo("float16").tiny else scales


if __name__ == "__main__":
    typer.run(main)
