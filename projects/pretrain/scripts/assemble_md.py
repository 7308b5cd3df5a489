"""The model file of en_thematic_md: the trained transformer, and beside it the frequent words of
en_thematic_sm.

python scripts/assemble_md.py TRANSFORMER SM CORPUS OUT
"""

from pathlib import Path

import numpy as np
import spacy
import typer
from spacy.strings import get_string_id
from thinc.api import Model

from bare_encoder import take_encoder
from corpus_words import count_words
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.models.tables import take_rows
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.source import find_pretrained
from spacy_thematic.pretrained.state import give_state, take_state
from spacy_thematic.triplets.compiled import open_compiled

N_WORDS = 23_500
WEIGHTS = [1.0, 0.4]


def main(
    transformer: str = typer.Argument(..., help="Trained pipeline of the transformer"),
    sm: str = typer.Argument(..., help="Model file or pipeline of en_thematic_sm"),
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    out: Path = typer.Argument(..., help="Model file to write"),
):
    """Join both encoders, the second with the most frequent words of the corpus alone."""
    words, _ = count_words(open_compiled(corpus, spacy.blank("en").vocab))
    parts = [
        take_encoder(find_pretrained(name), WITH_HEADINGS, WITH_BOUNDARIES)
        for name in (transformer, sm)
    ]
    architecture = {
        "@architectures": "spacy-thematic.Concatenate.v1",
        # Trained in 16 bits where the processor can; who trains it on may have another.
        "*": {
            "transformer": {**parts[0][0], "mixed_precision": False},
            "static": parts[1][0],
        },
        "weights": WEIGHTS,
    }
    model = build_architecture(architecture)
    for layer, (_, part) in zip(model.layers, parts):
        give_state(layer, take_state(part))
    keep_words(model.layers[1], words[:N_WORDS])
    model.set_dim("nO", sum(layer.get_dim("nO") for layer in model.layers))
    write_model_file(out, "en", architecture, take_state(model))


def keep_words(model: Model, words: list[str]) -> None:
    """Leave a weighted mean no rows but those of some words, and the shared ones."""
    wanted = np.array([get_string_id(word) for word in words], "uint64")
    for table in model.layers:
        keys = table.attrs["keys"]
        kept = np.flatnonzero(np.isin(keys, wanted))
        rows = np.append(kept, np.arange(len(keys), len(table.get_param("E"))))
        scales = table.attrs["scales"]
        table.attrs["keys"] = keys[kept]
        if len(scales):
            table.attrs["scales"] = scales[rows]
            table.set_param("E", table.get_param("E")[rows])
        else:
            table.set_param("E", take_rows(table, rows))


if __name__ == "__main__":
    typer.run(main)
