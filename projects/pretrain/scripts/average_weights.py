"""The mean of the weights of encoders that began as one: trained ones lose little of what they have
learned, and keep more of what the start knew (WiSE-FT, Wortsman et al. 2022).

python scripts/average_weights.py OUT MODEL=SHARE MODEL=SHARE...
"""

from pathlib import Path

import numpy as np
import typer

from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import ModelState


def main(
    out: Path = typer.Argument(..., help="Model file to write"),
    models: list[str] = typer.Argument(..., help="Model files or pipelines, MODEL=SHARE"),
):
    """Write the weighted mean of models of one architecture. The shares add up to 1."""
    names, numbers = zip(*(model.rpartition("=")[::2] for model in models))
    shares = [float(number) for number in numbers]
    if abs(sum(shares) - 1) > 1e-6:
        raise typer.BadParameter(f"The shares add up to {sum(shares):g}, expected 1.")
    encoders = [find_pretrained(name) for name in names]
    states = [encoder.state for encoder in encoders]
    if any(state.dims != states[0].dims for state in states):
        raise typer.BadParameter("The models are not of one architecture and size.")
    arrays = {
        name: mean_of([state.arrays[name] for state in states], shares) for name in states[0].arrays
    }
    first = encoders[0]
    state = ModelState(arrays, states[0].dims)
    write_model_file(out, first.lang, first.architecture, state, exact=True)


def mean_of(arrays: list[np.ndarray], shares: list[float]) -> np.ndarray:
    """The weighted mean of floats; of anything else what all have. Raises ValueError if they have
    not the same."""
    if arrays[0].dtype == "f" and len({array.shape for array in arrays}) == 1:
        return sum(share * array for share, array in zip(shares, arrays)).astype("f")
    if any(not np.array_equal(arrays[0], other) for other in arrays):
        raise ValueError("The models have different words, or one has rows of 8 bits.")
    return arrays[0]


if __name__ == "__main__":
    typer.run(main)
