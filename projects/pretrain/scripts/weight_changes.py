"""What training has changed in the weights of a large encoder, as a small file: matrices of low
rank in 16 bits. With it, who has the start has the trained encoder, nearly.

python scripts/weight_changes.py save START TRAINED CHANGES
python scripts/weight_changes.py add START CHANGES OUT
"""

import io
from pathlib import Path

import numpy as np
import typer

from spacy_thematic.files import write_bytes
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import ModelState

LEFT, RIGHT = "left ", "right "

app = typer.Typer(help=__doc__)


@app.command("save")
def save_changes(
    start: str = typer.Argument(..., help="Model file before training"),
    trained: str = typer.Argument(..., help="Model file or pipeline after it"),
    out: Path = typer.Argument(..., help=".npz to write"),
    rank: int = typer.Option(16, help="Of the change of each matrix"),
):
    """Write what training has changed."""
    before, after = (find_pretrained(name).state.arrays for name in (start, trained))
    found: dict[str, np.ndarray] = {}
    for name, old in before.items():
        change = after[name] - old if old.dtype == "f" else np.zeros(0, "f")
        # The mean of equal weights is equal but for rounding.
        if not change.size or np.abs(change).max() < 1e-6:
            continue
        if change.ndim == 2 and min(change.shape) > rank:
            found[LEFT + name], found[RIGHT + name] = split_matrix(change, rank)
        else:
            found[name] = change
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array.astype("float16") for name, array in found.items()})
    write_bytes(out, buffer.getvalue())


@app.command("add")
def add_changes(
    start: str = typer.Argument(..., help="Model file before training"),
    changes: Path = typer.Argument(..., help=".npz that `save` has written"),
    out: Path = typer.Argument(..., help="Model file to write"),
):
    """Write the trained encoder, nearly."""
    encoder = find_pretrained(start)
    arrays, dims = dict(encoder.state.arrays), encoder.state.dims
    with np.load(changes) as found:
        for name in found.files:
            if name.startswith(LEFT):
                own = name.removeprefix(LEFT)
                arrays[own] = arrays[own] + found[name].astype("f") @ found[RIGHT + own].astype("f")
            elif not name.startswith(RIGHT):
                arrays[name] = arrays[name] + found[name].astype("f")
    state = ModelState(arrays, dims)
    write_model_file(out, encoder.lang, encoder.architecture, state, exact=True)


def split_matrix(matrix: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Two matrices, (rows, rank) and (rank, columns), whose product is nearest to one."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    scale = np.sqrt(values[:rank])
    return left[:, :rank] * scale, scale[:, None] * right[:rank]


if __name__ == "__main__":
    app()
