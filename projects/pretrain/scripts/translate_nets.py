"""The nets of boundaries and headings that one encoder has, given to another: the linear map from
the vectors of the other to those of the first, fitted by least squares, becomes part of their first
layers. Where encoding is slow that does without learning. A net of boundaries that the other has is
kept.

python scripts/translate_nets.py FROM MODEL CORPUS OUT
"""

from pathlib import Path

import numpy as np
import spacy
import typer
from thinc.api import Model

from bare_encoder import take_encoder
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES, build_with_boundaries
from spacy_thematic.models.section_headings import WITH_HEADINGS, build_with_headings
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.architecture import Architecture, build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import ModelState, give_state, take_state
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets.compiled import open_compiled
from teacher import get_texts

RIDGE = 1.0


def main(
    source: str = typer.Argument(..., help="Model file that has both nets"),
    name: str = typer.Argument(..., help="Model file of an encoder, exact"),
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    out: Path = typer.Argument(..., help="Model file to write"),
    n_sentences: int = typer.Option(16_000, help="Random sentences that the map is fitted to"),
    int8: bool = typer.Option(False, "--int8", help="Write nets in 8 bits a number too"),
    seed: int = typer.Option(0),
):
    """Give an encoder the nets of another."""
    texts = draw_sentences(corpus, n_sentences, seed)
    there, here = (
        unit_rows(encode_texts(load_pipeline(model), texts), centre=False)
        for model in (source, name)
    )
    map_ = fit_map(here, there)
    typer.echo(f"The map explains {explained(here @ map_, there):.3f} of the variance.")

    learned, encoder = find_pretrained(source), find_pretrained(name)
    own, trained = take_encoder(encoder, WITH_HEADINGS)
    blocks, with_headings = take_encoder(learned)
    with_boundaries, headings = with_headings.layers
    section, phrase, _ = headings.layers
    headings = put_before(map_, headings, [section.layers[1], phrase], blocks["headings"])
    if own["@architectures"] != WITH_BOUNDARIES:
        boundaries = with_boundaries.layers[1]
        content = boundaries.layers[0].layers[1]
        boundaries = put_before(map_, boundaries, [content], blocks["encoder"]["boundaries"])
        own, trained = (
            {**blocks["encoder"], "encoder": own},
            build_with_boundaries(trained, boundaries),
        )

    architecture = {**blocks, "encoder": own}
    model = build_with_headings(trained, headings)
    write_model_file(out, encoder.lang, architecture, take_state(model), int8=int8)


def draw_sentences(corpus: Path, n: int, seed: int) -> list[str]:
    """Random sentences of a corpus."""
    compiled = open_compiled(corpus, spacy.blank("en").vocab)
    n_rows = len(compiled.article_of_rows())
    rows = np.random.default_rng(seed).choice(n_rows, min(n, n_rows), replace=False)
    return get_texts(compiled, np.sort(rows))


def fit_map(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The map from the rows of x to those of y, (width of x, width of y), by ridge regression."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    return np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y).astype("f")


def explained(found: np.ndarray, true: np.ndarray) -> float:
    return float(1 - ((found - true) ** 2).sum() / ((true - true.mean(axis=0)) ** 2).sum())


def put_before(
    map_: np.ndarray, net: Model, layers: list[Model], architecture: Architecture
) -> Model:
    """A copy of a net of an architecture, that reads what the map reads. Its linear layers that
    read what the map gives do so once or several times side by side. What they read besides comes
    last, and stays as it is."""
    arrays, dims = take_state(net)
    for number, node in enumerate(net.walk()):
        if any(inner in layers for inner in node.walk()) and "nI" in dims[number]:
            times, more = divmod(dims[number]["nI"], map_.shape[1])
            dims[number]["nI"] = times * len(map_) + more
        if node in layers:
            name = f"{number}.{node.name}.W"
            weights, n = arrays[name], arrays[name].shape[1] // map_.shape[1]
            mapped, rest = np.split(weights, [n * map_.shape[1]], axis=1)
            parts = [part @ map_.T for part in np.split(mapped, n, axis=1)]
            arrays[name] = np.hstack([*parts, rest]).astype("f")
    copy = build_architecture(architecture)
    give_state(copy, ModelState(arrays, dims))
    return copy


if __name__ == "__main__":
    typer.run(main)
