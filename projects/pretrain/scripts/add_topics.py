"""The map from the vectors of an encoder to topics, fitted to what general encoders say of the same
sentences, and put beside the encoder.

python scripts/add_topics.py MODEL CORPUS OUT TEACHER [TEACHER ...]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import spacy
import srsly
import typer

from bare_encoder import take_encoder
from spacy_thematic.models.topics import WITH_TOPICS, build_topics, build_with_topics
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state
from spacy_thematic.rows import unit_rows
from spacy_thematic.training.objectives.distillation import HEADER, ROWS, VECTORS
from spacy_thematic.triplets.compiled import open_compiled
from translate_nets import explained, fit_map

HELD_OUT = 2_000


def main(
    name: str = typer.Argument(..., help="Model file or bundled model"),
    corpus: Path = typer.Argument(..., help="Training split of the teachers' corpus: CORPUS/train"),
    out: Path = typer.Argument(..., help="Model file to write"),
    teachers: list[Path] = typer.Argument(..., help="Folders that teacher.py wrote"),
    width: int = typer.Option(256, help="Of the topics: the first principal components"),
    n_sentences: int = typer.Option(100_000, help="Random sentences that the map is fitted to"),
    int8: bool = typer.Option(False, "--int8", help="Write nets in 8 bits a number too"),
    seed: int = typer.Option(0),
):
    """Give an encoder the map. One that it has already is replaced."""
    rows, there = read_teachers(teachers, n_sentences, seed)
    texts = open_compiled(corpus, spacy.blank("en").vocab).get_texts(rows)
    here = unit_rows(encode_texts(load_pipeline(name), texts), centre=False)
    map_ = fit_map(here[HELD_OUT:], there[HELD_OUT:])
    found = explained(here[:HELD_OUT] @ map_, there[:HELD_OUT])
    typer.echo(f"The map explains {found:.3f} of the variance of sentences held out.")
    map_ = map_ @ find_directions(here @ map_, width)

    encoder = find_pretrained(name)
    bare, trained = take_encoder(encoder, WITH_TOPICS)
    architecture = {
        "@architectures": WITH_TOPICS,
        "encoder": bare,
        "topics": {"@architectures": "spacy-thematic.Topics.v1", "width": width},
    }
    topics = build_topics(width)
    topics.set_dim("nI", len(map_))
    topics.set_param("W", map_)
    state = take_state(build_with_topics(trained, topics))
    write_model_file(out, encoder.lang, architecture, state, int8=int8)


def read_teachers(folders: list[Path], n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of random sentences that all teachers have encoded, and their vectors side by side,
    each of length one, float32 (n, width of all)."""
    known = [np.fromfile(folder / ROWS, "int64") for folder in folders]
    rows = known[0]
    for others in known[1:]:
        rows = rows[np.isin(rows, others)]
    rows = np.random.default_rng(seed).permutation(rows)[:n]
    vectors = []
    for folder, own in zip(folders, known):
        width = srsly.read_json(folder / HEADER)["width"]
        taught = np.fromfile(folder / VECTORS, "float16").reshape(len(own), width)
        order = np.argsort(own)
        places = order[np.searchsorted(own, rows, sorter=order)]
        vectors.append(unit_rows(taught[places].astype("f"), centre=False))
    return rows, np.hstack(vectors)


def find_directions(rows: np.ndarray, width: int) -> np.ndarray:
    """The first principal components of rows, (width of rows, width)."""
    centred = rows - rows.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :width].astype("f")


if __name__ == "__main__":
    typer.run(main)
