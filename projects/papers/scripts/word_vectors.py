"""A table of word vectors as a folder, which several trainings read.

python scripts/word_vectors.py SOURCE OUT [--limit 0] [--lang en] [--length 0]

SOURCE is a pipeline's folder, .npz or text (GloVe, word2vec); package:NAME/path names one in an
installed package. In some tables the vectors of function words are the longest, so that means are
theirs: --length scales all vectors to one length.
"""

from pathlib import Path

import numpy as np
import spacy
import typer
from wasabi import msg

from spacy_thematic.cli.shell import claim_outputs, clear_errors
from spacy_thematic.files import write_folder
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.packages import resolve_path


def main(
    source: str = typer.Argument(..., help="Table of word vectors"),
    out: Path = typer.Argument(..., help="Folder for a blank pipeline with these vectors"),
    limit: int = typer.Option(0, min=0, help="Read only this many words of a file; 0 reads all"),
    lang: str = typer.Option("en", help="Language of the pipeline"),
    length: float = typer.Option(0.0, min=0, help="Scale each vector to this length; 0: do not"),
):
    """Write a table of word vectors as a blank pipeline."""
    with clear_errors() as held:
        path = resolve_path(source)
        held.enter_context(claim_outputs([path], folders=[out]))
        nlp = spacy.blank(lang, vocab=load_word_vectors(path, limit))
        if length:
            data = nlp.vocab.vectors.data
            data *= length / np.maximum(np.linalg.norm(data, axis=1, keepdims=True), 1e-9)
        write_folder(out, nlp.to_disk)
    rows, width = nlp.vocab.vectors.shape
    msg.good(f"Saved {out}: {nlp.vocab.vectors.n_keys:,} words, {rows:,} vectors of width {width}")


if __name__ == "__main__":
    typer.run(main)
