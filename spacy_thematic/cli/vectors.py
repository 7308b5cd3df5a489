"""`thematic vectors`: a table of word vectors, ready for `[initialize] vectors`."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import msg


@app.command("vectors")
def vectors_cli(
    source: str = typer.Argument(
        ...,
        help="Pipeline folder, .npz or text (GloVe, word2vec); package:NAME/path names one in an installed package",
    ),
    out: Path = typer.Argument(..., help="Folder for a blank pipeline with these vectors"),
    limit: int = typer.Option(
        0, min=0, help="Read only this many words of a .npz or text file; 0 reads all"
    ),
    lang: str = typer.Option("en", help="Language of the pipeline"),
):
    """
    Prepare word vectors for training.

    Training takes the folder as --paths.vectors.
    """
    import spacy

    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.files import write_folder
    from spacy_thematic.models.vector_tables import load_word_vectors
    from spacy_thematic.packages import resolve_path

    with clear_errors() as held:
        path = resolve_path(source)
        held.enter_context(claim_outputs([path], folders=[out]))
        nlp = spacy.blank(lang, vocab=load_word_vectors(path, limit))
        write_folder(out, nlp.to_disk)
    rows, width = nlp.vocab.vectors.shape
    msg.good(f"Saved {out}: {nlp.vocab.vectors.n_keys:,} words, {rows:,} vectors of width {width}")
